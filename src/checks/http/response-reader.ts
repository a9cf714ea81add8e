/**
 * Parses one HTTP/1 response from bytes as they arrive. Buffers at most one line and never reads past the response.
 * Throws StepFailure for anything that is not HTTP.
 */
import type { NamedValue } from '../../contracts/definition';
import type { Phase } from '../../contracts/outcome';
import { StepFailure } from '../step-failure';
import {
  buildHead,
  type Framing,
  findFraming,
  isContinuation,
  joinField,
  mayBecomeStatusLine,
  parseField,
  parseStatusLine,
  type ResponseHead,
  type StatusLine,
} from './response-head';

/** Limit for status lines, headers and trailers together, including interim responses. curl has the same limit. */
export const HEAD_BYTES_MAX = 300 * 1024;
export const HEAD_TOO_LARGE = `The headers are larger than ${HEAD_BYTES_MAX / 1024} KiB.`;
/**
 * Limits for the bytes of chunk framing: a fixed number plus a number per byte of the body. Even a chunk of one byte
 * needs five bytes of framing.
 */
const CHUNK_FRAMING_BYTES_MAX = 64 * 1024;
const FRAMING_PER_BODY_BYTE_MAX = 8;
/** This many bytes are enough to see that a line is not a status line. */
const START_BYTES = 8;
const LF = 0x0a;
const CR = 0x0d;
const CHUNK_SIZE = /^([0-9a-f]+)[ \t]*(?:;.*)?$/i;

export interface ResponseListener {
  /** Called once, when the headers of the final response have arrived. */
  readonly onHead: (head: ResponseHead) => void;
  /** Called for each chunk of the body. If it returns false, reading stops and the response counts as complete. */
  readonly onData: (piece: Buffer) => boolean;
}

export interface ResponseReader {
  /** Parses the next bytes. Returns true once the response is complete. */
  readonly push: (bytes: Buffer) => boolean;
  /** Called after the other side has closed. True means that the response is complete. */
  readonly end: () => boolean;
  readonly hasBytes: () => boolean;
  /** The head of the final response as far as it has arrived. null before the status line. */
  readonly head: () => ResponseHead | null;
  readonly phase: () => Phase;
}

type Part = 'status' | 'fields' | 'body' | 'chunkSize' | 'chunkEnd' | 'trailers' | 'complete';

function withoutLineEnd(line: Buffer): Buffer {
  return line.subarray(0, line.at(-2) === CR ? -2 : -1);
}

/** Assembles lines from chunks. Examines each byte only once, even if the chunks are very small. */
function createLines() {
  /** The pieces of the unfinished line. */
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  return {
    add: (bytes: Buffer) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    },
    /** Takes all available bytes, up to the maximum. */
    takeBytes: (bytesMax: number): Buffer => {
      const taken = rest.subarray(0, bytesMax);
      rest = rest.subarray(taken.length);
      return taken;
    },
    /** Takes the next line including its line end. Returns null until the line end has arrived. */
    takeLine: (): Buffer | null => {
      const end = rest.indexOf(LF);
      const piece = end === -1 ? rest : rest.subarray(0, end + 1);
      rest = rest.subarray(piece.length);
      waiting.push(piece);
      waitingBytes += piece.length;
      if (end === -1) return null;
      const line = waiting.length === 1 ? piece : Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
      return line;
    },
    /** The length of the unfinished line in bytes. */
    waitingBytes: () => waitingBytes,
    /** The first bytes of the unfinished line. */
    waitingStart: () =>
      Buffer.concat(waiting.filter(({ length }) => length > 0).slice(0, START_BYTES)),
    peek: () => rest,
  };
}

/** Reads the response to one request. */
class Reading implements ResponseReader {
  readonly #method: string;
  readonly #listener: ResponseListener;
  readonly #lines = createLines();
  #part: Part = 'status';
  #hasBytes = false;
  #statusLine: StatusLine | null = null;
  /** The header lines. Each one is stored together with the lines that continue it. */
  #fields: Buffer[][] = [];
  #framing: Framing = { kind: 'none' };
  /** How many bytes of the body, or of the current chunk, have not arrived yet. */
  #bytesLeft = 0;
  #headBytes = 0;
  #framingBytes = 0;
  #bodyBytes = 0;
  /** The head of the final response. null until the head is complete. */
  #head: ResponseHead | null = null;

  constructor(method: string, listener: ResponseListener) {
    this.#method = method;
    this.#listener = listener;
  }

  push(bytes: Buffer): boolean {
    this.#hasBytes ||= bytes.length > 0;
    this.#lines.add(bytes);
    while (this.#readOn());
    return this.#part === 'complete';
  }

  end(): boolean {
    const isBodyOver = this.#part === 'body' && this.#framing.kind === 'untilClose';
    return this.#part === 'complete' || isBodyOver;
  }

  hasBytes(): boolean {
    return this.#hasBytes;
  }

  phase(): Phase {
    return this.#head === null ? 'ttfb' : 'download';
  }

  head(): ResponseHead | null {
    return this.#head ?? this.#buildHead(this.#parseFields());
  }

  #buildHead(fields: readonly (NamedValue | null)[]): ResponseHead | null {
    if (this.#statusLine === null || this.#statusLine.status < 200) return null;
    const known = fields.filter((field) => field !== null);
    const named = known.filter(({ name }) => name !== '');
    return buildHead(this.#statusLine, named);
  }

  /** Reads the next part of the response. Returns false if more bytes are needed, or the response has ended. */
  #readOn(): boolean {
    switch (this.#part) {
      case 'status':
        return this.#readStatus();
      case 'fields':
        return this.#readField();
      case 'body':
        return this.#readBody();
      case 'chunkSize':
        return this.#readChunkSize();
      case 'chunkEnd':
        return this.#readChunkEnd();
      case 'trailers':
        return this.#readTrailer();
      case 'complete':
        return false;
    }
  }

  #invalid(message: string): StepFailure {
    return new StepFailure('invalid_response', message, this.phase());
  }

