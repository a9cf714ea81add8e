/**
 * Tests payloads that are sent to the Temporal server. The server cannot read them, and a payload is valid only in its
 * own context.
 */
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { probeActivityId } from '../../src/contracts/probe-activity-ids';
import { createRegionKeyrings } from '../../src/platform/region-keyrings';
import { deriveRegionKeys } from '../../src/platform/sealing';
import {
  createPayloadCodec,
  createRegionCodec,
  ENCRYPTED_ENCODING,
} from '../../src/temporal/payload-codec';

const OLD = '1'.repeat(64);
const NEW = '2'.repeat(64);
const NAMESPACE = 'default';
const codec = createPayloadCodec([NEW], NAMESPACE);

async function sealed(value: unknown, by = codec): Promise<Payload> {
  const [payload] = await by.encode([defaultPayloadConverter.toPayload(value)]);
  if (payload === undefined) throw new Error('nothing was sealed');
  return payload;
}

async function opened(payload: Payload, by = codec): Promise<unknown> {
  const [plain] = await by.decode([payload]);
  return plain === undefined ? undefined : defaultPayloadConverter.fromPayload(plain);
}

test('a payload that is encoded and decoded equals the original, and its encoded form is unreadable', async () => {
  for (const value of [{ a: ['canary'] }, 'canary', null, undefined, new Uint8Array([1, 2])]) {
    const payload = await sealed(value);
    expect(Buffer.from(payload.data ?? []).includes('canary')).toBe(false);
    expect(Buffer.from(payload.metadata?.['encoding'] ?? []).toString()).toBe(ENCRYPTED_ENCODING);
    expect(await opened(payload)).toEqual(value);
  }
});

test('encoding the same payload twice gives different bytes', async () => {
  const [first, second] = [await sealed('x'), await sealed('x')];
  expect(first.data).not.toEqual(second.data);
});

test('a payload that was altered in any bit is refused', async () => {
  const payload = await sealed('x');
  const data = Buffer.from(payload.data ?? []);
  for (let bit = 0; bit < data.length * 8; bit += 1) {
    const altered = Buffer.from(data);
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    await expect(opened({ ...payload, data: altered })).rejects.toThrow();
  }
});

test('a payload of another namespace or with another key id is refused', async () => {
  const payload = await sealed('x');
  await expect(opened(payload, createPayloadCodec([NEW], 'other'))).rejects.toThrow();
  const metadata = { ...payload.metadata, 'encryption-key-id': Buffer.from('00000000') };
  await expect(opened({ ...payload, metadata })).rejects.toThrow();
});

test('after a rotation, old payloads are readable and new payloads use the new key', async () => {
  const before = await sealed('x', createPayloadCodec([OLD], NAMESPACE));
  const rotated = createPayloadCodec([NEW, OLD], NAMESPACE);
  expect(await opened(before, rotated)).toBe('x');
  await expect(opened(before)).rejects.toThrow('not in the keyring');
  expect(await opened(await sealed('y', rotated))).toBe('y');
});

test('plain JSON that operators send is read unchanged', async () => {
  const plain = defaultPayloadConverter.toPayload({ by: 'ops' });
  expect(await codec.decode([plain])).toEqual([plain]);
});

