/** Handles rounds of a scenario. The runs of a round are started together and recorded together when all have ended. */
import { CancellationScope, uuid4, workflowInfo } from '@temporalio/workflow';
import type { Gap, ScenarioSlotRecord } from '../../contracts/records';
import type { ScenarioRunInput } from '../../contracts/scenario-run';
import type { ScenarioConfig, ScenarioState } from '../../contracts/workflows';
import { EVERY_SLOT_COUNTS, judgeRun } from '../../domain/health/health';
import { isOutsideHours } from '../../domain/health/maintenance';
import { type Finding, raiseAlerts, warnAboutCertificates } from '../loop/alerting';
import { readGridSlot } from '../loop/grid-slot';
import type { WorkflowContext } from '../loop/handlers';
import { nextSlotMs, withOutlasted } from '../loop/keep-time';
import { computeHealth, withoutFormerRegions } from '../loop/region-health';
import { noteCheck } from '../loop/report-health';
import {
  type FinishedRun,
  findCertificateDates,
  listRunCertificates,
} from '../loop/seen-certificates';
import { storeRecord } from '../loop/store-record';
import { executeRun } from '../run/execute-run';
import { createRun } from '../run/run-record';
import type { RunRequests } from './run-requests';
import { showScenario } from './show-scenario';
import { computeLongestRunMs, followRun, type StartedRun, startRun } from './start-run';

/** A round: runs that were started together, and the data to record when they end. */
export interface Round {
  readonly config: ScenarioConfig;
  readonly inputs: readonly ScenarioRunInput[];
  readonly slotMs: number;
  readonly gap: Gap | null;
  /** Which record the end of the round gets. `nothing` means that the records of the runs are enough. */
  readonly counts: 'schedule' | 'manual' | 'nothing';
  readonly notify: boolean;
  readonly inMaintenance: boolean;
  readonly startedAtMs: number;
}

interface FinishedRound {
  readonly round: Round;
  readonly runs: readonly FinishedRun[];
  readonly close: () => void;
}

export interface ScenarioContext extends WorkflowContext<ScenarioState>, RunRequests {
  /** The scheduled round in progress, or null. Two scheduled rounds never run at the same time. */
  slotRound: Round | null;
  /** Number of rounds that are being started or recorded. The workflow must not continue as new before they are. */
  openRounds: number;
  readonly finished: FinishedRound[];
  /** False in an execution that an earlier release began. In such an execution, each run has a workflow of its own. */
  readonly carriesOutRuns: boolean;
  /** A bug of our own that occurred in the background. It fails the workflow task. */
  fault: unknown;
}

/** Starts the runs of a round and waits for their ends in the background. */
export function openRound(context: ScenarioContext, round: Round): void {
  const isRecorded = round.counts !== 'nothing';
  context.openRounds += 1;
  const close = (): void => {
    context.openRounds -= 1;
    context.woken = true;
  };
  carryOn(context, async () => {
    const children = await Promise.all(
      round.inputs.map((input) => startRunInRound(context, input)),
    );
    if (!isRecorded) close();
    const started = children.filter((child) => child !== null);
    const runs = await Promise.all(started.map((child) => followRunInRound(context, child)));
    if (isRecorded) context.finished.push({ round, runs, close });
  });
}

/**
 * Runs `work` in the background, protected from cancellation, because a child that is cancelled before its start would
 * never report. If `work` fails, the workflow task fails.
 */
export function carryOn(context: ScenarioContext, work: () => Promise<void>): void {
  CancellationScope.nonCancellable(work)
    .catch((error: unknown) => {
      context.fault = error;
    })
    .finally(() => {
      context.woken = true;
    });
}

async function startRunInRound(
  context: ScenarioContext,
  input: ScenarioRunInput,
): Promise<StartedRun | null> {
  const { runId } = input;
  if (isCarriedOutHere(context, input)) return carryOut(context, input);
  context.runs.set(runId, 'starting');
  const child = await startRun(input);
  if (child === null) context.runs.delete(runId);
  else context.runs.set(runId, 'running');
  context.woken = true;
  return child;
}

/**
 * Returns true for a run without waits and repeated steps. Every other run gets a workflow of its own, because it may
 * take hours. The scenario must be able to continue as new meanwhile.
 */
function isCarriedOutHere(
  { carriesOutRuns }: ScenarioContext,
  { steps }: ScenarioRunInput,
): boolean {
  return carriesOutRuns && steps.every(({ waitMs, until }) => waitMs === 0 && until === null);
}

/** Begins to carry out the run in this workflow. */
function carryOut(context: ScenarioContext, input: ScenarioRunInput): StartedRun {
  const { runId } = input;
  const run = createRun({ ...input, executionId: workflowInfo().runId }, Date.now(), uuid4());
  const scope = new CancellationScope();
  context.runs.set(runId, 'running');
  context.runsHere.set(runId, { run, scope });
  const show = (): void => showScenario(context);
  // Never called here. Only a run with a repeated step starts over, and such a run has its own workflow.
  const startOver = async (): Promise<void> => undefined;
  const ended = scope
    .run(() => executeRun(run, { show, startOver }))
    .finally(() => context.runsHere.delete(runId));
  return { input, result: () => ended };
}

