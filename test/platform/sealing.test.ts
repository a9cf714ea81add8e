import fc from 'fast-check';
import {
  createSealer,
  deriveLocalProbeSecrets,
  deriveProbeToken,
  deriveRegionKeys,
  isAcceptedToken,
} from '../../src/platform/sealing';
import { propertyOptions } from '../support/property-runs';

const OLD = '1'.repeat(64);
const NEW = '2'.repeat(64);

describe('encryption with the keys of the service', () => {
  it('decryption returns the bytes that were encrypted, for any bytes and context', () => {
    const sealer = createSealer([NEW], 'test');
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, context) => {
        const plain = Buffer.from(bytes);
        return sealer.open(sealer.seal(plain, context), context).equals(plain);
      }),
      propertyOptions(100),
    );
  });

  it('encryption with the keys of the service detects any altered bit of a value', () => {
    const sealer = createSealer([NEW], 'test');
    const sealed = sealer.seal(Buffer.from('hello'), 'row');
    for (let index = 0; index < sealed.length * 8; index += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(index >> 3) ^ (1 << (index & 7)), index >> 3);
      expect(() => sealer.open(altered, 'row')).toThrow();
    }
  });

  it('a value that was copied to another context or purpose cannot be decrypted', () => {
    const sealed = createSealer([NEW], 'test').seal(Buffer.from('hello'), 'row 1');
    expect(() => createSealer([NEW], 'test').open(sealed, 'row 2')).toThrow();
    expect(() => createSealer([NEW], 'other').open(sealed, 'row 1')).toThrow();
  });

  it('values of older keys can be decrypted, and new values use the first key', () => {
    const before = createSealer([OLD], 'test').seal(Buffer.from('x'), 'c');
    const rotated = createSealer([NEW, OLD], 'test');
    expect(rotated.open(before, 'c').toString()).toBe('x');
    expect(() =>
      createSealer([OLD], 'test').open(rotated.seal(Buffer.from('x'), 'c'), 'c'),
    ).toThrow('not in the keyring');
  });
});

describe('the token of a probe', () => {
  const tokensOf = (keys: readonly string[], region: string) =>
    deriveLocalProbeSecrets(keys, region).map(deriveProbeToken);

  it('the token of a probe is accepted for its own region only', () => {
    const [token = ''] = tokensOf([NEW], 'eu-west');
    expect(isAcceptedToken(token, tokensOf([NEW], 'eu-west'))).toBe(true);
    expect(isAcceptedToken(token, tokensOf([NEW], 'us-east'))).toBe(false);
    expect(isAcceptedToken('', tokensOf([NEW], 'eu-west'))).toBe(false);
  });

  it('the token of a probe stays valid while its key is configured', () => {
    const [old = ''] = tokensOf([OLD], 'eu-west');
    expect(isAcceptedToken(old, tokensOf([NEW, OLD], 'eu-west'))).toBe(true);
  });
});

describe('the keys of a region', () => {
  it('the keys of a region cannot decrypt anything of another region', () => {
    const sealed = createSealer(deriveRegionKeys([NEW], 'eu-west'), 'test').seal(
      Buffer.from('x'),
      '',
    );
    for (const keys of [
      deriveRegionKeys([NEW], 'us-east'),
      [NEW],
      deriveLocalProbeSecrets([NEW], 'eu-west'),
    ])
      expect(() => createSealer(keys, 'test').open(sealed, '')).toThrow();
    const rotated = createSealer(deriveRegionKeys([OLD, NEW], 'eu-west'), 'test');
    expect(rotated.open(sealed, '').toString()).toBe('x');
  });
});
