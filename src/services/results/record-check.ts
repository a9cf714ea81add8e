/**
 * Records one slot in the database. Idempotent, so that a repeated call can complete the record after a crash. Results
 * are written before the status, so that the summary of a past hour includes them.
 */

import type { RecordOutcome } from '../../contracts/activities';
import type { SignInFailure } from '../../contracts/alerting/identity-providers';
import type {
  IncidentDecisionRecord,
  MonitorCheckRecord,
  RunRecord,
  ScenarioSlotRecord,
} from '../../contracts/records';
import { buildResultId } from '../../domain/health/result-id';
import { findPeriodStart, HOUR_MS } from '../../domain/health/summary';
import type { IncidentChange } from '../../models/alerting/save-incident';
import type { Owner, RecordWrites } from '../../models/results/record-writes';
import type { Result } from '../../models/results/result';
import type { StatusChange } from '../../models/results/statuses';
import { buildIdentityProviderId, listCheckFailures, listRunFailures } from './sign-in-failures';
import {
  listSlotFailures,
  readRunFailure,
  readSlotEvidence,
  separateEvidence,
} from './slot-evidence';
import { buildCheckResults, buildRunResults, withoutNamed } from './slot-results';
import { buildTimeline } from './slot-timeline';
import { buildMonitorChange, buildScenarioChange } from './status-changes';
import { closeHours } from './sum-up-hours';

/** Records checks, with one call per slot. Idempotent by slot. */
export interface CheckRecorder {
  readonly recordMonitorCheck: (record: MonitorCheckRecord) => Promise<RecordOutcome>;
  readonly recordScenarioSlot: (record: ScenarioSlotRecord) => Promise<RecordOutcome>;
  readonly saveRun: (run: RunRecord) => Promise<RecordOutcome>;
  /**
   * Stores decisions about an incident. Returns false if the incident is not stored, or if newer decisions are already
   * stored.
   */
  readonly saveDecisions: (record: IncidentDecisionRecord) => Promise<boolean>;
}

const GONE: RecordOutcome = { gone: true };
const KEPT: RecordOutcome = { gone: false };

export function createCheckRecorder(writes: RecordWrites): CheckRecorder {
  return {
    async recordMonitorCheck(record) {
      const slot = { ...record, id: record.monitorId };
      const left = { results: buildCheckResults(record), change: buildMonitorChange(record) };
      return storeSlot(writes, slot, left);
    },
    async recordScenarioSlot(record) {
      const slot = { ...record, id: record.scenarioId };
      const left = { results: buildRunResults(record), change: buildScenarioChange(record) };
      return storeSlot(writes, slot, left);
    },
    saveDecisions: ({ accountId, incident }) => writes.saveDecisions({ ...incident, accountId }),
    async saveRun(run) {
      const owner = { accountId: run.accountId, id: run.scenarioId };
      if (!(await writes.isStatusPresent(owner))) return GONE;
      await saveSignInFailures(writes, listRunFailures(run));
      const { kept, records } = separateEvidence(run);
      await writes.keepEvidenceBefore(readRunFailure(run));
      await writes.saveEvidence(records);
      return (await writes.saveRun(kept)) ? KEPT : GONE;
    },
  };
}

type Slot = (MonitorCheckRecord | ScenarioSlotRecord) & Owner;

/** Stores results, status, incident, timeline and, once an hour, summaries. */
async function storeSlot(
  writes: RecordWrites,
  slot: Slot,
  { results, change }: { readonly results: readonly Result[]; readonly change: StatusChange },
): Promise<RecordOutcome> {
  // Failed sign-ins are stored before the status, so that everyone who reads the status also finds its failures.
  if ('monitorId' in slot) await saveSignInFailures(writes, listCheckFailures(slot));
  await writes.insertResults(await withoutStoredGaps(writes, slot.id, results));
  const stored = await writes.advanceStatus(change);
  if (stored.kind === 'gone') {
    await writes.deleteResults(results);
    return GONE;
  }
  if ('monitorId' in slot) {
    await writes.keepEvidenceBefore(listSlotFailures(slot));
    await writes.saveEvidence(readSlotEvidence(slot));
  }
  const incident = buildIncidentChange(slot);
  if (incident !== null) await writes.saveIncident(incident);
  await writes.insertChanges(slot, buildTimeline(slot));
  if (stored.kind === 'later') {
    await sumUpAgain(writes, slot, { results, lastSlotMs: stored.lastSlotMs });
    return KEPT;
  }
  const { summarisedUntilMs, regions: formerRegions } = stored;
  await closeHours(writes, slot, {
    summarisedUntilMs,
    formerRegions,
    regions: listRegions(results),
  });
  return KEPT;
}

async function saveSignInFailures(
  writes: RecordWrites,
  failures: readonly SignInFailure[],
): Promise<void> {
  for (const failure of failures)
    await writes.saveSignInFailure(failure, buildIdentityProviderId(failure));
}

/**
 * Leaves out slots that a stored gap of the same region contains. A watch or another record may have stored an
 * overlapping gap.
 */
async function withoutStoredGaps(
  writes: RecordWrites,
  monitorId: string,
  results: readonly Result[],
): Promise<readonly Result[]> {
  const gaps = results.filter(({ gap }) => gap !== null);
  const left = await Promise.all(
    listRegions(gaps).map(async (region) => {
      const own = gaps.filter((result) => result.region === region);
      const fromSlotMs = Math.min(...own.map(({ slotMs }) => slotMs));
      const toSlotMs = Math.max(...own.map(({ slotMs }) => slotMs));
      return withoutNamed(own, await writes.readGaps({ monitorId, region, fromSlotMs, toSlotMs }));
    }),
  );
  return [...results.filter(({ gap }) => gap === null), ...left.flat()];
}

function listRegions(results: readonly Result[]): readonly string[] {
  return [...new Set(results.map(({ region }) => region))];
}

/** If an hour was already summarised when one of its slots is recorded, computes the summary again. */
async function sumUpAgain(
  writes: RecordWrites,
  { accountId, id }: Slot,
  { results, lastSlotMs }: { readonly results: readonly Result[]; readonly lastSlotMs: number },
): Promise<void> {
  const endedMs = findPeriodStart(HOUR_MS, lastSlotMs);
  const slots = results.flatMap(({ slotMs, gap }) => [slotMs, gap?.toSlotMs ?? slotMs]);
  const fromMs = findPeriodStart(HOUR_MS, Math.min(...slots));
  const toMs = Math.min(endedMs, findPeriodStart(HOUR_MS, Math.max(...slots)) + HOUR_MS);
  if (fromMs >= toMs) return;
  for (const region of listRegions(results))
    await writes.summariseHours({ accountId, id, region }, { fromMs, toMs, endedMs });
}

/** Returns the incident that the slot opened or closed. null if there is none. */
function buildIncidentChange(slot: Slot): IncidentChange | null {
  const { incident, accountId, id } = slot;
  if (incident === null) return null;
  const isMonitor = 'monitorId' in slot;
  return {
    ...incident,
    accountId,
    resourceType: isMonitor ? 'monitor' : 'scenario',
    resourceId: id,
    firstResultId: isMonitor ? firstFailedResult(slot) : null,
  };
}

function firstFailedResult({
  monitorId,
  slotMs,
  kind,
  outcomes,
}: MonitorCheckRecord): string | null {
  const failed = outcomes.find(({ outcome }) => outcome.status === 'down');
  return failed === undefined
    ? null
    : buildResultId({ monitorId, region: failed.region, slotMs, kind });
}
