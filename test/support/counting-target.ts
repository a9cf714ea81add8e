/**
 * A target on loopback that responds with 200 after a fixed time and records each request by path.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoopbackServer } from './loopback-server';

export interface CountingTarget {
  readonly url: string;
  /** Returns the number of requests for the path. */
  readonly countOf: (path: string) => number;
  readonly total: () => number;
  readonly close: () => Promise<void>;
}

export async function startCountingTarget(answerAfterMs = 0): Promise<CountingTarget> {
  const counts = new Map<string, number>();
  const server = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    void sleep(answerAfterMs).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end('{"ok":true}');
    });
  });
  return {
    url: server.url,
    countOf: (path) => counts.get(path) ?? 0,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    close: server.close,
  };
}
