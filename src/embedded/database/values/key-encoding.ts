// Encodes values as bytes in the order of compare.ts, so that LMDB sorts the values. No encoding is a prefix of another
// encoding, so several values can be joined.
import { Binary, Long, ObjectId } from 'bson';
import { getField, isArray, toNumber } from './bson-values';
import { RANK, rankType, readFields, toExactInteger } from './compare';

class ByteWriter {
  private buffer = Buffer.allocUnsafe(64);
  private length = 0;

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe((this.length + count) * 2);
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }

  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.length++] = value;
  }

  bytes(value: Uint8Array): void {
    this.reserve(value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  /** Writes the UTF-8 bytes and a final 00. The bytes 00 and 01 inside the text are escaped as 01 01 and 01 02. */
  text(value: string): void {
    this.reserve(value.length * 3 + 1);
    const end = this.length + this.buffer.write(value, this.length, 'utf8');
    if (needsEscape(value)) {
      this.escaped(Buffer.from(this.buffer.subarray(this.length, end)));
      return;
    }
    this.length = end;
    this.byte(0);
  }

  private escaped(value: Uint8Array): void {
    for (const unit of value) {
      this.byte(unit <= 1 ? 1 : unit);
      if (unit <= 1) this.byte(unit + 1);
    }
    this.byte(0);
  }

  /** Writes an IEEE double. Its bits are flipped so that the bytes sort like the numbers. */
  double(value: number): void {
    this.reserve(8);
    const at = this.length;
    if (Number.isNaN(value)) this.buffer.fill(0, at, at + 8);
    else writeOrderedDouble(this.buffer, at, value === 0 ? 0 : value);
    this.length += 8;
  }

  uint32(value: number): void {
    this.reserve(4);
    this.length = this.buffer.writeUInt32BE(value >>> 0, this.length);
  }

  finish(): Buffer {
    return Buffer.from(this.buffer.subarray(0, this.length));
  }
}

function needsEscape(text: string): boolean {
  return text.includes('\0') || text.includes('\x01');
}

function writeOrderedDouble(target: Buffer, at: number, value: number): void {
  target.writeDoubleBE(value, at);
  const first = target[at] ?? 0;
  if (first < 0x80) {
    target[at] = first | 0x80;
    return;
  }
  for (let i = at; i < at + 8; i++) target[i] = ~(target[i] ?? 0) & 0xff;
}

/** Returns the sortable bytes of one value. A missing value is encoded as null. */
export function encodeKey(value: unknown): Buffer {
  if (typeof value === 'string' && !needsEscape(value)) return encodeText(value);
  const writer = new ByteWriter();
  writeValue(writer, value);
  return writer.finish();
}

function encodeText(value: string): Buffer {
  const length = Buffer.byteLength(value);
  const bytes = Buffer.allocUnsafe(length + 2);
  bytes[0] = RANK.string;
  bytes.write(value, 1, length, 'utf8');
  bytes[length + 1] = 0;
  return bytes;
}

/** The key of an empty array. It sorts before null and equals nothing else. */
export const EMPTY_ARRAY_KEY = Buffer.from([RANK.emptyArray]);

/** Returns the key of a descending field. The complement of the bytes sorts in reverse. */
export function complement(bytes: Uint8Array): Buffer {
  const inverse = Buffer.allocUnsafe(bytes.length);
  for (let i = 0; i < bytes.length; i++) inverse[i] = ~(bytes[i] ?? 0) & 0xff;
  return inverse;
}

/** Returns the smallest key that is greater than all keys with the prefix. undefined if there is none. */
export function successor(prefix: Uint8Array): Buffer | undefined {
  const next = Buffer.from(prefix);
  for (let i = next.length - 1; i >= 0; i--) {
    const unit = next[i] ?? 0;
    if (unit === 0xff) continue;
    next[i] = unit + 1;
    return next.subarray(0, i + 1);
  }
  return undefined;
}

function writeValue(writer: ByteWriter, value: unknown): void {
  const rank = rankType(value);
  writer.byte(rank);
  switch (rank) {
    case RANK.number:
      writeNumber(writer, value);
      break;
    case RANK.string:
      writer.text(String(value));
      break;
    case RANK.object:
      writeFields(writer, value);
      break;
    case RANK.array:
      writeItems(writer, value);
      break;
    case RANK.boolean:
      writer.byte(value === true ? 1 : 0);
      break;
    default:
      writeOther(writer, value);
  }
}

function writeOther(writer: ByteWriter, value: unknown): void {
  if (value instanceof ObjectId) writer.bytes(value.id);
  else if (value instanceof Date) writeInstant(writer, Long.fromNumber(value.getTime()));
  else if (value instanceof Binary) {
    writer.uint32(value.position);
    writer.byte(value.sub_type);
    writer.bytes(value.value());
  }
}

function writeInstant(writer: ByteWriter, { high, low }: Long): void {
  writer.uint32(high ^ 0x80000000);
  writer.uint32(low);
}

// Writes a double. If a long is not exactly a double, writes the nearest smaller double, and then the difference. Near
// 2^63, the difference needs 11 bits.
function writeNumber(writer: ByteWriter, value: unknown): void {
  const rounded = toNumber(value) ?? 0;
  if (!Long.isLong(value) || Number.isSafeInteger(rounded)) {
    writer.double(rounded);
    writer.byte(0);
    writer.byte(0);
    return;
  }
  const exact = toExactInteger(value);
  const floor = BigInt(rounded) <= exact ? rounded : previousDouble(rounded);
  const above = Number(exact - BigInt(floor));
  writer.double(floor);
  writer.byte(above >> 8);
  writer.byte(above & 0xff);
}

function previousDouble(value: number): number {
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  bits.writeBigUInt64BE(bits.readBigUInt64BE() + (value > 0 ? -1n : 1n));
  return bits.readDoubleBE();
}

function writeFields(writer: ByteWriter, value: unknown): void {
  const fields = readFields(value);
  for (const name of Object.keys(fields)) {
    const item = getField(fields, name);
    writer.byte(rankType(item));
    writer.text(name);
    writeValue(writer, item);
  }
  writer.byte(0);
}

function writeItems(writer: ByteWriter, value: unknown): void {
  if (isArray(value)) for (const item of value) writeValue(writer, item);
  writer.byte(0);
}
