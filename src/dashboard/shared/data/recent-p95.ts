/** The 95th percentile of the response times in a row of heartbeats. Pure. */
import type { ListedMonitor } from './api-types';

type Heartbeats = NonNullable<ListedMonitor['recent']>;

const RANK = 0.95;

/** By nearest rank; null when nothing was measured. */
export function recentP95(beats: Heartbeats): number | null {
  const times = beats
    .flatMap(({ responseTimeMs }) => (responseTimeMs === null ? [] : [responseTimeMs]))
    .toSorted((left, right) => left - right);
  return times[Math.ceil(times.length * RANK) - 1] ?? null;
}