  /** Takes the next line without its line end. The bytes of an incomplete line count for the size limit, too. */
  #takeHeadLine(): Buffer | null {
    const line = this.#lines.takeLine();
    this.#headBytes += line?.length ?? 0;
    if (this.#headBytes + this.#lines.waitingBytes() > HEAD_BYTES_MAX) {
      throw this.#invalid(HEAD_TOO_LARGE);
    }
    return line === null ? null : withoutLineEnd(line);
  }

  #readStatus(): boolean {
    const line = this.#takeHeadLine();
    // Empty lines may precede the status line (RFC 9112 §2.2).
    if (line !== null && line.length === 0) return true;
    const start = line ?? this.#lines.waitingStart();
    if (line === null && start.length === 1 && start[0] === CR) return false;
    if (!mayBecomeStatusLine(start)) throw this.#invalid('The response is not valid HTTP.');
    if (line === null) return false;
    const parsed = parseStatusLine(line);
    if (parsed === null) throw this.#invalid('The response has no valid HTTP status line.');
    if (parsed.status === 101) throw this.#invalid('The response switches protocols unasked.');
    this.#statusLine = parsed;
    this.#part = 'fields';
    return true;
  }

  #parseFields(): readonly (NamedValue | null)[] {
    return this.#fields.map((parts) => parseField(joinField(parts)));
  }

  #readField(): boolean {
    const line = this.#takeHeadLine();
    if (line === null) return false;
    const last = this.#fields.at(-1);
    if (line.length === 0) this.#endHead();
    else if (last === undefined || !isContinuation(line)) this.#fields.push([line]);
    else last.push(line);
    return true;
  }

  #endHead(): void {
    const fields = this.#parseFields();
    const head = this.#buildHead(fields);
    if (head === null) {
      // This was an interim response, so the final response follows.
      this.#fields = [];
      this.#part = 'status';
      return;
    }
    const [[first] = []] = this.#fields;
    const isOrphaned = first !== undefined && isContinuation(first);
    if (isOrphaned || fields.includes(null)) {
      throw this.#invalid('A header line of the response is not valid.');
    }
    const framing = findFraming(head, this.#method);
    if ('problem' in framing) throw this.#invalid(framing.problem);
    this.#framing = framing;
    this.#head = head;
    this.#listener.onHead(head);
    this.#bytesLeft = framing.kind === 'sized' ? framing.bytes : Number.POSITIVE_INFINITY;
    if (framing.kind === 'none' || this.#bytesLeft === 0) this.#part = 'complete';
    else this.#part = framing.kind === 'chunked' ? 'chunkSize' : 'body';
  }

  #readBody(): boolean {
    const piece = this.#lines.takeBytes(this.#bytesLeft);
    if (piece.length === 0) return false;
    this.#bodyBytes += piece.length;
    this.#bytesLeft -= piece.length;
    if (!this.#listener.onData(piece)) this.#part = 'complete';
    else if (this.#bytesLeft === 0)
      this.#part = this.#framing.kind === 'chunked' ? 'chunkEnd' : 'complete';
    return true;
  }

  #readChunkSize(): boolean {
    const line = this.#lines.takeLine();
    this.#framingBytes += line?.length ?? 0;
    const most = CHUNK_FRAMING_BYTES_MAX + this.#bodyBytes * FRAMING_PER_BODY_BYTE_MAX;
    if (this.#framingBytes + this.#lines.waitingBytes() > most) {
      throw this.#invalid('The response is endless chunk framing.');
    }
    if (line === null) return false;
    const size = CHUNK_SIZE.exec(withoutLineEnd(line).toString('latin1'))?.[1];
    this.#bytesLeft = Number.parseInt(size ?? '', 16);
    if (!Number.isSafeInteger(this.#bytesLeft)) {
      throw this.#invalid('A chunk of the body has no valid size.');
    }
    this.#part = this.#bytesLeft === 0 ? 'trailers' : 'body';
    return true;
  }

  #readChunkEnd(): boolean {
    const [first, second] = this.#lines.peek();
    if (first === undefined || (first === CR && second === undefined)) return false;
    const bytes = first === CR ? 2 : 1;
    if ((bytes === 2 ? second : first) !== LF) {
      throw this.#invalid('A chunk of the body is longer than its size.');
    }
    this.#lines.takeBytes(bytes);
    this.#framingBytes += bytes;
    this.#part = 'chunkSize';
    return true;
  }

  #readTrailer(): boolean {
    const line = this.#takeHeadLine();
    if (line === null) return false;
    if (line.length === 0) this.#part = 'complete';
    return true;
  }
}

export function createResponseReader(method: string, listener: ResponseListener): ResponseReader {
  return new Reading(method, listener);
}
