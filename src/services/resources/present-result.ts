/** One check, or one named gap, as /v1 answers it (docs/api.md). */
import type {
  AssertionOutcome,
  Attempt,
  CheckStatus,
  Failure,
  Timings,
  TlsFacts,
} from '../../contracts/outcome';
import type { Gap } from '../../contracts/records';
import type { Result } from '../../models/results/result';
import { toInstant } from '../lists/instants';
import {
  presentRequest,
  presentResponse,
  type RequestResponse,
  type ResponseResponse,
} from './present-evidence';

export interface ResultResponse {
  readonly id: string;
  readonly monitorId: string;
  readonly monitorVersion: number;
  readonly slot: string;
  readonly kind: 'scheduled' | 'manual';
  readonly trigger: 'save' | 'schedule' | 'manual';
  readonly region: string;
  readonly status: CheckStatus;
  readonly ok: boolean;
  readonly inMaintenance: boolean;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly responseTimeMs: number | null;
  readonly timings: Timings | null;
  readonly request: RequestResponse | null;
  readonly response: ResponseResponse | null;
  readonly tls: TlsFacts | null;
  readonly assertions: readonly AssertionOutcome[];
  readonly failure: Failure | null;
  readonly attempts: readonly Attempt[];
  /** Slots that were not run; then nothing was measured and the status is unknown. */
  readonly gap: GapAnswer | null;
  /** Of the requests to check now that this one check carried out. */
  readonly requestIds: readonly string[];
}

interface GapAnswer {
  readonly reason: Gap['reason'];
  readonly from: string;
  readonly to: string;
  readonly slots: number;
}

const GAP_SENTENCES: Record<Gap['reason'], string> = {
  missed: 'The service was away when these slots were due.',
  overrun: 'The check before took longer than the interval.',
  worker_lost: 'The worker that ran the check before was lost.',
};

export function presentResult(row: Result): ResultResponse {
  const { outcome, gap, status } = row;
  return {
    id: row.id,
    monitorId: row.monitorId,
    monitorVersion: row.revision,
    slot: toInstant(row.slotMs),
    kind: row.kind,
    trigger: row.trigger,
    region: row.region,
    status,
    ok: status === 'up' || status === 'degraded',
    inMaintenance: row.inMaintenance,
    startedAt: outcome?.startedAt ?? null,
    finishedAt: outcome?.finishedAt ?? null,
    responseTimeMs: outcome?.responseTimeMs ?? null,
    timings: outcome?.timings ?? null,
    request: presentRequest(outcome?.request ?? null),
    response: presentResponse(outcome?.response ?? null),
    tls: outcome?.tls ?? null,
    assertions: outcome?.assertions ?? [],
    failure: outcome?.failure ?? gapFailure(gap),
    attempts: outcome?.attempts ?? [],
    gap: gap === null ? null : presentGap(gap),
    requestIds: row.requestIds ?? [],
  };
}

function gapFailure(gap: Gap | null): Failure | null {
  return gap === null ? null : { code: 'missed', message: GAP_SENTENCES[gap.reason], phase: null };
}

function presentGap({ reason, fromSlotMs, toSlotMs, slots }: Gap): GapAnswer {
  return { reason, from: toInstant(fromSlotMs), to: toInstant(toSlotMs), slots };
}
