/** Payloads on their way to the Temporal server: nothing readable, nothing that can be moved. */
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createPayloadCodec, ENCRYPTED_ENCODING } from '../../src/temporal/payload-codec';

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

test('any value comes back as it was, and none of it can be read in between', async () => {
  for (const value of [{ a: ['canary'] }, 'canary', null, undefined, new Uint8Array([1, 2])]) {
    const payload = await sealed(value);
    expect(Buffer.from(payload.data ?? []).includes('canary')).toBe(false);
    expect(Buffer.from(payload.metadata?.['encoding'] ?? []).toString()).toBe(ENCRYPTED_ENCODING);
    expect(await opened(payload)).toEqual(value);
  }
});

test('the same value never looks the same twice', async () => {
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

test('a payload of another namespace is refused, and so is one with another key id', async () => {
  const payload = await sealed('x');
  await expect(opened(payload, createPayloadCodec([NEW], 'other'))).rejects.toThrow();
  const metadata = { ...payload.metadata, 'encryption-key-id': Buffer.from('00000000') };
  await expect(opened({ ...payload, metadata })).rejects.toThrow();
});

test('after a rotation old payloads are read and new ones are written with the new key', async () => {
  const before = await sealed('x', createPayloadCodec([OLD], NAMESPACE));
  const rotated = createPayloadCodec([NEW, OLD], NAMESPACE);
  expect(await opened(before, rotated)).toBe('x');
  await expect(opened(before)).rejects.toThrow('not in the ring');
  expect(await opened(await sealed('y', rotated))).toBe('y');
});

test('what operators send as plain JSON passes through', async () => {
  const plain = defaultPayloadConverter.toPayload({ by: 'ops' });
  expect(await codec.decode([plain])).toEqual([plain]);
});
