/** Builds the results of a recorded slot: one per region for the check, and one per region for a gap. */
import type { Gap, MonitorCheckRecord, ScenarioSlotRecord } from '../../contracts/records';
import { toStoredOutcome } from '../../domain/health/evidence';
import { judgeRun } from '../../domain/health/health';
import { buildResultId, withGap } from '../../domain/health/result-id';
import { cutGap } from '../../domain/health/schedule';
import type { Result } from '../../models/results/result';

/** Builds the results of a monitor's slot, and the results of the gap before the slot. */
export function buildCheckResults(record: MonitorCheckRecord): readonly Result[] {
  const { accountId, monitorId, revision, kind, trigger, slotMs, outcomes, gap } = record;
  const checks = outcomes.map(({ region, outcome }) => ({
    id: buildResultId({ monitorId, region, slotMs, kind }),
    accountId,
    monitorId,
    revision,
    region,
    slotMs,
    kind,
    trigger,
    status: outcome.status,
    inMaintenance: record.inMaintenance,
    responseTimeMs: outcome.responseTimeMs,
    outcome: toStoredOutcome(outcome),
    gap: null,
    ...(record.requestIds !== undefined && { requestIds: record.requestIds }),
  }));
  const checked = outcomes.map(({ region }) => region);
  const regions = checked.length > 0 ? checked : record.regionsHealth.map(({ region }) => region);
  const owner = { accountId, monitorId, revision, regions };
  return [...checks, ...buildGapResults(gap, owner), ...unconfirmedResults(record, owner)];
}

/** Builds one gap result per slot and region. A new result is dropped if something is already stored about its slot. */
function unconfirmedResults(
  { unconfirmed }: MonitorCheckRecord,
  owner: GapOwner,
): readonly Result[] {
  if (unconfirmed === undefined) return [];
  const { reason, fromSlotMs, toSlotMs, slots } = unconfirmed;
  const stepMs = slots > 1 ? (toSlotMs - fromSlotMs) / (slots - 1) : 0;
  return Array.from({ length: slots }, (_, index) => {
    const slotMs = fromSlotMs + index * stepMs;
    return buildGapResults({ reason, fromSlotMs: slotMs, toSlotMs: slotMs, slots: 1 }, owner);
  }).flat();
}

/** Builds the result of a run, and the results of the gap. The run itself is stored separately. */
export function buildRunResults(record: ScenarioSlotRecord): readonly Result[] {
  const { accountId, scenarioId, region, regionsHealth, gap } = record;
  const regions = [...new Set([region, ...regionsHealth.map((health) => health.region)])];
  const owner = { accountId, monitorId: scenarioId, revision: 0 };
  return [...countedRun(record), ...buildGapResults(gap, { ...owner, regions })];
}

function countedRun(record: ScenarioSlotRecord): readonly Result[] {
  const { accountId, scenarioId, region, slotMs, kind, runStatus, durationMs } = record;
  if (runStatus === null) return [];
  return [
    {
      id: buildResultId({ monitorId: scenarioId, region, slotMs, kind }),
      accountId,
      monitorId: scenarioId,
      revision: 0,
      region,
      slotMs,
      kind,
      trigger: kind === 'manual' ? 'manual' : 'schedule',
      status: judgeRun(runStatus),
      inMaintenance: record.inMaintenance,
      responseTimeMs: durationMs,
      outcome: null,
      gap: null,
    },
  ];
}

type Owner = Pick<Result, 'accountId' | 'monitorId' | 'revision'>;

/** Builds the result of a scheduled check outside of maintenance. */
export function buildScheduledResult(
  { accountId, monitorId, revision }: Owner,
  { region, slotMs }: Pick<Result, 'region' | 'slotMs'>,
  found: Pick<Result, 'status' | 'responseTimeMs' | 'outcome' | 'gap'>,
): Result {
  return {
    id: buildResultId({ monitorId, region, slotMs, kind: 'scheduled' }),
    accountId,
    monitorId,
    revision,
    region,
    slotMs,
    kind: 'scheduled',
    trigger: 'schedule',
    inMaintenance: false,
    ...found,
  };
}

export interface GapOwner extends Owner {
  readonly regions: readonly string[];
}

/** Builds the results of a gap. A gap is stored at its first slot. */
export function buildGapResults(gap: Gap | null, owner: GapOwner): readonly Result[] {
  if (gap === null) return [];
  const slotMs = gap.fromSlotMs;
  const found = { status: 'unknown', responseTimeMs: null, outcome: null, gap } as const;
  return owner.regions.map((region) => buildScheduledResult(owner, { region, slotMs }, found));
}

/**
 * Leaves out slots that stored gaps of the same region contain. Handles only stored gaps that begin earlier. If a
 * stored gap begins at the same slot, `insertResults` shortens the new gap.
 */
export function withoutNamed(
  results: readonly Result[],
  stored: readonly Gap[],
): readonly Result[] {
  return results.flatMap((result) => {
    const { gap } = result;
    if (gap === null) return [result];
    const { fromSlotMs: fromMs } = gap;
    const named = stored.filter((one) => one.fromSlotMs < fromMs && one.toSlotMs >= fromMs);
    if (named.length === 0) return [result];
    const untilMs = Math.max(...named.map(({ toSlotMs }) => toSlotMs));
    return untilMs < gap.toSlotMs ? [withGap(result, cutGap(gap, untilMs) ?? gap)] : [];
  });
}
