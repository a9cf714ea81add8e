/** Converts a check or gap to the form that /v1 returns (docs/api.md). */

import type { Failure } from '../../contracts/outcome';
import type { Gap } from '../../contracts/records';
import { findCertificate } from '../../domain/health/ending-facts';
import type { Result } from '../../models/results/result';
import type { ResultResponse } from '../../schemas/responses/checks';
import { toInstant } from '../lists/instants';
import { presentRequest, presentResponse, presentTimings } from './present-evidence';

const GAP_SENTENCES: Record<Gap['reason'], string> = {
  missed: 'The service was away when these slots were due.',
  overrun: 'The check before took longer than the interval.',
  worker_lost: 'The probe that ran the check before was lost.',
};

export function presentResult(result: Result): ResultResponse {
  const { outcome, gap, status } = result;
  return {
    id: result.id,
    monitorId: result.monitorId,
    revision: result.revision,
    slot: toInstant(result.slotMs),
    kind: result.kind,
    trigger: result.trigger,
    region: result.region,
    status,
    ok: status === 'up' || status === 'degraded',
    inMaintenance: result.inMaintenance,
    startedAt: outcome?.startedAt ?? null,
    finishedAt: outcome?.finishedAt ?? null,
    responseTimeMs: outcome?.responseTimeMs ?? null,
    timings: presentTimings(outcome?.timings ?? null),
    request: presentRequest(outcome?.request ?? null),
    response: presentResponse(outcome?.response ?? null),
    tls: outcome && findCertificate(outcome),
    assertions: outcome?.assertions ?? [],
    failure: outcome?.failure ?? gapFailure(gap),
    job: outcome?.job ?? null,
    attempts: outcome?.attempts ?? [],
    gap: gap === null ? null : presentGap(gap),
    requestIds: result.requestIds ?? [],
  };
}

function gapFailure(gap: Gap | null): Failure | null {
  return gap === null ? null : { code: 'missed', message: GAP_SENTENCES[gap.reason], phase: null };
}

function presentGap({ reason, fromSlotMs, toSlotMs, slots }: Gap): ResultResponse['gap'] {
  return { reason, from: toInstant(fromSlotMs), to: toInstant(toSlotMs), slots };
}
