/** Reads the replies of a proxy. Bytes that follow a reply stay in the socket for the next reader. */
import type { Socket } from 'node:net';
import { StepFailure } from '../step-failure';

const REPLY_BYTES_MAX = 16 * 1024;

/** Returns the length of the first complete reply. null means that the reply is not complete yet. */
type FindEnd = (bytes: Buffer) => number | null;

export function createProxyFailure(name: string, problem: string): StepFailure {
  return new StepFailure('proxy_failed', `The proxy “${name}” ${problem}.`, 'connect');
}

/** Reads the next complete reply. Rejects with StepFailure if the proxy closes the connection or sends too much. */
export function readReply(socket: Socket, name: string, findEnd: FindEnd): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const stop = (): void => {
      // The next listener for data gets the remaining bytes.
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
    };
    const fail = (problem: string): void => {
      stop();
      reject(createProxyFailure(name, problem));
    };
    const onEnd = (): void => fail('has closed the connection');
    const onReadable = (): void => {
      const piece: unknown = socket.read();
      if (!Buffer.isBuffer(piece)) return;
      bytes = Buffer.concat([bytes, piece]);
      const end = findEnd(bytes);
      if (end === null && bytes.length > REPLY_BYTES_MAX) fail('does not end its reply');
      if (end === null || end > bytes.length) return;
      if (end < bytes.length) socket.unshift(bytes.subarray(end));
      stop();
      resolve(bytes.subarray(0, end));
    };
    socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
    if (socket.destroyed || socket.readableEnded) onEnd();
  });
}
