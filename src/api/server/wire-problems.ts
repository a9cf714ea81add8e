/**
 * Responses to requests that are not valid HTTP. They are written to the bare connection as `application/problem+json`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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
export function refuseConnection(error: Error & { readonly code?: string }, socket: Duplex): void {
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
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
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
