/**
 * Sends requests of this process to its own Express application, without a port. They are authenticated, limited,
 * audited and logged like any other request.
 */
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

export interface InnerRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** IP address of the client on whose behalf the request is made. */
  readonly remoteAddress: string | undefined;
}

export interface InnerResponse {
  readonly status: number;
  readonly body: string;
}

export type SendInside = (request: InnerRequest) => Promise<InnerResponse>;

/**
 * Creates a function that sends one request to the application. The function rejects if the application closes the
 * connection without a response.
 */
export function createInnerRequests(listener: RequestListener): SendInside {
  const server = createServer(listener);
  return ({ method, path, headers, body, remoteAddress }) =>
    new Promise((resolve, reject) => {
      const [ours, theirs] = duplexPair();
      Object.assign(theirs, { remoteAddress });
      server.emit('connection', theirs);
      const sent = request({ method, path, headers, createConnection: () => ours }, (response) => {
        readAll(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, body: text }),
          reject,
        );
      });
      sent.once('error', reject);
      sent.once('close', () => endBoth(ours, theirs));
      sent.end(body ?? undefined);
    });
}

function endBoth(...sides: readonly Duplex[]): void {
  for (const side of sides) side.destroy();
}

async function readAll(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of response) if (Buffer.isBuffer(chunk)) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}
