/**
 * Separates evidence (requests and responses) from the records of checks and runs, and lists the checks that failed.
 * Pure.
 */
import { isFinished, type MonitorCheckRecord, type RunRecord } from '../../contracts/records';
import { isPassing, readEvidence, withoutEvidence } from '../../domain/health/evidence';
import { buildResultId } from '../../domain/health/result-id';
import type { EvidenceRecord, FailedAt } from '../../models/results/evidence';

/** Returns the evidence of those checks of a slot that passed. */
export function readSlotEvidence({
  accountId,
  monitorId,
  slotMs,
  kind,
  outcomes,
}: Pick<
  MonitorCheckRecord,
  'accountId' | 'monitorId' | 'slotMs' | 'kind' | 'outcomes'
>): readonly EvidenceRecord[] {
  return outcomes.flatMap(({ region, outcome }) => {
    const evidence = isPassing(outcome) ? readEvidence(outcome) : null;
    if (evidence === null) return [];
    const id = buildResultId({ monitorId, region, slotMs, kind });
    const record = { accountId, resourceId: monitorId, region, resultId: id };
    return [{ ...record, atMs: slotMs, steps: [evidence] }];
  });
}

/** Lists the failed checks of the slot, one per region. */
export function listSlotFailures({
  accountId,
  monitorId: resourceId,
  slotMs: atMs,
  outcomes,
}: Pick<
  MonitorCheckRecord,
  'accountId' | 'monitorId' | 'slotMs' | 'outcomes'
>): readonly FailedAt[] {
  return outcomes
    .filter(({ outcome }) => outcome.status === 'down')
    .map(({ region }) => ({ accountId, resourceId, region, atMs }));
}

const FAILED: readonly RunRecord['status'][] = ['failed', 'timed_out'];

export function readRunFailure(run: RunRecord): readonly FailedAt[] {
  const { accountId, scenarioId: resourceId, region, status, finishedAtMs, slotMs } = run;
  if (!FAILED.includes(status)) return [];
  return [{ accountId, resourceId, region, atMs: finishedAtMs ?? slotMs }];
}

/** Separates the evidence from a run that passed or was degraded. All other runs keep their evidence. */
export function separateEvidence(run: RunRecord): {
  readonly kept: RunRecord;
  readonly records: readonly EvidenceRecord[];
} {
  const hasPassed = isFinished(run.status) && ['passed', 'degraded'].includes(run.status);
  if (!hasPassed) return { kept: run, records: [] };
  const { accountId, scenarioId: resourceId, region, runId, finishedAtMs, slotMs } = run;
  const evidence = run.steps.map(({ outcome }) =>
    outcome === null ? null : readEvidence(outcome),
  );
  const steps = run.steps.map((step) => ({
    ...step,
    outcome: step.outcome === null ? null : withoutEvidence(step.outcome),
  }));
  const owner = { accountId, resourceId, region, resultId: runId };
  return {
    kept: { ...run, steps },
    records: [{ ...owner, atMs: finishedAtMs ?? slotMs, steps: evidence }],
  };
}
