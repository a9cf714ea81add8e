/** Reads payloads for the Temporal UI. A payload is decrypted if one of our keys encrypted it. */
import type { RegionKeyrings } from '../platform/region-keyrings';
import { createPayloadCodec } from './payload-codec';

/** A payload in JSON, with its bytes in base64. */
interface WirePayload {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly data?: string | undefined;
}

type PayloadReader = (payloads: readonly WirePayload[]) => Promise<WirePayload[]>;

/** Creates the reader. The reader returns a payload unchanged if it cannot decrypt it. */
export function createPayloadReader(
  secretKeys: readonly string[],
  namespace: string,
  keyrings?: RegionKeyrings,
): PayloadReader {
  const codec = createPayloadCodec(secretKeys, namespace, keyrings);

  async function read({ metadata = {}, data = '' }: WirePayload): Promise<WirePayload> {
    const payload = {
      metadata: mapValues(metadata, (text) => Buffer.from(text, 'base64')),
      data: Buffer.from(data, 'base64'),
    };
    const [opened = payload] = await codec.decode([payload]).catch(() => []);
    return {
      metadata: mapValues(opened.metadata ?? {}, toBase64),
      data: toBase64(opened.data ?? new Uint8Array()),
    };
  }

  return (payloads) => Promise.all(payloads.map(read));
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
