/**
 * Summaries of hours and days, one document per region. A summary can be computed again at any time. A summary with
 * fewer results never replaces a summary with more results.
 */
import type { Model } from 'mongoose';
import type { Gap } from '../../contracts/records';
import { fromHistogramText, toHistogramText } from '../../domain/health/histogram';
import { buildFirstResultId, parseResultId } from '../../domain/health/result-id';
import {
  addTallies,
  isEmptyTally,
  type SlotTally,
  type TalliedSlot,
  tallySlots,
} from '../../domain/health/slot-ledger';
import {
  DAY_MS,
  findPeriodStart,
  HOUR_MS,
  isEmptySummary,
  mergeSummaries,
  type Summary,
  type SummedResult,
  summarise,
  type TimeSpan,
} from '../../domain/health/summary';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { atMost, between } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type ResultDocument, STATUS_NUMBERS, toGap, toResultStatus } from './result-documents';

export interface SummaryDocument {
  /** `<resource>:<h or d>/<region>:<start>` */
  readonly _id: string;
  readonly a: string;
  /** The counts: up, degraded, down and unknown checks, then missed and overrun slots. */
  readonly c: readonly number[];
  /** The response times of passed checks in milliseconds: sum, minimum, maximum and histogram. */
  readonly sum: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly h: string;
  /** The number of checks and slots in this summary. */
  readonly n: number;
  /** The outcomes of the summary's slots, as JSON. Absent in summaries of earlier releases. */
  readonly k?: string;
}

export const summaryCollection = defineCollection<SummaryDocument>(
  'summaries',
  {
    a: String,
    c: [Number],
    sum: Number,
    min: Number,
    max: Number,
    h: String,
    n: Number,
    k: String,
  },
  { indexes: [], clustered: true },
);

/** The region of a resource that is summarised. */
export interface SummarySource {
  readonly accountId: string;
  readonly id: string;
  readonly region: string;
}

interface Models {
  readonly results: Model<ResultDocument>;
  readonly summaries: Model<SummaryDocument>;
}

export type Grain = 'h' | 'd';

/**
 * Summarises all whole hours with results, and the days that are over by `endedMs`. Idempotent. Several processes may
 * run it at the same time.
 */
export async function summariseHours(
  models: Models,
  source: SummarySource,
  { fromMs, toMs, endedMs }: TimeSpan & { readonly endedMs: number },
): Promise<void> {
  const facts = await readFacts(models.results, source, { fromMs, toMs });
  const known = [...facts.results, ...facts.slots];
  const hours = new Set(known.map(({ slotMs }) => findPeriodStart(HOUR_MS, slotMs)));
  for (const gap of facts.gaps)
    for (const hour of listHours(gap, { fromMs, toMs })) hours.add(hour);
  for (const hour of [...hours].sort((a, b) => a - b)) {
    const span = { fromMs: hour, toMs: hour + HOUR_MS };
    const key = { source, grain: 'h', startMs: hour } as const;
    await replace(models.summaries, key, summariseFacts(facts, span));
  }
  const days = new Set([...hours].map((hour) => findPeriodStart(DAY_MS, hour)));
  const ended = findPeriodStart(DAY_MS, endedMs);
  // The day of the span's start is always summarised, because its last hours may have no results.
  days.add(findPeriodStart(DAY_MS, fromMs));
  for (const day of days) if (day < ended) await summariseDay(models, source, day);
}

/** Summarises a day from the current summaries of its hours. */
async function summariseDay(
  { summaries }: Models,
  source: SummarySource,
  dayMs: number,
): Promise<void> {
  const hours = await readSummaries(summaries, source, {
    grain: 'h',
    fromMs: dayMs,
    toMs: dayMs + DAY_MS,
  });
  if (hours.length === 0) return;
  await replace(summaries, { source, grain: 'd', startMs: dayMs }, mergeParts(hours));
}

/** A summary of results, and the outcomes of their slots. */
export interface SummaryPart {
  readonly summary: Summary;
  /** The outcomes of the slots. Absent if they were not counted. */
  readonly tally?: SlotTally;
}

export interface StoredSummary extends SummaryPart {
  readonly startMs: number;
}

export function summariseFacts({ results, slots, gaps }: Facts, span: TimeSpan): SummaryPart {
  const isInside = ({ slotMs }: { readonly slotMs: number }): boolean =>
    slotMs >= span.fromMs && slotMs < span.toMs;
  return {
    summary: summarise(results.filter(isInside), gaps, span),
    tally: tallySlots(slots.filter(isInside), gaps, span),
  };
}

/** Merges the parts. The result has no tally if a part has no tally. */
export function mergeParts(parts: readonly SummaryPart[]): SummaryPart {
  const tallies = parts.flatMap(({ tally }) => (tally === undefined ? [] : [tally]));
  return {
    summary: mergeSummaries(parts.map(({ summary }) => summary)),
    ...(tallies.length === parts.length && { tally: addTallies(tallies) }),
  };
}

/** Reads summaries in the order of time. */
export async function readSummaries(
  summaries: Model<SummaryDocument>,
  { accountId, id, region }: SummarySource,
  { grain, fromMs, toMs }: TimeSpan & { readonly grain: Grain },
): Promise<readonly StoredSummary[]> {
  if (fromMs >= toMs) return [];
  const name = `${grain}/${region}`;
  const found = await summaries
    .find({
      _id: between(buildFirstResultId(id, name, fromMs), buildFirstResultId(id, name, toMs)),
      a: accountId,
    })
    .sort({ _id: 1 })
    .lean<SummaryDocument[]>();
  return found.map((document) => ({
    startMs: parseResultId(document._id).slotMs,
    summary: toSummary(document),
    ...(document.k !== undefined && { tally: fromJsonText<SlotTally>(document.k) }),
  }));
}

