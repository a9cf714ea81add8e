/** A well-behaved HTTP target on loopback that keeps what it was sent and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RecordingTarget {
  readonly origin: string;
  readonly port: number;
  readonly received: Received[];
  readonly close: () => Promise<void>;
}

export type Respond = (received: Received, response: ServerResponse) => void;

function isAddress(value: AddressInfo | string | null): value is AddressInfo {
  return value !== null && typeof value === 'object';
}

export async function startRecordingTarget(respond: Respond): Promise<RecordingTarget> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      respond(one, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (!isAddress(address)) throw new Error('not listening');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
