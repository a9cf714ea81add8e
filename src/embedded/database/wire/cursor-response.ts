// Builds the reply of a cursor from the stored bytes of its documents.
import type { Long } from 'bson';
import { encodeDocument } from '../values/bson-values';

const TYPE_DOCUMENT = 0x03;
const TYPE_ARRAY = 0x04;

export interface CursorBatch {
  readonly field: 'firstBatch' | 'nextBatch';
  /** Id of the cursor. 0 if this is the last batch. */
  readonly cursorId: Long;
  readonly namespace: string;
  readonly documents: readonly Buffer[];
}

/** Encodes `{cursor: {firstBatch: [...], id, ns}, ok: 1}`. */
export function encodeCursorResponse(batch: CursorBatch): Buffer {
  const array = encodeArray(batch.documents);
  const rest = cutFields(encodeDocument({ id: batch.cursorId, ns: batch.namespace }));
  const cursor = encodeFields([elementHead(TYPE_ARRAY, batch.field), array, rest]);
  const ok = cutFields(encodeDocument({ ok: 1 }));
  return encodeFields([elementHead(TYPE_DOCUMENT, 'cursor'), cursor, ok]);
}

function cutFields(document: Buffer): Buffer {
  return document.subarray(4, document.length - 1);
}

function encodeFields(fields: readonly Buffer[]): Buffer {
  const length = fields.reduce((sum, field) => sum + field.length, 5);
  const head = Buffer.allocUnsafe(4);
  head.writeInt32LE(length);
  return Buffer.concat([head, ...fields, Buffer.from([0])], length);
}

function elementHead(type: number, name: string): Buffer {
  return Buffer.concat([Buffer.from([type]), Buffer.from(name), Buffer.from([0])]);
}

function encodeArray(documents: readonly Buffer[]): Buffer {
  let length = 5;
  documents.forEach((document, position) => {
    length += document.length + String(position).length + 2;
  });
  const bytes = Buffer.allocUnsafe(length);
  let at = bytes.writeInt32LE(length, 0);
  documents.forEach((document, position) => {
    bytes[at++] = TYPE_DOCUMENT;
    at += bytes.write(String(position), at, 'latin1');
    bytes[at++] = 0;
    at += document.copy(bytes, at);
  });
  bytes[at] = 0;
  return bytes;
}
