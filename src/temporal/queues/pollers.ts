/**
 * Lists the workers that poll a queue. Compares only times of the server, because the clock of this host may be wrong.
 */
import { optionalTsToMs } from '@temporalio/common/lib/time';
import type { temporal } from '@temporalio/proto';

type Poller = temporal.api.taskqueue.v1.IPollerInfo;

/** A worker polls again after each long poll, and the server ends a long poll after 60 s. */
const POLL_AGE_MS_MAX = 90_000;

/**
 * Returns the pollers of one queue whose last poll is at most 90 s older than the newest poll. The server forgets a
 * poll after five minutes.
 */
export function listRecentPollers<One extends Poller>(pollers: readonly One[]): readonly One[] {
  const newestMs = Math.max(...pollers.map(askedAtMs));
  return pollers.filter((poller) => newestMs - askedAtMs(poller) < POLL_AGE_MS_MAX);
}

function askedAtMs({ lastAccessTime }: Poller): number {
  return optionalTsToMs(lastAccessTime) ?? 0;
}