async function followRunInRound(context: ScenarioContext, run: StartedRun): Promise<FinishedRun> {
  const finished = await followRun(run);
  context.runs.set(finished.runId, 'ended');
  context.cancelling.delete(finished.runId);
  context.woken = true;
  return finished;
}

/** Updates the health, raises alerts and records the round. The call must not be cancelled once it has begun. */
export async function recordRound(
  context: ScenarioContext,
  round: Round,
  runs: readonly FinishedRun[],
): Promise<void> {
  if (round.counts === 'schedule') context.slotRound = null;
  // All runs of this round had been started before, by an earlier copy of the same request.
  else if (runs.length === 0) return;
  noteOverrun(context, round, runs);
  const { config, slotMs, gap } = round;
  const observed = withoutFormerRegions(context.state, config.regions, runs);
  const observations = observed.map(({ region, status, durationMs }) => ({
    region,
    status: judgeRun(status),
    responseTimeMs: durationMs,
  }));
  const { excludedPeriods, maintenance } = context.state;
  const health = computeHealth(context.state, { atMs: slotMs, observations }, EVERY_SLOT_COUNTS);
  context.state = { ...context.state, health, excludedPeriods: [] };
  const isMuted = !round.notify || round.inMaintenance || isOutsideHours(maintenance, Date.now());
  const finding: Finding = {
    kind: 'scenario',
    slotMs,
    health,
    ...findCause(observed),
    assertion: null,
    isMuted,
    beganAtMs: round.startedAtMs,
  };
  const alerted = await raiseAlerts(context, finding);
  noteCheck(context, round.startedAtMs);
  await warnAboutCertificates(context, finding, listRunCertificates(observed, config));
  const [region = ''] = config.regions;
  // The gap and the health are recorded even if no run could be started.
  const ended = runs.length > 0 ? runs : [{ runId: null, region, status: null, durationMs: null }];
  for (const [index, run] of ended.entries()) {
    const record: ScenarioSlotRecord = {
      accountId: config.accountId,
      scenarioId: config.id,
      slotMs,
      kind: round.counts === 'manual' ? 'manual' : 'scheduled',
      ...(index === 0 ? alerted : { ...alerted, incident: null }),
      inMaintenance: round.inMaintenance,
      runId: run.runId,
      runStatus: run.status,
      durationMs: run.durationMs,
      region: run.region,
      ...findCertificateDates(observed, config),
      gap: index === 0 ? gap : null,
      excludedPeriods: index === 0 ? excludedPeriods : [],
      ...standingNow(context),
      ...(round.counts === 'manual' && readGridSlot(context.state, context.slotRound)),
    };
    await storeRecord(context, { kind: 'scenario', record });
  }
}

/**
 * Returns the current health and next slot. Called when a record is written, because the configuration may have changed
 * since the round began.
 */
function standingNow({ state }: ScenarioContext) {
  const { health, sinceMs: healthSinceMs, regions: regionsHealth } = state.health;
  return { health, healthSinceMs, regionsHealth, nextSlotMs: nextSlotMs(state, Date.now()) };
}

/** Returns the cause of the failed round: the failure of the first failed run. */
function findCause(
  runs: readonly FinishedRun[],
): Pick<Finding, 'cause' | 'regions' | 'firstRunId' | 'buildDetails'> {
  const failed = runs.filter(({ status }) => judgeRun(status) === 'down');
  const failure = failed[0]?.failure ?? null;
  const exchange = failed[0]?.exchange ?? null;
  return {
    cause: failure === null ? null : { code: failure.code, message: failure.message },
    regions: failed.map(({ region }) => region),
    firstRunId: failed[0]?.runId ?? null,
    buildDetails: () => ({ exchange, passing: null, degradedCause: null }),
  };
}

/** Skips the slots that became due while the round was running. The next round records them as a gap. */
function noteOverrun(context: ScenarioContext, round: Round, runs: readonly FinishedRun[]): void {
  const { config, gap, counts, startedAtMs } = round;
  const nowMs = Date.now();
  const elapsedMs = nowMs - startedAtMs;
  const isOverrun = elapsedMs >= config.intervalMs && elapsedMs <= computeLongestRunMs(config);
  const isSameGrid = context.state.config.anchorMs === config.anchorMs;
  if (counts !== 'schedule' || gap !== null || !isOverrun || !isSameGrid) return;
  const isLost = runs.some(({ failure }) => failure?.code === 'worker_lost');
  const passed = { config, nowMs, reason: isLost ? 'worker_lost' : 'overrun' } as const;
  context.state = withOutlasted(context.state, passed);
}
