/**
 * Reads one HTTP/1 response from bytes that are pushed in as they come. It holds no more than one line
 * of them, never looks behind the end of the response, and throws StepFailure for what is not HTTP.
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

/** Status lines, headers and trailers together, interim responses included; curl's bound, too. */
const HEAD_BYTES_MAX = 300 * 1024;
/** A body of one-byte chunks needs five times its length. */
const CHUNK_FRAMING_BYTES_MAX = 64 * 1024;
const FRAMING_PER_BODY_BYTE_MAX = 8;
/** Enough of a line to see that it is no status line. */
const START_BYTES = 8;
const LF = 0x0a;
const CR = 0x0d;
const CHUNK_SIZE = /^([0-9a-f]+)[ \t]*(?:;.*)?$/i;

export interface ResponseListener {
  /** Once, when the headers of the final response are there. */
  readonly onHead: (head: ResponseHead) => void;
  /** For each piece of the body; false: enough of it has come, and the response counts as complete. */
  readonly onData: (piece: Buffer) => boolean;
}

export interface ResponseReader {
  /** Takes the next bytes; true once the response is complete. */
  readonly push: (bytes: Buffer) => boolean;
  /** The other side has said all that it will: true when the response is complete with that. */
  readonly end: () => boolean;
  readonly hasBytes: () => boolean;
  /** What is known of the final response, also when its headers break off; null: no status line yet. */
  readonly head: () => ResponseHead | null;
  readonly phase: () => Phase;
}

type Part = 'status' | 'fields' | 'body' | 'chunkSize' | 'chunkEnd' | 'trailers' | 'complete';

function withoutCarriageReturn(line: Buffer): Buffer {
  return line.at(-1) === CR ? line.subarray(0, -1) : line;
}

/** Lines out of pieces; each byte is looked at once, however small the pieces are. */
function createLines() {
  /** Without a line end. */
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  return {
    add: (bytes: Buffer) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    },
    /** All that is there, and at most so much. */
    takeBytes: (bytesMax: number): Buffer => {
      const taken = rest.subarray(0, bytesMax);
      rest = rest.subarray(taken.length);
      return taken;
    },
    /** With its line end, or null while that is not there. */
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
    /** Of a line whose end is not there. */
    waitingBytes: () => waitingBytes,
    /** Its first bytes. */
    waitingStart: () =>
      Buffer.concat(waiting.filter(({ length }) => length > 0).slice(0, START_BYTES)),
    peek: () => rest,
  };
}

