/**
 * A target, on loopback unless told otherwise, whose paths can be made to hang, which is to take the request and never
 * answer, or to fail. It notes when each was asked for.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SwitchableTarget {
  readonly url: string;
  /** Paths that hang from the next request on. */
  readonly hanging: Set<string>;
  /** Paths that answer 500 from the next request on. */
  readonly failing: Set<string>;
  readonly countOf: (path: string) => number;
  readonly total: () => number;
  /** The longest time without a request to the path since the instant, until now. */
  readonly longestPauseMs: (path: string, sinceMs: number) => number;
  readonly close: () => Promise<void>;
}

/** @param answerMs how long it takes over each answer. */
export async function startSwitchableTarget(
  answerMs = 0,
  host = '127.0.0.1',
): Promise<SwitchableTarget> {
  const hanging = new Set<string>();
  const failing = new Set<string>();
  const timesMs = new Map<string, number[]>();
  let total = 0;
  const server = createServer(({ url = '' }, response) => {
    total += 1;
    timesMs.set(url, [...(timesMs.get(url) ?? []), Date.now()]);
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
    countOf: (path) => timesMs.get(path)?.length ?? 0,
    longestPauseMs: (path, sinceMs) => {
      const all = timesMs.get(path) ?? [];
      const marks = [...all.filter((atMs) => atMs >= sinceMs), Date.now()];
      const pauses = marks.map((atMs, index) => atMs - (marks[index - 1] ?? sinceMs));
      return Math.max(...pauses);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
