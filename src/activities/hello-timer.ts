/** Reports to the API regularly that this probe is running. */
import {
  PROBE_ALIVE_EVERY_MS,
  PROBE_HELLO_EVERY_MS,
  type ProbeHello,
} from '../contracts/probe-protocol';
import type { MovedGrid } from '../contracts/watches';
import type { Logger } from '../platform/logger';
import type { InternalApiClient } from './internal-api-client';

/**
 * Wait after a failed report. It is short, because at startup the API may become ready a little later than this probe.
 */
const AGAIN_AFTER_FAILURE_MS = 2_000;

/**
 * Reports region, identity and version of this probe at once and then regularly, until the returned function is called.
 */
export function startHello(
  { sayHello }: Pick<InternalApiClient, 'sayHello'>,
  hello: ProbeHello,
  logger: Logger,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function say(): Promise<void> {
    let nextInMs = PROBE_HELLO_EVERY_MS;
    try {
      await sayHello(hello);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason }, 'could not report to the API');
      nextInMs = AGAIN_AFTER_FAILURE_MS;
    }
    if (!isStopped) timer = setTimeout(() => void say(), nextInMs);
  }

  void say();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/**
 * Reports regularly that this process is alive, until the returned function is called. `onMoved` gets the slot grids
 * that have changed since the last successful report.
 */
export function startAliveReports(
  { sayAlive }: Pick<InternalApiClient, 'sayAlive'>,
  onMoved: (moved: readonly MovedGrid[]) => void,
): () => void {
  let changedSinceMs = 0;

  async function say(): Promise<void> {
    const response = await sayAlive(changedSinceMs).catch(() => null);
    if (response === null) return;
    ({ changedSinceMs } = response);
    onMoved(response.moved);
  }

  const timer = setInterval(() => void say(), PROBE_ALIVE_EVERY_MS);
  return () => clearInterval(timer);
}
