/**
 * Summarises the results of one region over time spans. Daily and hourly summaries are used where possible, and single
 * results elsewhere.
 */
import type { Model } from 'mongoose';
import type { SlotTally } from '../../domain/health/slot-ledger';
import {
  DAY_MS,
  findPeriodStart,
  HOUR_MS,
  type Summary,
  type TimeSpan,
} from '../../domain/health/summary';
import type { ResultDocument } from './result-documents';
import {
  type Facts,
  mergeParts,
  readFacts,
  readSummaries,
  type StoredSummary,
  type SummaryDocument,
  type SummaryPart,
  type SummarySource,
  summariseFacts,
} from './summaries';

export interface SummaryStore {
  /** Returns one summary per time span, in the given order. Summaries before `summarisedUntilMs` are used. */
  readonly sumUp: (accountId: string, query: SummaryQuery) => Promise<readonly Summary[]>;
  /** Like sumUp, but returns the outcomes of the slots. null if they are not known for the whole span. */
  readonly tally: (
    accountId: string,
    query: SummaryQuery,
  ) => Promise<readonly (SlotTally | null)[]>;
}

export interface SummaryQuery {
  readonly id: string;
  readonly region: string;
  readonly spans: readonly TimeSpan[];
  readonly summarisedUntilMs: number;
}

interface Models {
  readonly results: Model<ResultDocument>;
  readonly summaries: Model<SummaryDocument>;
}

/**
 * The parts in which a time span is read: single results at both ends, then hourly summaries, and daily summaries in
 * the middle.
 */
interface ReadPlan {
  readonly raw: readonly TimeSpan[];
  readonly hours: readonly TimeSpan[];
  readonly days: readonly TimeSpan[];
}

export function createSummaryStore(models: Models): SummaryStore {
  const read = async (
    accountId: string,
    { id, region, spans, summarisedUntilMs }: SummaryQuery,
  ): Promise<readonly SummaryPart[]> => {
    const source = { accountId, id, region };
    const plans = spans.map((span) => planReads(span, summarisedUntilMs));
    const [raw, hours, days] = await Promise.all([
      readRaw(
        models,
        source,
        plans.flatMap((plan) => plan.raw),
      ),
      readGrain(models, source, { grain: 'h', spans: plans.flatMap((plan) => plan.hours) }),
      readGrain(models, source, { grain: 'd', spans: plans.flatMap((plan) => plan.days) }),
    ]);
    return plans.map((plan) =>
      mergeParts([
        ...plan.raw.map((span) => summariseFacts(raw, span)),
        ...plan.hours.flatMap((span) => inside(hours, span)),
        ...plan.days.flatMap((span) => inside(days, span)),
      ]),
    );
  };
  return {
    async sumUp(accountId, query) {
      return (await read(accountId, query)).map(({ summary }) => summary);
    },
    async tally(accountId, query) {
      return (await read(accountId, query)).map(({ tally }) => tally ?? null);
    },
  };
}

function planReads({ fromMs, toMs }: TimeSpan, summarisedUntilMs: number): ReadPlan {
  const [hoursFrom, hoursTo] = within(HOUR_MS, { fromMs, toMs }, summarisedUntilMs);
  if (hoursFrom >= hoursTo) return { raw: [{ fromMs, toMs }], hours: [], days: [] };
  const raw = notEmpty([
    { fromMs, toMs: hoursFrom },
    { fromMs: hoursTo, toMs },
  ]);
  const ended = findPeriodStart(DAY_MS, summarisedUntilMs);
  const [daysFrom, daysTo] = within(DAY_MS, { fromMs: hoursFrom, toMs: hoursTo }, ended);
  if (daysFrom >= daysTo) return { raw, hours: [{ fromMs: hoursFrom, toMs: hoursTo }], days: [] };
  const hours = notEmpty([
    { fromMs: hoursFrom, toMs: daysFrom },
    { fromMs: daysTo, toMs: hoursTo },
  ]);
  return { raw, hours, days: [{ fromMs: daysFrom, toMs: daysTo }] };
}

/** Returns the start and the end of the whole hours or days inside the time span that are over by `boundMs`. */
function within(
  lengthMs: number,
  { fromMs, toMs }: TimeSpan,
  boundMs: number,
): readonly [number, number] {
  return [
    Math.ceil(fromMs / lengthMs) * lengthMs,
    findPeriodStart(lengthMs, Math.min(toMs, boundMs)),
  ];
}

function notEmpty(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  return spans.filter(({ fromMs, toMs }) => fromMs < toMs);
}

/** Joins adjacent and overlapping time spans. One read per joined span is enough. */
function joined(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const whole: TimeSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = whole.at(-1);
    if (last !== undefined && span.fromMs <= last.toMs)
      whole[whole.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
    else whole.push(span);
  }
  return whole;
}

async function readRaw(
  { results }: Models,
  source: SummarySource,
  spans: readonly TimeSpan[],
): Promise<Facts> {
  const read = await Promise.all(joined(spans).map((span) => readFacts(results, source, span)));
  const gaps = new Map(
    read.flatMap((facts) => facts.gaps.map((gap) => [gap.fromSlotMs, gap] as const)),
  );
  return {
    results: read.flatMap((facts) => facts.results),
    slots: read.flatMap((facts) => facts.slots),
    gaps: [...gaps.values()],
  };
}

async function readGrain(
  { summaries }: Models,
  source: SummarySource,
  { grain, spans }: { readonly grain: 'h' | 'd'; readonly spans: readonly TimeSpan[] },
): Promise<readonly StoredSummary[]> {
  const read = await Promise.all(
    joined(spans).map((span) => readSummaries(summaries, source, { grain, ...span })),
  );
  return read.flat();
}

function inside(
  stored: readonly StoredSummary[],
  { fromMs, toMs }: TimeSpan,
): readonly SummaryPart[] {
  return stored.filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
}
