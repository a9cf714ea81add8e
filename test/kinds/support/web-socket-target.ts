/** Builds WebSocket frames and upgrades by hand, so that a target can send what no library would send. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Play } from '../../support/misbehaving-target';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

interface Upgrade {
  readonly accept?: string;
  /** Additional header lines. */
  readonly lines?: readonly string[];
}

/** Accepts the upgrade and then calls `act`. `head` is the request of the check. */
export function upgradeThen(
  act: (socket: Socket, head: string) => void,
  { accept, lines = [] }: Upgrade = {},
): Play {
  return (socket) => {
    let head = '';
    const onData = (piece: Buffer): void => {
      head += piece.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(head) ?? [];
      const digest = createHash('sha1').update(`${key}${MAGIC}`).digest('base64');
      const response = [
        'HTTP/1.1 101 Switching Protocols',
        'Upgrade: websocket',
        'Connection: Upgrade',
        `Sec-WebSocket-Accept: ${accept ?? digest}`,
        ...lines,
      ];
      socket.write(`${response.join('\r\n')}\r\n\r\n`);
      act(socket, head);
    };
    socket.on('data', onData);
  };
}

export const OPCODES = { more: 0, text: 1, binary: 2, close: 8, ping: 9 } as const;

interface FrameOptions {
  readonly isLast?: boolean;
  /** True sets the RSV1 bit, as in a compressed message. */
  readonly hasRsv1?: boolean;
}

/** Builds a frame as servers send it, without a mask. */
export function frame(
  opcode: number,
  content: string | Buffer,
  { isLast = true, hasRsv1 = false }: FrameOptions = {},
): Buffer {
  const payload = Buffer.from(content);
  const first = (isLast ? 0x80 : 0) | (hasRsv1 ? 0x40 : 0) | opcode;
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, payload.length]), payload]);
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

export function closeFrame(code: number, reason = ''): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return frame(OPCODES.close, Buffer.concat([head, Buffer.from(reason)]));
}
