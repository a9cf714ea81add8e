// The frames of MongoDB's wire protocol: OP_MSG, and OP_QUERY for the first hello of old drivers. Throws for a
// malformed frame.
import { DatabaseError } from '../errors';
import {
  type BsonDocument,
  decodeDocument,
  MESSAGE_DOCUMENT_BYTES_MAX,
} from '../values/bson-values';

/** The largest frame that is accepted. */
export const MESSAGE_BYTES_MAX = 48_000_000;

/** Thrown for an invalid message, after which the connection cannot continue. */
class FrameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FrameError';
  }
}

/** A command as a client sent it. */
export interface Request {
  readonly requestId: number;
  readonly form: 'msg' | 'query';
  /** The command itself, including `$db`. */
  readonly body: BsonDocument;
  /** The document sequences of the message, as undecoded bytes. */
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
  /** True if the client does not expect a reply. */
  readonly silent: boolean;
}

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const REQUIRED_FLAGS_KNOWN = 0b11;

/**
 * Returns the length of the next frame. undefined until its first four bytes have arrived. Throws if the length is
 * invalid.
 */
export function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readInt32LE(0);
  if (length < HEADER_BYTES || length > MESSAGE_BYTES_MAX) {
    throw new FrameError(`a frame of ${length} bytes`);
  }
  return length;
}

export function readFrame(frame: Buffer): Request {
  const requestId = frame.readInt32LE(4);
  const operation = frame.readInt32LE(12);
  if (operation === OP_MSG) return readMessage(requestId, frame);
  if (operation === OP_QUERY) return readQuery(requestId, frame);
  throw new FrameError(`operation ${operation}`);
}

function readMessage(requestId: number, frame: Buffer): Request {
  if (frame.length < HEADER_BYTES + 5) throw new FrameError('a message without a body');
  const flags = frame.readUInt32LE(HEADER_BYTES);
  if ((flags & 0xffff & ~REQUIRED_FLAGS_KNOWN) !== 0) throw new FrameError('unknown flags');
  const end = frame.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4);
  const sequences = new Map<string, readonly Buffer[]>();
  let body: BsonDocument | undefined;
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = frame[at];
    if (kind === 0) {
      const bytes = readDocumentBytes(frame, at + 1, end);
      if (body) throw new FrameError('two bodies');
      body = decodeDocument(bytes);
      at += 1 + bytes.length;
    } else if (kind === 1) {
      at = readSequence(frame, at + 1, { end, sequences });
    } else throw new FrameError(`section kind ${kind}`);
  }
  if (!body) throw new FrameError('a message without a body');
  return { requestId, form: 'msg', body, sequences, silent: (flags & MORE_TO_COME) !== 0 };
}

function readDocumentBytes(frame: Buffer, at: number, end: number): Buffer {
  const length = at + 4 <= end ? frame.readInt32LE(at) : 0;
  if (length < 5 || at + length > end) throw new FrameError('a document past its frame');
  if (length > MESSAGE_DOCUMENT_BYTES_MAX) {
    throw new DatabaseError(
      10334,
      `BSONObj size: ${length} is invalid. Size must be between 0 and ${MESSAGE_DOCUMENT_BYTES_MAX}`,
    );
  }
  return frame.subarray(at, at + length);
}

interface SequenceTarget {
  readonly end: number;
  readonly sequences: Map<string, readonly Buffer[]>;
}

function readSequence(frame: Buffer, at: number, target: SequenceTarget): number {
  const length = at + 4 <= target.end ? frame.readInt32LE(at) : 0;
  const end = at + length;
  if (length < 5 || end > target.end) throw new FrameError('a sequence past its frame');
  const nameEnd = frame.indexOf(0, at + 4);
  if (nameEnd < 0 || nameEnd >= end) throw new FrameError('a sequence without a name');
  const name = frame.toString('utf8', at + 4, nameEnd);
  if (target.sequences.has(name)) throw new FrameError('a sequence named twice');
  const documents: Buffer[] = [];
  for (let next = nameEnd + 1; next < end; ) {
    const bytes = readDocumentBytes(frame, next, end);
    documents.push(bytes);
    next += bytes.length;
  }
  target.sequences.set(name, documents);
  return end;
}

function readQuery(requestId: number, frame: Buffer): Request {
  const nameEnd = frame.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd < 0 || nameEnd + 9 > frame.length)
    throw new FrameError('a query without a collection');
  const name = frame.toString('utf8', HEADER_BYTES + 4, nameEnd);
  const bytes = readDocumentBytes(frame, nameEnd + 9, frame.length);
  const body = decodeDocument(bytes);
  const database = name.split('.')[0] ?? 'admin';
  return {
    requestId,
    form: 'query',
    body: { ...body, $db: database },
    sequences: new Map(),
    silent: false,
  };
}

/** Builds the reply frame. The reply has the same form as the request. */
export function writeResponse(request: Request, responseId: number, response: Buffer): Buffer {
  return request.form === 'msg'
    ? writeMessage(request.requestId, responseId, response)
    : writeReply(request.requestId, responseId, response);
}

function writeMessage(requestId: number, responseId: number, response: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + 5 + response.length);
  writeHeader(frame, [frame.length, responseId, requestId, OP_MSG]);
  frame.writeUInt32LE(0, HEADER_BYTES);
  frame[HEADER_BYTES + 4] = 0;
  response.copy(frame, HEADER_BYTES + 5);
  return frame;
}

function writeReply(requestId: number, responseId: number, response: Buffer): Buffer {
  const frame = Buffer.alloc(HEADER_BYTES + 20 + response.length);
  writeHeader(frame, [frame.length, responseId, requestId, OP_REPLY]);
  frame.writeInt32LE(8, HEADER_BYTES);
  frame.writeInt32LE(1, HEADER_BYTES + 16);
  response.copy(frame, HEADER_BYTES + 20);
  return frame;
}

function writeHeader(frame: Buffer, fields: readonly number[]): void {
  fields.forEach((field, position) => {
    frame.writeInt32LE(field, position * 4);
  });
}
