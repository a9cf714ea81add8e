/** Starts a test server on a free port. By default, it listens on loopback. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  /** Closes the server and its connections. */
  readonly close: () => Promise<void>;
}

export function startLoopbackServer(
  respond: RequestListener,
  host = '127.0.0.1',
  port = 0,
): Promise<LoopbackServer> {
  return listenOnLoopback(createServer(respond), host, port);
}

/** Makes an existing server listen. `close` makes it stop listening. */
export async function listenOnLoopback(
  server: Server | TlsServer,
  host = '127.0.0.1',
  wantedPort = 0,
): Promise<LoopbackServer> {
  server.listen(wantedPort, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Returns a URL at which no server listens any more. */
export async function urlOfNobody(): Promise<string> {
  const gone = await startLoopbackServer((_request, response) => response.end());
  await gone.close();
  return gone.url;
}
