// Extracts single fields from a stored document without decoding the others.
import { DatabaseError } from '../errors';

/** Length in bytes of the fixed-size types, by BSON type number. */
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);
/**
 * Types whose values start with their length. Maps each type to the number of bytes that this length does not count.
 */
const MEASURED_BYTES: ReadonlyMap<number, number> = new Map([
  [0x02, 4],
  [0x03, 0],
  [0x04, 0],
  [0x05, 5],
  [0x0c, 16],
  [0x0d, 4],
  [0x0e, 4],
  [0x0f, 0],
]);
const REGEX = 0x0b;
const HEAD_BYTES = 4;

/** Names of top-level fields, in the form that pickFields compares. */
export type FieldNames = readonly Buffer[];

/** Prepares names once for many documents. */
export function fieldNames(names: Iterable<string>): FieldNames {
  return [...new Set(names)].map((name) => Buffer.from(name));
}

/** Returns the document with only these top-level fields, in their original order. */
export function pickFields(bytes: Buffer, names: FieldNames): Buffer {
  // The start and end of each field that was picked.
  const bounds: number[] = [];
  let total = HEAD_BYTES + 1;
  const end = bytes.readInt32LE(0) - 1;
  for (let at = HEAD_BYTES; at < end; ) {
    const nameEnd = endOfText(bytes, at + 1);
    const next = endOfValue(bytes, bytes[at] ?? 0, nameEnd + 1);
    if (isNamed(bytes, at + 1, nameEnd, names)) {
      bounds.push(at, next);
      total += next - at;
    }
    at = next;
  }
  return copyOut(bytes, bounds, total);
}

// True if the bytes are one of the names. Compares bytes, because converting them to strings would take most of the
// time.
function isNamed(bytes: Buffer, from: number, to: number, names: FieldNames): boolean {
  for (const name of names) if (name.length === to - from && isAt(bytes, from, name)) return true;
  return false;
}

function isAt(bytes: Buffer, from: number, name: Buffer): boolean {
  for (let at = 0; at < name.length; at += 1) if (bytes[from + at] !== name[at]) return false;
  return true;
}

function copyOut(bytes: Buffer, bounds: readonly number[], total: number): Buffer {
  const picked = Buffer.allocUnsafe(total);
  let to = picked.writeInt32LE(total, 0);
  for (let at = 0; at < bounds.length; at += 2)
    to += bytes.copy(picked, to, bounds[at], bounds[at + 1]);
  picked[to] = 0;
  return picked;
}

function endOfText(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1;
  return at;
}

function endOfValue(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED_BYTES.get(type);
  if (fixed !== undefined) return at + fixed;
  if (type === REGEX) return endOfText(bytes, endOfText(bytes, at) + 1) + 1;
  const width = MEASURED_BYTES.get(type);
  if (width === undefined) throw new DatabaseError(22, `Unknown BSON type ${type}`);
  return at + width + bytes.readInt32LE(at);
}