const INSERTED_AT_ONCE = 1_000;

/** Stores summaries of the demo's made-up past. Existing summaries stay. */
export async function insertSummaries(
  summaries: Model<SummaryDocument>,
  { accountId: a, id, region }: SummarySource,
  given: { readonly grain: Grain; readonly summaries: readonly StoredSummary[] },
): Promise<void> {
  const documents = given.summaries
    .filter(({ summary }) => !isEmptySummary(summary))
    .map(({ startMs, summary }) => {
      return {
        _id: buildFirstResultId(id, `${given.grain}/${region}`, startMs),
        a,
        ...toFields(summary),
      };
    });
  for (let at = 0; at < documents.length; at += INSERTED_AT_ONCE) {
    const lot = documents.slice(at, at + INSERTED_AT_ONCE);
    await writeUnlessPresent(() => summaries.insertMany(lot, { ordered: false, lean: true }));
  }
}

interface SummaryKey {
  readonly source: SummarySource;
  readonly grain: Grain;
  readonly startMs: number;
}

async function replace(
  summaries: Model<SummaryDocument>,
  { source: { accountId, id, region }, grain, startMs }: SummaryKey,
  { summary, tally }: SummaryPart,
): Promise<void> {
  if (isEmptySummary(summary) && (tally === undefined || isEmptyTally(tally))) return;
  const _id = buildFirstResultId(id, `${grain}/${region}`, startMs);
  const counted = tally === undefined ? {} : { k: toJsonText(tally) };
  const document = { _id, a: accountId, ...toFields(summary), ...counted };
  const ofFewer = { _id, a: accountId, n: atMost(document.n) };
  await writeUnlessPresent(() => summaries.replaceOne(ofFewer, document, { upsert: true }));
}

function toFields({ counts, gaps, latency }: Summary): Omit<SummaryDocument, '_id' | 'a'> {
  const c = [counts.up, counts.degraded, counts.down, counts.unknown, gaps.missed, gaps.overrun];
  const { sum, min, max, histogram } = latency;
  return { c, sum, min, max, h: toHistogramText(histogram), n: c.reduce((a, b) => a + b, 0) };
}

function toSummary({ c, sum, min, max, h }: SummaryDocument): Summary {
  const [up = 0, degraded = 0, down = 0, unknown = 0, missed = 0, overrun = 0] = c;
  return {
    counts: { up, degraded, down, unknown },
    gaps: { missed, overrun },
    latency: { sum, min, max, histogram: fromHistogramText(h) },
  };
}

interface Fact extends SummedResult {
  readonly slotMs: number;
}

export interface Facts {
  readonly results: readonly Fact[];
  /** The scheduled slots, including slots during maintenance. */
  readonly slots: readonly TalliedSlot[];
  /** The gaps within the limits, and a gap that extends into them. */
  readonly gaps: readonly Gap[];
}

/** Reads the raw results that a summary needs. Measurements during maintenance are left out. */
export async function readFacts(
  results: Model<ResultDocument>,
  { accountId, id, region }: SummarySource,
  { fromMs, toMs }: TimeSpan,
): Promise<Facts> {
  if (fromMs >= toMs) return { results: [], slots: [], gaps: [] };
  const first = buildFirstResultId(id, region, fromMs);
  const [found, earlier] = await Promise.all([
    results
      .find(
        { _id: between(first, buildFirstResultId(id, region, toMs)), a: accountId },
        { s: 1, r: 1, m: 1, l: 1, u: 1, gr: 1, gt: 1, gn: 1 },
      )
      .sort({ _id: 1 })
      .lean<ResultDocument[]>(),
    results
      .find(
        { _id: between(`${id}:${region}:`, first), a: accountId, s: STATUS_NUMBERS.gap },
        { s: 1, gr: 1, gt: 1, gn: 1 },
      )
      .sort({ _id: -1 })
      .limit(1)
      .lean<ResultDocument[]>(),
  ]);
  const gaps = [...earlier, ...found].flatMap(toGap).filter(({ toSlotMs }) => toSlotMs >= fromMs);
  const checks = found.filter(({ s, m }) => s !== STATUS_NUMBERS.gap && m !== true);
  return {
    gaps,
    slots: found.flatMap(toTalliedSlot),
    results: checks.map(({ _id, s, r }) => ({
      slotMs: parseResultId(_id).slotMs,
      status: toResultStatus(s),
      responseTimeMs: r ?? null,
    })),
  };
}

function toTalliedSlot({ _id, s, l, u }: ResultDocument): TalliedSlot[] {
  const { kind, slotMs } = parseResultId(_id);
  if (kind === 'manual' || s === STATUS_NUMBERS.gap) return [];
  const isSeen = toResultStatus(s) !== 'unknown';
  return [{ slotMs, isLate: l === true, reason: isSeen ? null : (u ?? 'unknown') }];
}

/** Lists the hours of the gap inside the time span. The span limits their number, even for a very long gap. */
function listHours({ fromSlotMs, toSlotMs }: Gap, { fromMs, toMs }: TimeSpan): readonly number[] {
  const firstMs = findPeriodStart(HOUR_MS, Math.max(fromSlotMs, fromMs));
  const endMs = Math.min(toSlotMs + 1, toMs);
  const count = Math.max(0, Math.ceil((endMs - firstMs) / HOUR_MS));
  return Array.from({ length: count }, (_, index) => firstMs + index * HOUR_MS);
}
