/** The CSV columns of results and runs. JSON lines contain all fields; CSV contains the fields that tables need. */
import type { ResultResponse } from '../../../schemas/responses/checks';
import type { RunResponse } from '../../../schemas/responses/runs';
import type { Columns } from './csv-text';

export const RESULT_COLUMNS: Columns<ResultResponse> = {
  id: ({ id }) => id,
  slot: ({ slot }) => slot,
  region: ({ region }) => region,
  status: ({ status }) => status,
  kind: ({ kind }) => kind,
  trigger: ({ trigger }) => trigger,
  inMaintenance: ({ inMaintenance }) => inMaintenance,
  revision: ({ revision }) => revision,
  startedAt: ({ startedAt }) => startedAt,
  finishedAt: ({ finishedAt }) => finishedAt,
  responseTimeMs: ({ responseTimeMs }) => responseTimeMs,
  statusCode: ({ response }) => response?.status ?? null,
  failureCode: ({ failure }) => failure?.code ?? null,
  failureMessage: ({ failure }) => failure?.message ?? null,
  attempts: ({ attempts }) => attempts.length,
  gapReason: ({ gap }) => gap?.reason ?? null,
  gapTo: ({ gap }) => gap?.to ?? null,
  gapSlots: ({ gap }) => gap?.slots ?? null,
};

export const RUN_COLUMNS: Columns<RunResponse> = {
  id: ({ id }) => id,
  slot: ({ slot }) => slot,
  region: ({ region }) => region,
  status: ({ status }) => status,
  trigger: ({ trigger }) => trigger,
  label: ({ label }) => label,
  revision: ({ revision }) => revision,
  environment: ({ environment }) => environment,
  queuedAt: ({ queuedAt }) => queuedAt,
  startedAt: ({ startedAt }) => startedAt,
  finishedAt: ({ finishedAt }) => finishedAt,
  durationMs: ({ durationMs }) => durationMs,
  steps: ({ steps }) => steps.length,
  failedStep: ({ steps }) => steps.find(({ status }) => status === 'failed')?.name ?? null,
  failureCode: ({ failure }) => failure?.code ?? null,
  failureMessage: ({ failure }) => failure?.message ?? null,
  countedInUptime: ({ countedInUptime }) => countedInUptime,
};
