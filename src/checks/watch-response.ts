/**
 * Watches what undici reads from a socket: whether bytes came, the version that they name, and that
 * they are not all framing and no content. It takes `100 Continue` out, which undici takes for an
 * error although a server may send it to anyone (RFC 9110 §15.2).
 */
import type { Socket } from 'node:net';

const CONTINUE_STARTS = ['HTTP/1.1 100', 'HTTP/1.0 100'];
const CONTINUE_BYTES_MAX = 16 * 1024;
/** Status lines, headers, interim responses, chunk sizes: a body of one-byte chunks needs five times its length. */
const FRAMING_BYTES_MAX = 64 * 1024;
const FRAMING_PER_BODY_BYTE_MAX = 8;

export interface ResponseReading {
  readonly hasBytes: () => boolean;
  /** Of the final response as far as it has been read; 1.1 until then. */
  readonly httpVersion: () => string;
}

interface ResponseWatch {
  /** How much of what was read has turned out to be body. */
  readonly bodyBytes: () => number;
  /** There is far more framing than content; nothing more is read. */
  readonly onExcess: () => void;
}

interface Scan {
  readonly bytes: Buffer;
  /** False while more bytes must come before it can be told what these are. */
  readonly isDecided: boolean;
}

/** The bytes behind any complete `100 Continue` at their beginning. */
function dropContinues(all: Buffer): Scan {
  let bytes = all;
  for (;;) {
    const start = bytes.toString('latin1', 0, 12);
    if (!CONTINUE_STARTS.some((known) => known.startsWith(start))) {
      return { bytes, isDecided: true };
    }
    const end = start.length < 12 ? -1 : bytes.indexOf('\r\n\r\n');
    if (end === -1) return { bytes, isDecided: bytes.length > CONTINUE_BYTES_MAX };
    bytes = bytes.subarray(end + 4);
  }
}

/** Must be called before undici gets the socket; it changes how that socket is read. */
export function watchResponse(
  socket: Socket,
  { bodyBytes, onExcess }: ResponseWatch,
): ResponseReading {
  const read = socket.read.bind(socket);
  let held: Buffer | undefined = Buffer.alloc(0);
  let wireBytes = 0;
  let httpVersion = '1.1';

  function isExcessive(): boolean {
    const body = bodyBytes();
    return wireBytes - body > FRAMING_BYTES_MAX + body * FRAMING_PER_BODY_BYTE_MAX;
  }

  function readOn(): Buffer | null {
    const chunk: unknown = read();
    if (!Buffer.isBuffer(chunk)) return null;
    if (isExcessive()) {
      onExcess();
      return null;
    }
    wireBytes += chunk.length;
    return chunk;
  }

  function readFirst(before: Buffer): Buffer | null {
    let pending = before;
    for (let chunk = readOn(); chunk !== null; chunk = readOn()) {
      const { bytes, isDecided } = dropContinues(Buffer.concat([pending, chunk]));
      if (!isDecided) {
        pending = Buffer.from(bytes);
        held = pending;
        continue;
      }
      held = undefined;
      httpVersion = /^HTTP\/(\d\.\d)/.exec(bytes.toString('latin1', 0, 8))?.[1] ?? httpVersion;
      return bytes;
    }
    return null;
  }

  socket.read = (): unknown => (held === undefined ? readOn() : readFirst(held));
  return { hasBytes: () => wireBytes > 0, httpVersion: () => httpVersion };
}
