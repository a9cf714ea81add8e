/** The HTTP server around the application: limits for slow clients, and an orderly shutdown. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuseConnection, refuseExpectation } from './wire-problems';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How long open requests may continue after the server starts to close. */
const DRAIN_MS = 10_000;

export interface HttpServer {
  readonly server: Server;
  /** From this call on, requests go to the given listener. */
  readonly use: (listener: RequestListener) => void;
  /** Resolves once the port is open. */
  readonly listen: (address: { readonly host: string; readonly port: number }) => Promise<void>;
  /** Accepts no new connections, waits for open requests, then closes the remaining connections. */
  readonly close: () => Promise<void>;
}

export function createHttpServer(first: RequestListener): HttpServer {
  let current = first;
  const server = createServer((request, response) => current(request, response));
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.on('clientError', refuseConnection);
  server.on('checkExpectation', refuseExpectation);
  const connections = trackConnections(server);

  return {
    server,
    use: (listener) => {
      current = listener;
    },
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        connections.closeIdle();
      }),
  };
}

/**
 * Tracks which connections have a request in progress. Node's closeIdleConnections misses connections that never sent a
 * request.
 */
function trackConnections(server: Server): { readonly closeIdle: () => void } {
  const open = new Set<Socket>();
  const busy = new Set<Socket>();
  let isEnding = false;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    busy.add(socket);
    response.once('close', () => {
      busy.delete(socket);
      if (isEnding) socket.end();
    });
  });
  return {
    closeIdle: () => {
      isEnding = true;
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    },
  };
}
