/**
 * Encrypts everything that workflows, activities and people hand to the Temporal server. What was
 * not encrypted by us passes through, so that operators' plain JSON is understood.
 *
 * Sealed is the whole payload, its metadata included. Beside it stands the id of the key, bound
 * with the namespace; no workflow id, since the server's UI asks for payloads without saying whose
 * they are.
 */
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { createSealer, type Sealer } from '../platform/sealing';

const PURPOSE = 'workflow-payload';
export const ENCRYPTED_ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

const PayloadMessage = temporal.api.common.v1.Payload;

/** Writes with the first key of the ring and reads with all; throws for what was altered. */
export function createPayloadCodec(secretKeys: readonly string[], namespace: string): PayloadCodec {
  const sealer = createSealer(secretKeys, PURPOSE);
  const metadata = {
    encoding: Buffer.from(ENCRYPTED_ENCODING),
    [KEY_ID]: Buffer.from(sealer.keyId),
  };
  const encode = (payload: Payload): Payload => {
    const plain = Buffer.from(PayloadMessage.encode(payload).finish());
    return { metadata, data: sealer.seal(plain, contextOf(namespace, sealer.keyId)) };
  };
  return {
    encode: async (payloads) => payloads.map(encode),
    decode: async (payloads) => payloads.map((payload) => open(payload, { sealer, namespace })),
  };
}

interface Opener {
  readonly sealer: Sealer;
  readonly namespace: string;
}

function open(payload: Payload, { sealer, namespace }: Opener): Payload {
  if (textOf(payload.metadata?.['encoding']) !== ENCRYPTED_ENCODING) return payload;
  const keyId = textOf(payload.metadata?.[KEY_ID]);
  const sealed = Buffer.from(payload.data ?? []);
  return PayloadMessage.decode(sealer.open(sealed, contextOf(namespace, keyId)));
}

function contextOf(namespace: string, keyId: string): string {
  return `${namespace}\n${keyId}`;
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}
