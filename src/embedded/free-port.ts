/** Chooses ports to listen on. The ports of earlier starts are preferred. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const PORT_MIN = 15_000;
const PORT_MAX = 30_000;
const TRIES_MAX = 100;

/** Resolves with the port if nothing listens on it, and otherwise with undefined. */
export function claimPort(port: number, host = '127.0.0.1'): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(taken));
    });
  });
}

/**
 * Returns the preferred port if it is free, and otherwise a random free port. 0 means no preference. The port is not
 * reserved. Random ports are below the range of outgoing connections (RFC 6056), so that no outgoing connection can
 * occupy the port.
 */
export async function choosePort(preferred: number | undefined, host?: string): Promise<number> {
  if (preferred !== undefined && preferred !== 0) {
    if ((await claimPort(preferred, host)) !== undefined) return preferred;
  }
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = await claimPort(randomInt(PORT_MIN, PORT_MAX), host);
    if (port !== undefined) return port;
  }
  throw new Error(`No free port could be found on ${host ?? 'loopback'}.`);
}
