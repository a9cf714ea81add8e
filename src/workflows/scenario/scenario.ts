/**
 * The life of one scenario: at each slot one run per region as a child workflow, and runs that
 * people ask for at any time. It must not send a step itself.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import type { Gap, RunTrigger } from '../../contracts/records';
import type { ManualRun, ScenarioState } from '../../contracts/workflows';
import { isTimeToContinue } from '../loop/continue';
import { createContext, handleLifecycle } from '../loop/handlers';
import {
  isFirstAfterSave,
  isInMaintenance,
  nextAct,
  withFirstSlot,
  withMaintenance,
  withResume,
  withSlotBegun,
} from '../loop/keep-time';
import { migrate } from '../loop/migrate';
import { tellOperatorChange } from '../loop/operator-change';
import { formatTime, show, wakeReason } from '../loop/show';
import { resumeStoring, untilStored } from '../loop/store-record';
import { cancelRun, handleRunRequests, runsIn, takeRunsToCancel } from './run-requests';
import { carryOn, openRound, recordRound, type ScenarioContext } from './scenario-rounds';
import { manualRunInput, scheduledRunInput } from './start-run';

/** Runs until the scenario is removed; continues as new with its whole state. */
export async function scenarioWorkflow(given: ScenarioState): Promise<void> {
  const context: ScenarioContext = {
    ...createContext(migrate(given)),
    runs: new Map(),
    toCancel: [],
    cancelling: new Set(),
    isRoundOpen: false,
    openRounds: 0,
    finished: [],
    fault: null,
  };
  handleLifecycle(context);
  handleRunRequests(context);
  context.state = withFirstSlot(context.state, workflowInfo().startTime.getTime());
  resumeStoring(context);
  let cancellation: unknown = null;
  try {
    await live(context);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    cancellation = error;
  }
  await CancellationScope.nonCancellable(() => leaveInOrder(context));
  if (cancellation !== null) throw cancellation;
}

async function live(context: ScenarioContext): Promise<void> {
  while (!context.removed) {
    show('scenario', context.state, Date.now());
    const isQuiet = context.openRounds === 0 && !hasRunsToCancel(context);
    if (isQuiet && isTimeToContinue(context.state.config.id))
      await continueAsNew<typeof scenarioWorkflow>(context.state);
    await act(context);
    if (context.fault !== null) throw context.fault;
  }
}

/**
 * Cancels every run that this execution started. After a removal it ends as soon as all of them have
 * been asked; otherwise, as an operator cancelled it, when what they came to is stored.
 */
async function leaveInOrder(context: ScenarioContext): Promise<void> {
  context.toCancel.push(...runsIn(context, 'starting'), ...runsIn(context, 'running'));
  while (hasRunsToCancel(context) || (context.openRounds > 0 && !context.removed)) {
    context.woken = false;
    cancelAsked(context);
    if (context.removed || !(await recordFinished(context))) await condition(() => context.woken);
    if (context.fault !== null) throw context.fault;
  }
  await untilStored(context);
}

function hasRunsToCancel({ toCancel, cancelling }: ScenarioContext): boolean {
  return toCancel.length > 0 || cancelling.size > 0;
}

async function act(context: ScenarioContext): Promise<void> {
  context.woken = false;
  if (await tellOperatorChange(context, 'scenario')) return;
  cancelAsked(context);
  if (await recordFinished(context)) return;
  const nowMs = Date.now();
  const { state } = context;
  const [manual] = state.manual;
  const next = nextAct(state, nowMs);
  if (manual !== undefined) {
    context.state = { ...state, manual: state.manual.slice(1) };
    startManual(context, manual);
  } else if (next.kind === 'resume') {
    context.state = withResume(state, state.config.pausedUntilMs ?? nowMs);
  } else if (next.kind === 'maintenance') {
    context.state = withMaintenance(state, nowMs);
  } else if (next.kind === 'wait') {
    await waitUntil(context, next.untilMs);
  } else if (context.isRoundOpen) {
    await condition(() => context.woken);
  } else if (next.kind === 'slot') {
    startSlot(context, next.slotMs, next.gap);
  } else {
    startSlot(context, nowMs, null);
  }
}

/** Begins to cancel runs; no slot waits for that. */
function cancelAsked(context: ScenarioContext): void {
  for (const runId of takeRunsToCancel(context)) {
    context.cancelling.add(runId);
    carryOn(context, async () => {
      await cancelRun(runId);
      context.cancelling.delete(runId);
    });
  }
}

/** True when a round had ended. */
async function recordFinished(context: ScenarioContext): Promise<boolean> {
  const finished = context.finished.shift();
  if (finished === undefined) return false;
  await CancellationScope.nonCancellable(() => recordRound(context, finished.round, finished.runs));
  finished.close();
  return true;
}

async function waitUntil(context: ScenarioContext, untilMs: number | null): Promise<void> {
  const isIdle = untilMs === null || (context.isRoundOpen && !context.state.config.paused);
  if (isIdle) {
    await condition(() => context.woken);
    return;
  }
  const what = wakeReason(context.state, untilMs) ?? 'next run';
  await condition(() => context.woken, Math.max(1, untilMs - Date.now()), {
    summary: `${what} ${formatTime(untilMs)}`,
  });
}

function startSlot(context: ScenarioContext, slotMs: number, gap: Gap | null): void {
  const { config } = context.state;
  const trigger: RunTrigger = isFirstAfterSave(context.state, slotMs) ? 'save' : 'schedule';
  const inputs = config.regions.map((region) =>
    scheduledRunInput(config, region, { slotMs, trigger }),
  );
  context.state = { ...withSlotBegun(context.state, slotMs), checkedRevision: config.revision };
  context.isRoundOpen = true;
  const startedAtMs = Date.now();
  const inMaintenance = isInMaintenance(context.state, startedAtMs);
  openRound(context, {
    config,
    inputs,
    slotMs,
    gap,
    counts: 'schedule',
    notify: true,
    inMaintenance,
    startedAtMs,
  });
}

function startManual(context: ScenarioContext, run: ManualRun): void {
  const { config, lastSlotMs } = context.state;
  const startedAtMs = Date.now();
  openRound(context, {
    config,
    inputs: run.runs.map((requested) => manualRunInput(config, run, requested)),
    // By our own clock: that of the API may be another one.
    slotMs: Math.max(startedAtMs, (lastSlotMs ?? 0) + 1),
    gap: null,
    counts: run.countInUptime ? 'manual' : 'nothing',
    notify: run.notify,
    inMaintenance: isInMaintenance(context.state, startedAtMs),
    startedAtMs,
  });
}
