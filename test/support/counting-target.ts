/** A target on loopback that answers 200 after a set time and notes each request by its path. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface CountingTarget {
  readonly url: string;
  /** How many requests came for the path. */
  readonly countOf: (path: string) => number;
  readonly total: () => number;
  readonly close: () => Promise<void>;
}

export async function startCountingTarget(answerAfterMs = 0): Promise<CountingTarget> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    void sleep(answerAfterMs).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    countOf: (path) => counts.get(path) ?? 0,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
