/** Creates the HTTP server around the application. It limits slow clients, and shuts down in an orderly way. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeQueued } from './once-closed';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How long open requests may continue after the server starts to close. */
const DRAIN_MS = 10_000;

export interface HttpServer {
  readonly server: Server;
  /** From this call on, requests go to the given listener. */
  readonly use: (listener: RequestListener) => void;
  /** Opens the port. Resolves once it is open. */
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
 * Tracks the unfinished responses of each connection. Node's closeIdleConnections misses connections that never sent a
 * request.
 */
function trackConnections(server: Server): { readonly closeIdle: () => void } {
  const open = new Map<Socket, Set<ServerResponse>>();
  let isEnding = false;
  server.on('connection', (socket) => {
    const unfinished = new Set<ServerResponse>();
    open.set(socket, unfinished);
    socket.once('close', () => {
      open.delete(socket);
      for (const response of unfinished) closeQueued(response);
    });
  });
  server.on('request', ({ socket }, response) => {
    const unfinished = open.get(socket);
    unfinished?.add(response);
    response.once('close', () => {
      unfinished?.delete(response);
      if (isEnding && unfinished?.size === 0) socket.end();
    });
  });
  return {
    closeIdle: () => {
      isEnding = true;
      for (const [socket, unfinished] of open) if (unfinished.size === 0) socket.destroy();
    },
  };
}

interface WireProblem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

const MALFORMED: WireProblem = {
  status: 400,
  code: 'malformed_request',
  title: 'Bad Request',
  detail: 'This is not a valid HTTP request.',
};
const TOO_LARGE: WireProblem = {
  status: 431,
  code: 'headers_too_large',
  title: 'Request Header Fields Too Large',
  detail: 'URL and headers together may have at most 16 KiB.',
};
const TOO_SLOW: WireProblem = {
  status: 408,
  code: 'request_timeout',
  title: 'Request Timeout',
  detail: 'The request did not arrive in time.',
};
const UNEXPECTED: WireProblem = {
  status: 417,
  code: 'expectation_failed',
  title: 'Expectation Failed',
  detail: 'Expect can only be 100-continue.',
};

const TYPE = 'application/problem+json';

/** Handles `clientError`: responds if the socket is still writable, and ends the connection. */
function refuseConnection(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const problem = problemFor(error.code);
  const body = formatProblem(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    `Content-Type: ${TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Handles the event `checkExpectation`: responds with a problem. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const headers = { 'Content-Type': TYPE, 'Cache-Control': 'no-store', Connection: 'close' };
  response.writeHead(UNEXPECTED.status, headers).end(formatProblem(UNEXPECTED));
}

function problemFor(code: string | undefined): WireProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : MALFORMED;
}

function formatProblem(problem: WireProblem): string {
  return JSON.stringify({ type: `urn:keepwatch:problem:${problem.code}`, ...problem });
}
