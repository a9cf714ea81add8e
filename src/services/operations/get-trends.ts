/**
 * Computes figures of all checks of an account: the last 24 hours compared with the 24 hours before, and 90 days of
 * incidents.
 */
import { HEARTBEAT_REGION } from '../../contracts/heartbeat';
import { countOutages } from '../../domain/health/outage-figures';
import { DAY_MS, mergeSummaries, type TimeSpan } from '../../domain/health/summary';
import { addTimes, computeAvailability } from '../../domain/health/timeline';
import type { IncidentSpan } from '../../models/alerting/incidents';
import type { Trend, Trends } from '../../schemas/responses/overview';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { round, toSeconds } from '../resources/present-uptime';
import { type CheckFigures, computeP95, type FindFigures } from './check-figures';
import type { CheckSource, FoundCheck } from './check-source';

interface Tools {
  readonly sources: readonly CheckSource[];
  readonly findFigures: FindFigures;
}

const DAYS = 90;
const PAGE_SIZE = 500;

export async function getTrends(
  needs: Dependencies,
  { sources, findFigures }: Tools,
  accountId: string,
): Promise<Trends> {
  const nowMs = needs.clock.now();
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const firstDayMs = todayMs - (DAYS - 1) * DAY_MS;
  const [checks, outages] = await Promise.all([
    Promise.all(sources.map((source) => readAll(source, accountId))).then((found) => found.flat()),
    needs.stores.incidents.spansSince(accountId, { resourceId: null, fromMs: firstDayMs }),
  ]);
  const found = await findFigures(accountId, checks);
  const figures = checks.flatMap((check) => {
    const own = found.get(check.resource.id);
    return own === undefined ? [] : [{ ...own, isTimed: sendsRequests(check) }];
  });
  const firstMs = Math.min(...checks.map(({ resource }) => resource.createdAtMs));
  const dayOf = (index: number): Trends['days'][number] => {
    const fromMs = firstDayMs + index * DAY_MS;
    const toMs = Math.min(fromMs + DAY_MS, nowMs);
    return presentDay({ outages, nowMs }, { fromMs, toMs }, firstMs < toMs);
  };
  const trendOf = (day: 'day' | 'dayBefore', span: TimeSpan): Trend => {
    const { incidents, outages: count, mttrMs } = countOutages(outages, span, { nowMs });
    return {
      availability: computeAvailability(addTimes(figures.map(({ time }) => time[day]))),
      incidents,
      outages: count,
      mttrSeconds: toSeconds(mttrMs),
      p95Ms: p95OfRequests(figures, day),
    };
  };
  return {
    from: toInstant(nowMs - DAY_MS),
    to: toInstant(nowMs),
    current: trendOf('day', { fromMs: nowMs - DAY_MS, toMs: nowMs }),
    before: trendOf('dayBefore', { fromMs: nowMs - 2 * DAY_MS, toMs: nowMs - DAY_MS }),
    days: Array.from({ length: DAYS }, (_, index) => dayOf(index)),
  };
}

/**
 * True if the durations of the check are response times. Runs of scenarios and jobs of heartbeats have durations that
 * are not response times.
 */
function sendsRequests({ type, resource }: FoundCheck): boolean {
  return type === 'monitor' && !resource.regions.includes(HEARTBEAT_REGION);
}

function p95OfRequests(
  figures: readonly (CheckFigures & { readonly isTimed: boolean })[],
  day: 'day' | 'dayBefore',
): number | null {
  const timed = figures.filter(({ isTimed }) => isTimed);
  const p95Ms = computeP95(mergeSummaries(timed.map(({ latency }) => latency[day])));
  return p95Ms === null ? null : round(p95Ms, 1);
}

async function readAll(source: CheckSource, accountId: string): Promise<readonly FoundCheck[]> {
  const found: FoundCheck[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await source.page({ accountId, limit: PAGE_SIZE, cursor });
    found.push(...page.checks);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

interface Known {
  readonly outages: readonly IncidentSpan[];
  readonly nowMs: number;
}

function presentDay(
  { outages, nowMs }: Known,
  { fromMs, toMs }: TimeSpan,
  isObserved: boolean,
): Trends['days'][number] {
  const counted = countOutages(outages, { fromMs, toMs }, { nowMs });
  return {
    date: toInstant(fromMs).slice(0, 10),
    incidents: counted.incidents,
    outages: counted.outages,
    downSeconds: isObserved ? round(counted.downMs / 1_000, 3) : null,
  };
}
