/**
 * Computes uptime and response times of many monitors and scenarios at once, from timelines and hourly summaries. The
 * figures are cached for two minutes, or for a second while the resource is down.
 */
import {
  computeLatencies,
  HOUR_MS,
  mergeSummaries,
  type Summary,
  type TimeSpan,
} from '../../domain/health/summary';
import { addTimes, type TimeByState } from '../../domain/health/timeline';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import { type CalendarEntry, readEntries } from '../maintenance/account-calendar';
import type { Dependencies } from '../ports/dependencies';
import { measureStateTimes } from '../resources/resource-uptime';

export interface CheckFigures {
  /** The time in each state. `dayBefore` is the 24 hours before `day`. */
  readonly time: Readonly<Record<'day' | 'dayBefore' | 'week' | 'month', TimeByState>>;
  /** The response times of the last 24 clock hours and of the 24 hours before. The current hour is included. */
  readonly latency: Readonly<Record<'day' | 'dayBefore', Summary>>;
  /**
   * The p95 of each of the last 24 hours in milliseconds, oldest first. null means that no check passed in that hour.
   */
  readonly hourlyP95Ms: readonly (number | null)[];
}

export interface Checked {
  readonly resource: Resource;
  readonly status: StoredStatus | null;
}

/**
 * Returns figures by id, at most two minutes old. Stops reading after `readForMs` and then returns only cached figures.
 * A client that repeats the request eventually gets all figures.
 */
export type FindFigures = (
  accountId: string,
  checks: readonly Checked[],
  readForMs?: number,
) => Promise<ReadonlyMap<string, CheckFigures>>;

const FRESH_MS = 120_000;
/**
 * The uptime of a resource falls every second while the resource is down. Its figures are cached only this long, for
 * simultaneous requests.
 */
const DOWN_FRESH_MS = 1_000;
/** Maximum number of resources whose figures are cached. */
const KEPT_MAX = 10_000;
/** Maximum number of resources that one request reads in parallel. */
const READS_AT_ONCE = 4;
const HOURS = 24;
const DAY_MS = HOURS * HOUR_MS;

interface Kept {
  /**
   * Identifies the health and the definition for which the figures were computed. If either changes, the figures are
   * computed again at once.
   */
  readonly version: string;
  readonly untilMs: number;
  readonly figures: Promise<CheckFigures>;
}

export function createFindFigures(needs: Dependencies): FindFigures {
  const kept = new Map<string, Kept>();
  const findKept = ({ resource, status }: Checked): Promise<CheckFigures> | undefined => {
    const before = kept.get(resource.id);
    const isFresh = before?.version === formatVersion({ resource, status });
    return isFresh && before.untilMs > needs.clock.now() ? before.figures : undefined;
  };
  const read = (checked: Checked, windows: readonly CalendarEntry[]) => {
    const { resource } = checked;
    const figures = readFigures(needs, checked, windows);
    kept.delete(resource.id);
    const isDown = checked.status?.health === 'down';
    const untilMs = needs.clock.now() + (isDown ? DOWN_FRESH_MS : FRESH_MS);
    kept.set(resource.id, { version: formatVersion(checked), untilMs, figures });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? '');
    figures.catch(() => kept.delete(resource.id));
    return figures;
  };
  return async (accountId, checks, readForMs = Number.POSITIVE_INFINITY) => {
    const untilMs = performance.now() + readForMs;
    const windows = await readEntries(needs.stores, accountId);
    const found = new Map<string, CheckFigures>();
    const left = checks.values();
    const runWorker = async (): Promise<void> => {
      for (const checked of left) {
        const mayRead = performance.now() < untilMs;
        const figures = findKept(checked) ?? (mayRead ? read(checked, windows) : undefined);
        if (figures !== undefined) found.set(checked.resource.id, await figures);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, runWorker));
    return found;
  };
}

function formatVersion({ resource, status }: Checked): string {
  return `${resource.version} ${status?.health} ${status?.healthSinceMs}`;
}

async function readFigures(
  needs: Dependencies,
  { resource, status }: Checked,
  windows: readonly CalendarEntry[],
): Promise<CheckFigures> {
  const nowMs = needs.clock.now();
  const edges = [30, 7, 2, 1, 0].map((days) => nowMs - days * DAY_MS);
  const [times, hours] = await Promise.all([
    measureStateTimes(needs, resource, { status, windows, spans: spansBetween(edges) }),
    readHours(needs, { resource, status }, nowMs),
  ]);
  return {
    time: {
      day: addTimes(times.slice(3)),
      dayBefore: addTimes(times.slice(2, 3)),
      week: addTimes(times.slice(1)),
      month: addTimes(times),
    },
    latency: {
      day: mergeSummaries(hours.slice(HOURS)),
      dayBefore: mergeSummaries(hours.slice(0, HOURS)),
    },
    hourlyP95Ms: hours.slice(HOURS).map(computeP95),
  };
}

/** Returns hourly summaries of two days over all regions. The current hour comes last. */
async function readHours(
  { stores }: Dependencies,
  { resource, status }: Checked,
  nowMs: number,
): Promise<readonly Summary[]> {
  const lastMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const starts = Array.from(
    { length: 2 * HOURS },
    (_, index) => lastMs - (2 * HOURS - 1 - index) * HOUR_MS,
  );
  // Hours before the resource was created are not read.
  const early = starts.filter((startMs) => startMs + HOUR_MS <= resource.createdAtMs);
  const query = {
    id: resource.id,
    spans: spansBetween([...starts.slice(early.length), lastMs + HOUR_MS]),
    summarisedUntilMs: status?.summarisedUntilMs ?? 0,
  };
  const regions = await Promise.all(
    resource.regions.map((region) =>
      stores.summaries.sumUp(resource.accountId, { ...query, region }),
    ),
  );
  return starts.map((_, index) =>
    mergeSummaries(regions.flatMap((summaries) => summaries[index - early.length] ?? [])),
  );
}

function spansBetween(edges: readonly number[]): readonly TimeSpan[] {
  return edges.slice(1).map((toMs, index) => ({ fromMs: edges[index] ?? toMs, toMs }));
}

export function computeP95(summary: Summary): number | null {
  return computeLatencies(summary, [0.95])[0] ?? null;
}