/** A reader of the response to one request of this method. */
export function createResponseReader(method: string, listener: ResponseListener): ResponseReader {
  const lines = createLines();
  let part: Part = 'status';
  let hasBytes = false;
  let statusLine: StatusLine | null = null;
  /** Each with the lines that continue it. */
  let fields: Buffer[][] = [];
  let framing: Framing = { kind: 'none' };
  /** Of the body or of the chunk. */
  let bytesLeft = 0;
  let headBytes = 0;
  let framingBytes = 0;
  let bodyBytes = 0;
  let isHeadThere = false;

  const phase = (): Phase => (isHeadThere ? 'download' : 'ttfb');

  function invalid(message: string): StepFailure {
    return new StepFailure('invalid_response', message, phase());
  }

  /** Bytes that wait for their line end count, too: a line may be endless. */
  function countHead(line: Buffer | null): void {
    headBytes += line?.length ?? 0;
    if (headBytes + lines.waitingBytes() > HEAD_BYTES_MAX) {
      throw invalid(`The headers are larger than ${HEAD_BYTES_MAX / 1024} KiB.`);
    }
  }

  function countFraming(line: Buffer | null): void {
    framingBytes += line?.length ?? 0;
    const most = CHUNK_FRAMING_BYTES_MAX + bodyBytes * FRAMING_PER_BODY_BYTE_MAX;
    if (framingBytes + lines.waitingBytes() > most)
      throw invalid('The response is endless chunk framing.');
  }

  function takeHeadLine(): Buffer | null {
    const line = lines.takeLine();
    countHead(line);
    return line === null ? null : withoutCarriageReturn(line.subarray(0, -1));
  }

  function readStatus(): boolean {
    const line = takeHeadLine();
    // Empty lines may stand in front (RFC 9112 §2.2).
    if (line !== null && line.length === 0) return true;
    const start = line ?? lines.waitingStart();
    if (line === null && start.length === 1 && start[0] === CR) return false;
    if (!mayBecomeStatusLine(start)) throw invalid('The response is not valid HTTP.');
    if (line === null) return false;
    statusLine = parseStatusLine(line);
    if (statusLine === null) throw invalid('The response has no valid HTTP status line.');
    if (statusLine.status === 101) throw invalid('The response switches protocols unasked.');
    part = 'fields';
    return true;
  }

  function addField(line: Buffer): void {
    const last = fields.at(-1);
    if (!isContinuation(line)) fields.push([line]);
    else if (last === undefined) throw invalid('The first header line begins with a blank.');
    else last.push(line);
  }

  function parsedFields(): readonly (NamedValue | null)[] {
    return fields.map((parts) => parseField(joinField(parts)));
  }

  function readField(): boolean {
    const line = takeHeadLine();
    if (line === null) return false;
    if (line.length > 0) addField(line);
    else endHead();
    return true;
  }

  function endHead(): void {
    if (statusLine !== null && statusLine.status < 200) {
      fields = [];
      statusLine = null;
      part = 'status';
      return;
    }
    if (parsedFields().includes(null)) throw invalid('A header line of the response is not valid.');
    const head = knownHead();
    if (head === null) throw new RangeError('headers without a status line');
    const found = findFraming(head, method);
    if ('problem' in found) throw invalid(found.problem);
    framing = found;
    isHeadThere = true;
    listener.onHead(head);
    bytesLeft = framing.kind === 'sized' ? framing.bytes : Number.POSITIVE_INFINITY;
    if (framing.kind === 'none' || bytesLeft === 0) part = 'complete';
    else part = framing.kind === 'chunked' ? 'chunkSize' : 'body';
  }

  function knownHead(): ResponseHead | null {
    if (statusLine === null || statusLine.status < 200) return null;
    const known = parsedFields().filter((field) => field !== null && field.name !== '');
    return buildHead(
      statusLine,
      known.filter((field) => field !== null),
    );
  }

  function readBody(): boolean {
    const piece = lines.takeBytes(bytesLeft);
    if (piece.length === 0) return false;
    bodyBytes += piece.length;
    bytesLeft -= piece.length;
    if (!listener.onData(piece)) part = 'complete';
    else if (bytesLeft === 0) part = framing.kind === 'chunked' ? 'chunkEnd' : 'complete';
    return true;
  }

  function readChunkSize(): boolean {
    const line = lines.takeLine();
    countFraming(line);
    if (line === null) return false;
    const text = withoutCarriageReturn(line.subarray(0, -1)).toString('latin1');
    bytesLeft = Number.parseInt(CHUNK_SIZE.exec(text)?.[1] ?? '', 16);
    if (!Number.isSafeInteger(bytesLeft)) throw invalid('A chunk of the body has no valid size.');
    part = bytesLeft === 0 ? 'trailers' : 'body';
    return true;
  }

  function readChunkEnd(): boolean {
    const [first, second] = lines.peek();
    if (first === undefined || (first === CR && second === undefined)) return false;
    const bytes = first === CR ? 2 : 1;
    if ((bytes === 2 ? second : first) !== LF) {
      throw invalid('A chunk of the body is longer than its size.');
    }
    lines.takeBytes(bytes);
    framingBytes += bytes;
    part = 'chunkSize';
    return true;
  }

  function readTrailer(): boolean {
    const line = takeHeadLine();
    if (line === null) return false;
    if (line.length === 0) part = 'complete';
    return true;
  }

  const READ: Readonly<Record<Part, () => boolean>> = {
    status: readStatus,
    fields: readField,
    body: readBody,
    chunkSize: readChunkSize,
    chunkEnd: readChunkEnd,
    trailers: readTrailer,
    complete: () => false,
  };

  return {
    push: (bytes) => {
      hasBytes ||= bytes.length > 0;
      lines.add(bytes);
      while (READ[part]());
      return part === 'complete';
    },
    end: () => part === 'complete' || (part === 'body' && framing.kind === 'untilClose'),
    hasBytes: () => hasBytes,
    head: knownHead,
    phase,
  };
}
