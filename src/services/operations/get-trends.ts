/**
 * How all checks of an account did together: the last 24 hours beside the 24 before, and 90 days of
 * incidents. It is put together from figures of single checks, and presents no single one.
 */
import { DAY_MS, mergeSummaries } from '../../domain/health/summary';
import type { IncidentSpan } from '../../models/alerting/incidents';
import type { Trend, Trends } from '../../schemas/responses/overview';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { availabilityOf, round } from '../resources/present-uptime';
import { type CheckFigures, type FindFigures, p95Of, sumOf } from './check-figures';
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
  const [checks, incidents] = await Promise.all([
    Promise.all(sources.map((source) => allOf(source, accountId))).then((found) => found.flat()),
    needs.stores.incidents.spansSince(accountId, firstDayMs),
  ]);
  const figures = [...(await findFigures(accountId, checks)).values()];
  const firstMs = Math.min(...checks.map(({ resource }) => resource.createdAtMs));
  const dayOf = (index: number): Trends['days'][number] => {
    const fromMs = firstDayMs + index * DAY_MS;
    const toMs = Math.min(fromMs + DAY_MS, nowMs);
    return presentDay(incidents, { fromMs, toMs }, firstMs < toMs);
  };
  return {
    from: toInstant(nowMs - DAY_MS),
    to: toInstant(nowMs),
    current: trendOf('day', figures, incidentsIn(incidents, nowMs - DAY_MS, nowMs)),
    before: trendOf(
      'dayBefore',
      figures,
      incidentsIn(incidents, nowMs - 2 * DAY_MS, nowMs - DAY_MS),
    ),
    days: Array.from({ length: DAYS }, (_, index) => dayOf(index)),
  };
}

async function allOf(source: CheckSource, accountId: string): Promise<readonly FoundCheck[]> {
  const found: FoundCheck[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await source.page({ accountId, limit: PAGE_SIZE, cursor });
    found.push(...page.checks);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

type IncidentFigures = Pick<Trend, 'incidents' | 'mttrSeconds'>;

function incidentsIn(
  incidents: readonly IncidentSpan[],
  fromMs: number,
  toMs: number,
): IncidentFigures {
  const isInside = (atMs: number): boolean => atMs >= fromMs && atMs < toMs;
  const lengths = incidents.flatMap(({ openedAtMs, closedAtMs }) =>
    closedAtMs !== null && isInside(closedAtMs) ? [(closedAtMs - openedAtMs) / 1_000] : [],
  );
  const sum = lengths.reduce((total, length) => total + length, 0);
  return {
    incidents: incidents.filter(({ openedAtMs }) => isInside(openedAtMs)).length,
    mttrSeconds: lengths.length === 0 ? null : round(sum / lengths.length, 3),
  };
}

function trendOf(
  day: 'day' | 'dayBefore',
  figures: readonly CheckFigures[],
  incidents: IncidentFigures,
): Trend {
  const p95Ms = p95Of(mergeSummaries(figures.map(({ latency }) => latency[day])));
  return {
    availability: availabilityOf(sumOf(figures.map(({ time }) => time[day]))),
    ...incidents,
    p95Ms: p95Ms === null ? null : round(p95Ms, 1),
  };
}

function presentDay(
  incidents: readonly IncidentSpan[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  isObserved: boolean,
): Trends['days'][number] {
  const open = incidents.filter(
    ({ openedAtMs, closedAtMs }) => openedAtMs < toMs && (closedAtMs ?? toMs) > fromMs,
  );
  const downMs = open.reduce(
    (sum, { openedAtMs, closedAtMs }) =>
      sum + Math.min(closedAtMs ?? toMs, toMs) - Math.max(openedAtMs, fromMs),
    0,
  );
  const date = toInstant(fromMs).slice(0, 10);
  const downSeconds = isObserved ? round(downMs / 1_000, 3) : null;
  return { date, incidents: open.length, downSeconds };
}
