/**
 * Writes a made-up past for a new resource of the demo: outages, incidents with their alerts, hourly summaries up to the
 * current hour, and the last checks up to the creation of the resource.
 */
import type { ResourceKind } from '../../contracts/definition';
import { HEARTBEAT_REGION } from '../../contracts/heartbeat';
import type { Failure } from '../../contracts/outcome';
import { buildUlid } from '../../domain/definitions/ids';
import { buildFirstResultId } from '../../domain/health/result-id';
import {
  DAY_MS,
  findPeriodStart,
  HOUR_MS,
  mergeSummaries,
  type Summary,
  summarise,
} from '../../domain/health/summary';
import { saveIncident } from '../alerting/save-incident';
import type { Models } from '../collections';
import { insertChanges } from '../results/health-changes';
import { toResultDocument } from '../results/result-documents';
import { noteSummaries } from '../results/statuses';
import { insertSummaries, type SummarySource } from '../results/summaries';

interface PastOutage {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cause: Pick<Failure, 'code' | 'message'>;
}

export interface Past {
  readonly kind: ResourceKind;
  readonly id: string;
  /** The start of the past, at a full hour. */
  readonly fromMs: number;
  /** The outages in chronological order and without overlap. All outages end before the current hour. */
  readonly outages: readonly PastOutage[];
  /** One summary for each whole hour, starting with `fromMs`. An hour with `checks` is summed up from the checks. */
  readonly hours: readonly Summary[];
  /** Returns the passed checks of a region in the last hours. Checks after the creation of the resource are left out. */
  readonly checks: (region: string) => readonly PastCheck[];
}

interface PastCheck {
  readonly slotMs: number;
  readonly responseTimeMs: number;
}

export async function seedHistory(models: Models, past: Past): Promise<void> {
  const { kind, id, fromMs, hours, checks } = past;
  const begun = { $set: { createdAtMs: fromMs } };
  const resource =
    kind === 'monitor'
      ? await models.monitors.findOneAndUpdate({ _id: id }, begun).lean()
      : await models.scenarios.findOneAndUpdate({ _id: id }, begun).lean();
  if (resource === null) return;
  const { accountId, regions, createdAtMs } = resource;
  await insertOutages(models, past, { accountId, regions });
  const hourly = hours.map((summary, index) => ({ startMs: fromMs + index * HOUR_MS, summary }));
  const endMs = fromMs + hours.length * HOUR_MS;
  for (const region of regions) {
    const source = { accountId, id, region };
    const earlier = checks(region).filter(({ slotMs }) => slotMs < createdAtMs);
    await insertChecks(models.results, source, earlier);
    const summaries = hourly.map((hour) => sumChecks(earlier, hour));
    await insertSummaries(models.summaries, source, { grain: 'h', summaries });
    await insertSummaries(models.summaries, source, {
      grain: 'd',
      summaries: sumDays(summaries, endMs),
    });
  }
  await noteSummaries(models.statuses, { accountId, id }, endMs);
}

const INSERTED_AT_ONCE = 1_000;

async function insertChecks(
  results: Models['results'],
  { accountId, id: monitorId, region }: SummarySource,
  checks: readonly PastCheck[],
): Promise<void> {
  const documents = checks.map(({ slotMs, responseTimeMs }) =>
    toResultDocument({
      id: buildFirstResultId(monitorId, region, slotMs),
      accountId,
      monitorId,
      revision: 1,
      region,
      slotMs,
      kind: 'scheduled',
      trigger: 'schedule',
      status: 'up',
      inMaintenance: false,
      responseTimeMs,
      outcome: null,
      gap: null,
    }),
  );
  for (let at = 0; at < documents.length; at += INSERTED_AT_ONCE)
    await results.insertMany(documents.slice(at, at + INSERTED_AT_ONCE), { lean: true });
}

interface Owner {
  readonly accountId: string;
  readonly regions: readonly string[];
}

async function insertOutages(
  models: Models,
  { kind, id, fromMs, outages }: Past,
  { accountId, regions }: Owner,
): Promise<void> {
  const turns = outages.flatMap((outage) => [
    { atMs: outage.fromMs, health: 'down' as const },
    { atMs: outage.toMs, health: 'up' as const },
  ]);
  const changes = [null, ...regions].flatMap((region) =>
    [{ atMs: fromMs, health: 'up' as const }, ...turns].map((change) => ({ ...change, region })),
  );
  await insertChanges(models.healthChanges, { accountId, id }, { changes, excludedPeriods: [] });
  for (const { fromMs: openedAtMs, toMs: closedAtMs, cause } of outages) {
    const suffix = Buffer.from(id.slice(-10));
    const incident = {
      id: `inc_${buildUlid(openedAtMs, suffix)}`,
      accountId,
      resourceType: kind,
      resourceId: id,
      openedAtMs,
      closedAtMs,
      cause,
      // Real incidents of heartbeats have no regions either.
      regions: regions.filter((region) => region !== HEARTBEAT_REGION),
      firstResultId: null,
      firstRunId: null,
    };
    await saveIncident(models.incidents, incident, closedAtMs);
    await insertAlerts(models, incident);
  }
}

/** How long after the failure or the recovery the made-up alert was sent. */
const SENT_AFTER_MS = 2_000;

interface PastIncident {
  readonly id: string;
  readonly accountId: string;
  readonly resourceId: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number;
}

/** Stores an alert of the failure and one of the recovery, sent to the account's default channel if it has one. */
async function insertAlerts(models: Models, incident: PastIncident): Promise<void> {
  const { id: incidentId, accountId, resourceId, openedAtMs, closedAtMs } = incident;
  const channel = await models.alertChannels.findOne({ accountId, isDefault: true }).lean();
  if (channel === null) return;
  const moments = [
    ['failure', openedAtMs],
    ['recovery', closedAtMs],
  ] as const;
  const documents = moments.map(([kind, atMs]) => ({
    _id: `alr_${buildUlid(atMs, Buffer.from(incidentId.slice(-10)))}`,
    accountId,
    incidentId,
    resourceId,
    kind,
    channelId: channel._id,
    channelType: channel.type,
    recipient: channel.places[0]?.shown ?? '',
    status: 'sent' as const,
    attempts: [
      { atMs: atMs + SENT_AFTER_MS, outcome: 'sent' as const, detail: 'Receiver response: 200.' },
    ],
    sequence: 1,
    createdAtMs: atMs,
    sentAtMs: atMs + SENT_AFTER_MS,
  }));
  await models.alerts.insertMany(documents);
}

interface Summarised {
  readonly startMs: number;
  readonly summary: Summary;
}

/** Sums up the checks of an hour. Returns the given summary for an hour that began before the first check. */
function sumChecks(checks: readonly PastCheck[], { startMs, summary }: Summarised): Summarised {
  const [first] = checks;
  if (first === undefined || startMs < first.slotMs) return { startMs, summary };
  const span = { fromMs: startMs, toMs: startMs + HOUR_MS };
  const passed = checks
    .filter(({ slotMs }) => slotMs >= span.fromMs && slotMs < span.toMs)
    .map(({ responseTimeMs }) => ({ status: 'up' as const, responseTimeMs }));
  return { startMs, summary: summarise(passed, [], span) };
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
