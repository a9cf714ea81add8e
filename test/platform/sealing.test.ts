import fc from 'fast-check';
import { createSealer, isAcceptedToken, probeTokens } from '../../src/platform/sealing';

const OLD = '1'.repeat(64);
const NEW = '2'.repeat(64);

describe('a sealer', () => {
  it('opens what it sealed, for any bytes and context', () => {
    const sealer = createSealer([NEW], 'test');
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, context) => {
        const plain = Buffer.from(bytes);
        return sealer.open(sealer.seal(plain, context), context).equals(plain);
      }),
    );
  });

  it('refuses a value that was altered in any bit', () => {
    const sealer = createSealer([NEW], 'test');
    const sealed = sealer.seal(Buffer.from('hello'), 'row');
    for (let index = 0; index < sealed.length * 8; index += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(index >> 3) ^ (1 << (index & 7)), index >> 3);
      expect(() => sealer.open(altered, 'row')).toThrow();
    }
  });

  it('refuses a value that was moved to another context or purpose', () => {
    const sealed = createSealer([NEW], 'test').seal(Buffer.from('hello'), 'row 1');
    expect(() => createSealer([NEW], 'test').open(sealed, 'row 2')).toThrow();
    expect(() => createSealer([NEW], 'other').open(sealed, 'row 1')).toThrow();
  });

  it('reads what an older key of the ring sealed and writes with the first', () => {
    const before = createSealer([OLD], 'test').seal(Buffer.from('x'), 'c');
    const rotated = createSealer([NEW, OLD], 'test');
    expect(rotated.open(before, 'c').toString()).toBe('x');
    expect(() =>
      createSealer([OLD], 'test').open(rotated.seal(Buffer.from('x'), 'c'), 'c'),
    ).toThrow('not in the ring');
  });
});

describe('the token of a probe', () => {
  it('is accepted for its own region only', () => {
    const [token = ''] = probeTokens([NEW], 'eu-west');
    expect(isAcceptedToken(token, probeTokens([NEW], 'eu-west'))).toBe(true);
    expect(isAcceptedToken(token, probeTokens([NEW], 'us-east'))).toBe(false);
    expect(isAcceptedToken('', probeTokens([NEW], 'eu-west'))).toBe(false);
  });

  it('stays good while its key is in the ring', () => {
    const [old = ''] = probeTokens([OLD], 'eu-west');
    expect(isAcceptedToken(old, probeTokens([NEW, OLD], 'eu-west'))).toBe(true);
  });
});
