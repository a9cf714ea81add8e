/** Takes the pings of jobs as a test says, and keeps them in the order in which they came. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentPing {
  /** Like `POST /ping/token/start`. */
  readonly line: string;
  readonly runId: string | null;
  readonly onceKey: string | undefined;
  readonly text: string;
}

export interface JobReceiver {
  readonly url: string;
  readonly pings: SentPing[];
  readonly close: () => Promise<void>;
}

export function takes(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('OK\n');
}

/** Answers as `handle` does, which may never answer. */
export async function startJobReceiver(
  handle: (response: ServerResponse, ping: SentPing) => void = takes,
): Promise<JobReceiver> {
  const pings: SentPing[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://receiver');
      const text = Buffer.concat(parts).toString();
      const line = `${request.method} ${pathname}`;
      const onceKey = request.headers['idempotency-key']?.toString();
      const ping = { line, runId: searchParams.get('rid'), onceKey, text };
      pings.push(ping);
      handle(response, ping);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pings,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
