/**
 * Who asks a queue for work, by the times of the server: the clock of a host that looks may be off.
 */
import { optionalTsToMs } from '@temporalio/common/lib/time';
import type { temporal } from '@temporalio/proto';

type Poller = temporal.api.taskqueue.v1.IPollerInfo;

/** A worker asks at least once in a long poll, which the server ends after 60 s. */
const POLL_AGE_MS_MAX = 90_000;

/**
 * Those of one queue that have asked no more than 90 s before the last of them. One that nobody follows is
 * among them until the server forgets it, five minutes after it asked.
 */
export function recentPollers<One extends Poller>(pollers: readonly One[]): readonly One[] {
  const newestMs = Math.max(...pollers.map(askedAtMs));
  return pollers.filter((poller) => newestMs - askedAtMs(poller) < POLL_AGE_MS_MAX);
}

function askedAtMs({ lastAccessTime }: Poller): number {
  return optionalTsToMs(lastAccessTime) ?? 0;
}
