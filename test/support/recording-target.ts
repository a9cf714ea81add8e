/** A well-behaved HTTP target on loopback. It records requests and responds as the test decides. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { startLoopbackServer } from './loopback-server';

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

export async function startRecordingTarget(respond: Respond): Promise<RecordingTarget> {
  const received: Received[] = [];
  const server = await startLoopbackServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      respond(one, response);
    });
  });
  const { url: origin, port, close } = server;
  return { origin, port, received, close };
}
