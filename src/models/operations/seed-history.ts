/**
 * Writes a made-up past for a new resource of the demo: outages, incidents with their alerts, hourly summaries up to the
 * current hour, and single checks of some times up to the creation of the resource.
 */
import type { ResourceKind, SentStep } from '../../contracts/definition';
import type { StepOutcome } from '../../contracts/outcome';
import { buildFirstResultId } from '../../domain/health/result-id';
import {
  DAY_MS,
  findPeriodStart,
  HOUR_MS,
  mergeSummaries,
  type Summary,
  type SummedResult,
  summarise,
  type TimeSpan,
} from '../../domain/health/summary';
import type { Models } from '../collections';
import { insertChanges } from '../results/health-changes';
import { toResultDocument } from '../results/result-documents';
import { noteSummaries } from '../results/statuses';
import { insertSummaries, type SummarySource } from '../results/summaries';
import { fromJsonText } from '../store/json-text';
import { buildOutcome, type PastCheck } from './made-up-outcome';
import { insertIncidents, type PastOutage } from './seed-incidents';

export interface Past {
  readonly kind: ResourceKind;
  readonly id: string;
  /** The start of the past, at a full hour. */
  readonly fromMs: number;
  /** The outages in chronological order and without overlap. All outages end before the current hour. */
  readonly outages: readonly PastOutage[];
  /** One summary for each whole hour, starting with `fromMs`. Hours within `spans` are summed up from checks. */
  readonly hours: readonly Summary[];
  /** The times of which single checks are stored, in chronological order and without overlap. */
  readonly spans: readonly TimeSpan[];
  /** Returns the checks of a region in a span. */
  readonly checks: (region: string, span: TimeSpan) => readonly PastCheck[];
  /** Name of the person who responds to incidents. */
  readonly responder: string;
}

/** Writes the past. Checks before its start and after the creation of the resource are left out. */
export async function seedHistory(models: Models, past: Past): Promise<void> {
  const { kind, id, fromMs, hours, spans, checks, responder } = past;
  const resource = await moveCreation(models, past);
  if (resource === null) return;
  const { accountId, name, regions, createdAtMs, alerts, toOutcome } = resource;
  await insertTurns(models, past, { accountId, regions });
  const subject = { kind, id, accountId, name, regions, policy: alerts.policy, responder };
  await insertIncidents(models, subject, past.outages);
  const hourly = hours.map((summary, index) => ({ startMs: fromMs + index * HOUR_MS, summary }));
  const endMs = fromMs + hours.length * HOUR_MS;
  for (const region of regions) {
    const source = { accountId, id, region };
    const stored = spans
      .flatMap((span) => checks(region, span))
      .filter(({ slotMs }) => slotMs >= fromMs && slotMs < createdAtMs);
    await insertChecks(models.results, source, { checks: stored, toOutcome });
    const summaries = hourly.map((hour) =>
      isWithin(spans, hour.startMs) ? sumChecks(stored, hour.startMs) : hour,
    );
    await insertSummaries(models.summaries, source, { grain: 'h', summaries });
    await insertSummaries(models.summaries, source, {
      grain: 'd',
      summaries: sumDays(summaries, endMs),
    });
  }
  await noteSummaries(models.statuses, { accountId, id }, endMs);
}

/** Moves the creation to the start of the past. Returns the resource as it was. null if it does not exist. */
async function moveCreation(models: Models, { kind, id, fromMs }: Past) {
  const begun = { $set: { createdAtMs: fromMs } };
  if (kind === 'scenario') {
    const scenario = await models.scenarios.findOneAndUpdate({ _id: id }, begun).lean();
    // The results of runs have no outcomes.
    return scenario && { ...scenario, toOutcome: () => null };
  }
  const monitor = await models.monitors.findOneAndUpdate({ _id: id }, begun).lean();
  if (monitor === null) return null;
  const step = monitor.step === undefined ? null : fromJsonText<SentStep>(monitor.step);
  return { ...monitor, toOutcome: (check: PastCheck) => buildOutcome(check, step) };
}

const INSERTED_AT_ONCE = 1_000;

interface PastChecks {
  readonly checks: readonly PastCheck[];
  readonly toOutcome: (check: PastCheck) => StepOutcome | null;
}

async function insertChecks(
  results: Models['results'],
  { accountId, id: monitorId, region }: SummarySource,
  { checks, toOutcome }: PastChecks,
): Promise<void> {
  const documents = checks.map((check) =>
    toResultDocument({
      id: buildFirstResultId(monitorId, region, check.slotMs),
      accountId,
      monitorId,
      revision: 1,
      region,
      slotMs: check.slotMs,
      kind: 'scheduled',
      trigger: 'schedule',
      ...readStatus(check),
      inMaintenance: false,
      outcome: toOutcome(check),
      gap: null,
    }),
  );
  for (let at = 0; at < documents.length; at += INSERTED_AT_ONCE)
    await results.insertMany(documents.slice(at, at + INSERTED_AT_ONCE), { lean: true });
}

function readStatus({ failure, responseTimeMs }: PastCheck): SummedResult {
  return { status: failure === null ? 'up' : 'down', responseTimeMs };
}

/** Stores when the resource went down and up again. */
async function insertTurns(
  models: Models,
  { id, fromMs, outages }: Past,
  { accountId, regions }: { readonly accountId: string; readonly regions: readonly string[] },
): Promise<void> {
  const turns = outages.flatMap((outage) => [
    { atMs: outage.fromMs, health: 'down' as const },
    { atMs: outage.toMs, health: 'up' as const },
  ]);
  const changes = [null, ...regions].flatMap((region) =>
    [{ atMs: fromMs, health: 'up' as const }, ...turns].map((change) => ({ ...change, region })),
  );
  await insertChanges(models.healthChanges, { accountId, id }, { changes, excludedPeriods: [] });
}

interface Summarised {
  readonly startMs: number;
  readonly summary: Summary;
}

/** True if the hour is within one of the spans. */
function isWithin(spans: readonly TimeSpan[], startMs: number): boolean {
  return spans.some(({ fromMs, toMs }) => fromMs <= startMs && startMs + HOUR_MS <= toMs);
}

function sumChecks(checks: readonly PastCheck[], startMs: number): Summarised {
  const span = { fromMs: startMs, toMs: startMs + HOUR_MS };
  const made = checks.filter(({ slotMs }) => slotMs >= span.fromMs && slotMs < span.toMs);
  return { startMs, summary: summarise(made.map(readStatus), [], span) };
}

/** Sums up the days that are over by `endMs`. */
function sumDays(hourly: readonly Summarised[], endMs: number): readonly Summarised[] {
  const days = new Map<number, Summary[]>();
  for (const { startMs, summary } of hourly) {
    const day = findPeriodStart(DAY_MS, startMs);
    if (day + DAY_MS <= endMs) days.set(day, [...(days.get(day) ?? []), summary]);
  }
  return [...days].map(([startMs, parts]) => ({ startMs, summary: mergeSummaries(parts) }));
}
