/** Builds frames of HTTP/2, byte by byte (RFC 9113 §4.1), for servers that break the rules. */
import type { Socket } from 'node:net';
import type { Play } from '../../support/misbehaving-target';

export const TYPES = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
  altsvc: 10,
  origin: 12,
  unknown: 99,
} as const;

export const END_STREAM = 1;
export const END_HEADERS = 4;
const HEADER_BYTES = 9;
const PREFACE_BYTES = 24;

interface FrameOptions {
  readonly flags?: number;
  /** Id of the stream. The default 0 is the whole connection. */
  readonly stream?: number;
}

export function frame(
  type: keyof typeof TYPES,
  payload: Buffer | string = '',
  { flags = 0, stream = 0 }: FrameOptions = {},
): Buffer {
  const content = Buffer.from(payload);
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUIntBE(content.length, 0, 3);
  head.writeUInt8(TYPES[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, content]);
}

export const SETTINGS = frame('settings');

/** Entry 8 of the static table: `:status: 200`. */
export const STATUS_200 = Buffer.from([0x88]);

/** Encodes a header that is not added to the dynamic table (RFC 7541 §6.2.2). */
export function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/** Encodes a header that is added to the dynamic table and then repeated `times` times (RFC 7541 §6.2.1 and §6.1). */
export function repeated(name: string, value: string, times: number): Buffer {
  return Buffer.concat([Buffer.from([0x40]), text(name), text(value), Buffer.alloc(times, 0xbe)]);
}

function text(value: string): Buffer {
  return Buffer.concat([writeInteger(value.length), Buffer.from(value, 'latin1')]);
}

/** Encodes an integer with a prefix of seven bits (RFC 7541 §5.1). */
function writeInteger(value: number): Buffer {
  const bytes: number[] = [];
  if (value < 127) return Buffer.from([value]);
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([127, ...bytes, rest]);
}

/** Builds the frame with the headers of the response. */
export function head(block: Buffer = STATUS_200, flags = END_HEADERS): Buffer {
  return frame('headers', block, { flags, stream: 1 });
}

export function body(content: Buffer | string, flags = END_STREAM): Buffer {
  return frame('data', content, { flags, stream: 1 });
}

export function reset(code: number): Buffer {
  return frame('reset', Buffer.from([0, 0, 0, code]), { stream: 1 });
}

export function goaway(code: number, lastStream = 0): Buffer {
  return frame('goaway', Buffer.from([0, 0, 0, lastStream, 0, 0, 0, code]));
}

/** Runs `play` after the headers of a request have arrived. */
export function onRequest(play: Play): Play {
  return (socket, port) => {
    let received = Buffer.alloc(0);
    const take = (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      if (!hasRequest(received)) return;
      socket.off('data', take);
      socket.resume();
      play(socket, port);
    };
    socket.on('data', take);
  };
}

function hasRequest(received: Buffer): boolean {
  let at = PREFACE_BYTES;
  while (at + HEADER_BYTES <= received.length) {
    if (received.readUInt8(at + 3) === TYPES.headers) return true;
    at += HEADER_BYTES + received.readUIntBE(at, 3);
  }
  return false;
}

/** Sends `start`, and then a new piece repeatedly until the connection is closed. */
export function flood(start: Buffer, create: () => Buffer): Play {
  return (socket: Socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(create()));
    };
    socket.write(start);
    socket.on('drain', more);
    more();
  };
}