describe('payloads between the orchestrator and the probes of a region', () => {
  const scheduled = (region: string, by = codec) =>
    sealedIn(by, { activityId: probeActivityId(region, 'abcdef0123'), isLocal: false });
  const ofRegion = (region: string, keys = deriveRegionKeys([NEW], region)) =>
    createRegionCodec({ region, keys: () => keys, renew: async () => undefined }, NAMESPACE);

  async function sealedIn(
    by: typeof codec,
    activity: { readonly activityId: string; readonly isLocal: boolean },
  ): Promise<Payload> {
    const [payload] = await by.encode([defaultPayloadConverter.toPayload('for the probe')], {
      type: 'activity',
      namespace: NAMESPACE,
      ...activity,
    });
    if (payload === undefined) throw new Error('nothing was sealed');
    return payload;
  }

  test("orchestrator and probe decrypt each other's payloads, and the operator decrypts the payloads of both", async () => {
    const asked = await scheduled('eu-west');
    expect(await opened(asked, ofRegion('eu-west'))).toBe('for the probe');
    expect(await opened(asked)).toBe('for the probe');
    expect(await opened(await sealed('measured', ofRegion('eu-west')))).toBe('measured');
  });

  test('a probe cannot decrypt payloads of other regions or payloads without a region', async () => {
    for (const payload of [await scheduled('us-east'), await sealed('the state of a workflow')])
      await expect(opened(payload, ofRegion('eu-west'))).rejects.toThrow('for another region');
    // Changes the key id of a payload of another region, so that it names this region. The payload still cannot be
    // decrypted.
    const asked = await scheduled('us-east');
    const keyId = Buffer.from(asked.metadata?.['encryption-key-id'] ?? []).toString();
    const renamed = Buffer.from(keyId.replace('us-east', 'eu-west'));
    const metadata = { ...asked.metadata, 'encryption-key-id': renamed };
    await expect(opened({ ...asked, metadata }, ofRegion('eu-west'))).rejects.toThrow();
  });

  test('local activities and activities of the orchestrator are encrypted without a region', async () => {
    for (const activity of [
      { activityId: '7', isLocal: false },
      { activityId: 'eu-west:abcdef01', isLocal: true },
    ])
      await expect(opened(await sealedIn(codec, activity), ofRegion('eu-west'))).rejects.toThrow();
  });

  test('a region with a rotated key gets new payloads with the new key, and still decrypts old payloads', async () => {
    let rotations = new Map<string, number>();
    let nowMs = 0;
    const rings = createRegionKeyrings({
      secretKeys: [NEW],
      readRotations: async () => rotations,
      steadyNow: () => nowMs,
    });
    await rings.renew();
    const hub = createPayloadCodec([NEW], NAMESPACE, rings);
    const taken = createRegionCodec(
      {
        region: 'eu-west',
        keys: () => deriveRegionKeys([NEW], 'eu-west'),
        renew: async () => undefined,
      },
      NAMESPACE,
    );
    const before = await scheduled('eu-west', hub);
    expect(await opened(before, taken)).toBe('for the probe');
    rotations = new Map([['eu-west', 1]]);
    nowMs += 2_000;
    // The codec of a probe that already has the new key.
    const keys = deriveRegionKeys([NEW], 'eu-west', 1);
    const probe = createRegionCodec(
      { region: 'eu-west', keys: () => keys, renew: async () => undefined },
      NAMESPACE,
    );
    expect(await opened(await sealed('measured', probe), hub)).toBe('measured');
    const after = await scheduled('eu-west', hub);
    await expect(opened(after, taken)).rejects.toThrow('not in the keyring');
    expect([await opened(after, probe), await opened(before, probe)]).toEqual([
      'for the probe',
      'for the probe',
    ]);
    expect(await opened(before, hub)).toBe('for the probe');
    expect(rings.readKeys('us-east')).toEqual(deriveRegionKeys([NEW], 'us-east'));
  });

  test('a probe reads the keys of its region again after a rotation', async () => {
    let keys = deriveRegionKeys([OLD], 'eu-west');
    let renewed = 0;
    const renew = async () => {
      renewed += 1;
      keys = deriveRegionKeys([NEW, OLD], 'eu-west');
    };
    const probe = createRegionCodec({ region: 'eu-west', keys: () => keys, renew }, NAMESPACE);
    const before = await scheduled('eu-west', createPayloadCodec([OLD], NAMESPACE));
    expect(await opened(before, probe)).toBe('for the probe');
    expect(renewed).toBe(0);
    expect(await opened(await scheduled('eu-west'), probe)).toBe('for the probe');
    expect(renewed).toBe(1);
    expect(await opened(await sealed('measured', probe))).toBe('measured');
  });
});
