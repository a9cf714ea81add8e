// A connection that sends POST requests without waiting for earlier responses. It uses as little CPU as possible in
// Node, because a benchmark on the same machine must not use the CPU that it measures.
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

export interface PipelinedPosts {
  /** Resolves with the status of the response. 0 means that the connection ended before the response. */
  readonly post: (path: string) => Promise<number>;
  readonly close: () => void;
}

export async function openPipelinedPosts({ hostname, port, host }: URL): Promise<PipelinedPosts> {
  const waiting: ((status: number) => void)[] = [];
  const socket = await connected(hostname, Number(port));
  let unread = '';
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    unread += chunk;
    for (;;) {
      const length = responseLength(unread);
      if (length === null || unread.length < length) return;
      waiting.shift()?.(Number(unread.slice(9, 12)));
      unread = unread.slice(length);
    }
  });
  const giveUp = (): void => {
    for (const resolve of waiting.splice(0)) resolve(0);
  };
  socket.on('error', giveUp).on('close', giveUp);
  return {
    post: (path) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`);
      }),
    close: () => socket.destroy(),
  };
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/**
 * Returns the length of the first response. null until its head is complete. Every response of the service states its
 * length.
 */
function responseLength(text: string): number | null {
  const end = text.indexOf(END_OF_HEAD);
  if (end < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1];
  return end + END_OF_HEAD.length + Number(length ?? 0);
}
