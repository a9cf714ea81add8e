/**
 * A target whose paths can be made to fail or to hang. A path that hangs accepts a request and never responds. The
 * target listens on loopback by default and counts the requests for each path.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SwitchableTarget {
  readonly url: string;
  /** Paths that hang from the next request on. */
  readonly hanging: Set<string>;
  /** Paths that respond with 500 from the next request on. */
  readonly failing: Set<string>;
  readonly countOf: (path: string) => number;
  readonly total: () => number;
  readonly close: () => Promise<void>;
}

/**
 * Starts the target.
 *
 * @param answerMs the time that each response takes, in milliseconds.
 */
export async function startSwitchableTarget(
  answerMs = 0,
  host = '127.0.0.1',
): Promise<SwitchableTarget> {
  const hanging = new Set<string>();
  const failing = new Set<string>();
  const counts = new Map<string, number>();
  let total = 0;
  const server = createServer(({ url = '' }, response) => {
    total += 1;
    counts.set(url, (counts.get(url) ?? 0) + 1);
    if (failing.has(url)) response.statusCode = 500;
    if (hanging.has(url)) return;
    if (answerMs === 0) response.end('ok');
    else setTimeout(() => response.end('ok'), answerMs);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    hanging,
    failing,
    total: () => total,
    countOf: (path) => counts.get(path) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
