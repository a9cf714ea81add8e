/** What passing checks and runs leave as evidence, and what is kept of them without it. Pure. */
import { isFinished, type MonitorCheckRecord, type RunRecord } from '../../contracts/records';
import { evidenceOf, isPassing, withoutEvidence } from '../../domain/health/evidence';
import { resultId } from '../../domain/health/result-id';
import type { EvidenceRecord } from '../../models/results/evidence';

/** What the passing checks of a slot leave. */
export function evidenceOfSlot({
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
    const evidence = isPassing(outcome) ? evidenceOf(outcome) : null;
    if (evidence === null) return [];
    const id = resultId({ monitorId, region, slotMs, kind });
    const record = { accountId, resourceId: monitorId, region, resultId: id };
    return [{ ...record, atMs: slotMs, steps: [evidence] }];
  });
}

/** The run as it is kept, and what it leaves: one that passed keeps no evidence itself. */
export function partRun(run: RunRecord): {
  readonly kept: RunRecord;
  readonly records: readonly EvidenceRecord[];
} {
  const hasPassed = isFinished(run.status) && ['passed', 'degraded'].includes(run.status);
  if (!hasPassed) return { kept: run, records: [] };
  const { accountId, scenarioId: resourceId, region, runId, finishedAtMs, slotMs } = run;
  const evidence = run.steps.map(({ outcome }) => (outcome === null ? null : evidenceOf(outcome)));
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
