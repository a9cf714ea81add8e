/** A target on loopback that uses the HTTP/2 server of Node. Records requests and counts connections. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { certificate } from '../../support/misbehaving-target';
import { waitUntil } from '../../support/wait-until';

export interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Respond = (stream: ServerHttp2Stream, call: Call) => void;

export interface Http2Target {
  readonly port: number;
  /** The requests received so far, in order. */
  readonly calls: readonly Call[];
  /** Resolves when no connection is open. */
  readonly allClosed: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

interface SecureOptions extends SecureServerOptions {
  /** Responds to HTTP/1.1 requests. If it is missing, HTTP/1.1 is not allowed. */
  readonly http1?: RequestListener;
}

/**
 * Starts a target with TLS, by default with a certificate that the test authority has signed. If `secure` is null, it
 * uses clear text.
 */
export async function startHttp2Target(
  respond: Respond,
  secure: SecureOptions | null = {},
): Promise<Http2Target> {
  const calls: Call[] = [];
  const sockets = new Set<Socket>();
  const server =
    secure === null ? createServer() : createSecureServer({ ...certificate('good'), ...secure });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  const http1 = secure?.http1;
  // Node also calls this listener for HTTP/2 requests.
  if (http1 !== undefined)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.httpVersionMajor === 1) http1(request, response);
    });
  server.on('stream', (stream, headers) => {
    const pieces: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.once('end', () => {
      // Copies the headers without the symbol that Node adds for sensitive headers.
      const plain = Object.fromEntries(Object.entries(headers));
      const call = { headers: plain, body: Buffer.concat(pieces).toString() };
      calls.push(call);
      respond(stream, call);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    calls,
    allClosed: () => waitUntil('all connections are closed', () => sockets.size === 0),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Creates a responder that sends status 200 and a body. */
export function reply(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Respond {
  return (stream) => {
    stream.respond({ ':status': 200, ...headers });
    stream.end(body);
  };
}
