/**
 * Encodes and decodes the messages of gRPC's health service. Pure. Needs no library, because there are only two
 * messages with one field each.
 */

/** The values of `HealthCheckResponse.ServingStatus`, by number. */
const SERVING_STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const;

/** The gRPC status codes, by number. */
const GRPC_STATUSES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

const HEAD_BYTES = 5;

/** Encodes a request with the gRPC prefix: a flag for “not compressed”, and the length. */
export function frameRequest(service: string): Buffer {
  const name = Buffer.from(service);
  const message =
    name.length === 0
      ? Buffer.alloc(0)
      : Buffer.concat([Buffer.from([0x0a]), writeVarint(name.length), name]);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function writeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Reads the status in a response with a single message. null if it is not a response of the health service. */
export function readServingStatus(bytes: Buffer): string | null {
  if (bytes.length < HEAD_BYTES || bytes[0] !== 0) return null;
  const message = bytes.subarray(HEAD_BYTES);
  if (bytes.readUInt32BE(1) !== message.length) return null;
  const status = readStatusField(message);
  return status === null ? null : (SERVING_STATUSES[status] ?? String(status));
}

interface Read {
  readonly value: number;
  readonly end: number;
}

const VARINT_BYTES_MAX = 10;

/**
 * Reads a number of variable length. null means that the number has no end. For numbers larger than any status, only
 * `end` is exact.
 */
function readVarint(bytes: Buffer, at: number): Read | null {
  let value = 0;
  for (let index = 0; index < VARINT_BYTES_MAX; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return null;
}

/** Reads the last occurrence of field 1, as protobuf requires. 0 if there is none. null if the bytes are invalid. */
function readStatusField(message: Buffer): number | null {
  let status = 0;
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at);
    if (tag === null) return null;
    const field = readField(message, tag);
    if (field === null || field.end > message.length) return null;
    if (tag.value === 0x08) status = field.value;
    at = field.end;
  }
  return status;
}

/** Returns the end of the field, and its value if it is a varint. null if the field is invalid. */
function readField(message: Buffer, { value: tag, end }: Read): Read | null {
  // A tag below 8 is invalid, because field numbers start at 1.
  if (tag < 8) return null;
  switch (tag % 8) {
    case 0:
      return readVarint(message, end);
    case 1:
      return { value: 0, end: end + 8 };
    case 2: {
      const length = readVarint(message, end);
      return length === null ? null : { value: 0, end: length.end + length.value };
    }
    case 5:
      return { value: 0, end: end + 4 };
    default:
      return null;
  }
}

/** Formats a status, for example `UNAVAILABLE (14)`. */
export function describeGrpcStatus(status: number): string {
  const name = GRPC_STATUSES[status];
  return name === undefined ? String(status) : `${name} (${status})`;
}

/** Decodes a percent-encoded message. Returns the encoded text if it cannot be decoded. */
export function readGrpcMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
