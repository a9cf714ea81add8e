/** Runs a scenario outside its schedule: the run is stored as queued, then the workflow is asked. */
import type { JsonValue } from '../contracts/definition';
import { isFinished, type RunRecord } from '../contracts/records';
import type { ManualRun } from '../contracts/workflows';
import { AppError } from '../platform/errors';
import type { RunScenarioBody } from '../schemas/scenario';
import { scenarioConfigOf } from './compose-config';
import type { Dependencies } from './dependencies';
import { refuseProblems } from './field-problems';
import { waitForEnd } from './get-run';
import { presentRun, type RunAnswer } from './present-run';
import type { Principal } from './principal';
import { knownRegions } from './regions';
import { scenarioPort } from './resource-port';
import type { ScenarioRow } from './rows';
import { findLiveRow } from './save-resource';

const ENGINE_ANSWERS_WITHIN_MS = 2000;

export interface RunScenario {
  readonly id: string;
  readonly body: RunScenarioBody;
  readonly waitSeconds: number;
}

export interface RunStarted {
  readonly run: RunAnswer;
  readonly isFinished: boolean;
}

/**
 * Answers with the queued run, or with the finished one when it ends within the wait. A paused
 * scenario can be run by hand: only its schedule rests. Throws `not_found`, `unknown_region` or
 * `engine_unavailable`.
 */
export async function runScenario(
  needs: Dependencies,
  principal: Principal,
  request: RunScenario,
): Promise<RunStarted> {
  const { accountId } = principal;
  const row = await findLiveRow(scenarioPort(needs), accountId, request.id);
  await needs.gateway.ping(ENGINE_ANSWERS_WITHIN_MS);
  const run = await queuedRun(needs, row, { principal, body: request.body });
  await needs.stores.runs.save(accountId, run);
  await signal(needs, row, { run, variables: request.body.variables });
  const { waitSeconds } = request;
  const seen = await waitForEnd(needs, accountId, {
    scenarioId: row.id,
    runId: run.runId,
    waitSeconds,
  });
  return { run: presentRun(needs, seen), isFinished: isFinished(seen.status) };
}

async function queuedRun(
  needs: Dependencies,
  row: ScenarioRow,
  { principal, body }: { readonly principal: Principal; readonly body: RunScenarioBody },
): Promise<RunRecord> {
  const nowMs = needs.clock.now();
  return {
    accountId: row.accountId,
    scenarioId: row.id,
    runId: needs.newId('run'),
    rev: row.rev,
    region: await regionOf(needs, row, body.region),
    trigger: principal.actor.type === 'user' ? 'manual' : 'api',
    label: body.label,
    status: 'queued',
    progress: 0,
    slotMs: nowMs,
    queuedAtMs: nowMs,
    startedAtMs: null,
    finishedAtMs: null,
    steps: row.steps.map(({ name, method }, index) => ({
      index,
      name,
      method,
      status: 'pending',
      outcome: null,
      skippedReason: null,
    })),
    failure: null,
    countedInUptime: body.countInUptime,
  };
}

async function regionOf(
  needs: Dependencies,
  row: ScenarioRow,
  named: string | undefined,
): Promise<string> {
  const known = await knownRegions(needs);
  if (named !== undefined && !known.includes(named)) {
    const message = `names no region; known are ${known.join(', ')}`;
    refuseProblems([{ path: 'region', code: 'unknown_region', message }]);
  }
  const region = named ?? row.regions[0];
  if (region === undefined) throw new AppError('internal', 'This scenario has no region.');
  return region;
}

async function signal(
  needs: Dependencies,
  row: ScenarioRow,
  {
    run,
    variables,
  }: { readonly run: RunRecord; readonly variables: Readonly<Record<string, JsonValue>> },
): Promise<void> {
  const { runId, region, trigger, label, queuedAtMs } = run;
  const manual: ManualRun = {
    runId,
    region,
    trigger,
    label,
    variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
    queuedAtMs,
    countInUptime: run.countedInUptime,
  };
  try {
    await needs.gateway.runScenarioNow(scenarioConfigOf(row, needs.clock.now()), manual);
  } catch (reason) {
    await markNotStarted(needs, run);
    throw reason;
  }
}

/** The history must not show a run as queued that nobody will ever begin. */
async function markNotStarted({ stores, clock }: Dependencies, run: RunRecord): Promise<void> {
  const failure = {
    code: 'internal_error',
    message: 'The run could not be handed to the workflow engine.',
    phase: null,
    stepIndex: null,
    stepName: null,
  } as const;
  await stores.runs.save(run.accountId, {
    ...run,
    status: 'error',
    progress: 1,
    finishedAtMs: clock.now(),
    failure,
  });
}
