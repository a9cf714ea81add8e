/**
 * Runs the loop of one scenario. At each scheduled time, a run begins in each region, and people can also request runs.
 * Only a run that waits or repeats a step becomes a child workflow.
 */
import { CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow';
import type { Gap, RunTrigger } from '../../contracts/records';
import type { ManualRun, ScenarioState } from '../../contracts/workflows';
import { isHistoryLarge } from '../loop/continue';
import { createContext, handleLifecycle } from '../loop/handlers';
import {
  findNextAct,
  isFirstAfterSave,
  isInMaintenance,
  withFirstSlot,
  withSlotBegun,
} from '../loop/keep-time';
import { migrate } from '../loop/migrate';
import { handleHealthQuestions, takeWantedCheck } from '../loop/report-health';
import { type LiveStrategy, runLoop, sleepUntil } from '../loop/run-loop';
import { awaitStored, resumeStoring } from '../loop/store-record';
import {
  cancelHere,
  cancelRun,
  handleRunRequests,
  listRunsIn,
  takeRunsToCancel,
} from './run-requests';
import { carryOn, openRound, recordRound, type ScenarioContext } from './scenario-rounds';
import { showScenario } from './show-scenario';
import { buildManualRunInput, buildScheduledRunInput } from './start-run';

/**
 * Maximum number of runs that are begun at the same time. A scenario may have fewer unfinished requested runs than
 * this.
 */
const BEGUN_RUNS_MAX = 50;

/** Runs until the scenario is removed. Continues as new with its whole state. */
export async function scenarioWorkflow(given: ScenarioState): Promise<void> {
  const { begunRuns, ...state } = migrate(given);
  const context: ScenarioContext = {
    ...createContext({ ...state, begunRuns: begunRuns ?? [] }),
    carriesOutRuns: begunRuns !== undefined,
    runs: new Map(),
    runsHere: new Map(),
    toCancel: [],
    cancelling: new Set(),
    slotRound: null,
    openRounds: 0,
    finished: [],
    fault: null,
  };
  handleLifecycle(context);
  handleHealthQuestions(context, { kind: 'scenario', canCheck: true });
  handleRunRequests(context);
  context.state = withFirstSlot(context.state, workflowInfo().startTime.getTime());
  resumeStoring(context);
  let cancellation: unknown = null;
  try {
    await runLoop(context, strategy);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    cancellation = error;
  }
  await CancellationScope.nonCancellable(() => leaveInOrder(context));
  if (cancellation !== null) throw cancellation;
}

/** The purpose of a wait, in words for operators. */
const AWAITED = 'next run';

const strategy: LiveStrategy<ScenarioContext> = {
  kind: 'scenario',
  isBetweenActs: (context) =>
    context.openRounds === 0 &&
    context.runsHere.size === 0 &&
    context.fault === null &&
    !hasRunsToCancel(context),
  actOnRequests,
  actOnClock,
  show: showScenario,
};

/**
 * Cancels every run of this execution. Resolves when all cancellations are requested, and the runs that this workflow
 * carries out have ended. If an operator cancelled the workflow, the rounds are stored, too.
 */
async function leaveInOrder(context: ScenarioContext): Promise<void> {
  context.toCancel.push(...listRunsIn(context, 'starting'), ...listRunsIn(context, 'running'));
  for (;;) {
    context.woken = false;
    // Must come before the condition below: it removes ended runs from the list without waking the loop.
    cancelAsked(context);
    const isAwaited = context.runsHere.size > 0 || (!context.removed && context.openRounds > 0);
    if (!hasRunsToCancel(context) && !isAwaited) break;
    if (context.removed || !(await recordFinished(context))) await condition(() => context.woken);
    if (context.fault !== null) throw context.fault;
  }
  await awaitStored(context);
}

function hasRunsToCancel({ toCancel, cancelling }: ScenarioContext): boolean {
  return toCancel.length > 0 || cancelling.size > 0;
}

async function actOnRequests(context: ScenarioContext): Promise<boolean> {
  if (context.fault !== null) throw context.fault;
  cancelAsked(context);
  if (await recordFinished(context)) return true;
  if (context.slotRound === null && takeWantedCheck(context)) {
    startWanted(context);
    return true;
  }
  const [manual, ...later] = context.state.manual;
  if (manual === undefined || isEnding(context)) return false;
  const begun = [...(context.state.begunRuns ?? []), ...manual.runs.map(({ runId }) => runId)];
  context.state = { ...context.state, manual: later, begunRuns: begun.slice(-BEGUN_RUNS_MAX) };
  startManual(context, manual);
  return true;
}

async function actOnClock(context: ScenarioContext, nowMs: number): Promise<void> {
  const { slotRound, state } = context;
  const next = findNextAct(state, nowMs);
  // A round that becomes due while another round is open starts only after the open round has ended.
  const isHeldUp = slotRound !== null && (next.kind !== 'wait' || !state.config.paused);
  if (isHeldUp) await sleepUntil(context, null, AWAITED);
  else if (next.kind === 'wait') await sleepUntil(context, next.untilMs, AWAITED);
  else if (next.kind === 'slot') startSlot(context, next.slotMs, next.gap);
  else startSlot(context, nowMs, state.skipped);
}

/**
 * Returns true if the workflow must continue as new but still has to wait for the runs that it carries out. Meanwhile,
 * it begins no other runs.
 */
function isEnding({ runsHere, mustMoveOn }: ScenarioContext): boolean {
  return runsHere.size > 0 && (mustMoveOn || isHistoryLarge());
}

/** Starts to cancel runs in the background. Scheduled rounds do not wait for the cancellations. */
function cancelAsked(context: ScenarioContext): void {
  for (const runId of takeRunsToCancel(context)) {
    context.cancelling.add(runId);
    carryOn(context, async () => {
      const here = context.runsHere.get(runId);
      await (here === undefined ? cancelRun(runId) : cancelHere(here));
      context.cancelling.delete(runId);
    });
  }
}

/** Records a round that has ended. Returns false if there is none. */
async function recordFinished(context: ScenarioContext): Promise<boolean> {
  const finished = context.finished.shift();
  if (finished === undefined) return false;
  await CancellationScope.nonCancellable(() => recordRound(context, finished.round, finished.runs));
  finished.close();
  return true;
}

function startSlot(context: ScenarioContext, slotMs: number, gap: Gap | null): void {
  const { config } = context.state;
  const trigger: RunTrigger = isFirstAfterSave(context.state, slotMs) ? 'save' : 'schedule';
  const inputs = config.regions.map((region) =>
    buildScheduledRunInput(config, region, { slotMs, trigger }),
  );
  context.state = { ...withSlotBegun(context.state, slotMs), checkedRevision: config.revision };
  const startedAtMs = Date.now();
  const inMaintenance = isInMaintenance(context.state, startedAtMs);
  const round = { config, inputs, slotMs, gap, inMaintenance, startedAtMs, notify: true } as const;
  context.slotRound = { ...round, counts: 'schedule' };
  openRound(context, context.slotRound);
}

/** Starts a round for dependent resources, outside of the schedule. */
function startWanted(context: ScenarioContext): void {
  const { config, lastSlotMs } = context.state;
  const startedAtMs = Date.now();
  const slotMs = Math.max(startedAtMs, (lastSlotMs ?? 0) + 1);
  openRound(context, {
    config,
    inputs: config.regions.map((region) =>
      buildScheduledRunInput(config, region, { slotMs, trigger: 'schedule' }),
    ),
    slotMs,
    gap: null,
    counts: 'manual',
    notify: true,
    inMaintenance: isInMaintenance(context.state, startedAtMs),
    startedAtMs,
  });
}

function startManual(context: ScenarioContext, run: ManualRun): void {
  const { config, lastSlotMs } = context.state;
  const startedAtMs = Date.now();
  openRound(context, {
    config,
    inputs: run.runs.map((requested) => buildManualRunInput(config, run, requested)),
    // Uses our own clock, because the API's clock may differ.
    slotMs: Math.max(startedAtMs, (lastSlotMs ?? 0) + 1),
    gap: null,
    counts: run.countInUptime ? 'manual' : 'nothing',
    notify: run.notify,
    inMaintenance: isInMaintenance(context.state, startedAtMs),
    startedAtMs,
  });
}
