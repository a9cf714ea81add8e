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
import { createKeeper, handleLifecycle } from '../loop/handlers';
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
import { resumeSettling, untilSettled } from '../loop/store-record';
import { cancelRun, handleRunRequests, runsIn, takeRunsToCancel } from './run-requests';
import { carryOn, openRound, recordRound, type ScenarioKeeper } from './scenario-rounds';
import { manualRunInput, scheduledRunInput } from './start-run';

/** Runs until the scenario is removed; continues as new with its whole state. */
export async function scenarioWorkflow(given: ScenarioState): Promise<void> {
  const keeper: ScenarioKeeper = {
    ...createKeeper(migrate(given)),
    runs: new Map(),
    toCancel: [],
    cancelling: new Set(),
    isRoundOpen: false,
    openRounds: 0,
    finished: [],
    fault: null,
  };
  handleLifecycle(keeper);
  handleRunRequests(keeper);
  keeper.state = withFirstSlot(keeper.state, workflowInfo().startTime.getTime());
  resumeSettling(keeper);
  let cancellation: unknown = null;
  try {
    await live(keeper);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    cancellation = error;
  }
  await CancellationScope.nonCancellable(() => leaveInOrder(keeper));
  if (cancellation !== null) throw cancellation;
}

async function live(keeper: ScenarioKeeper): Promise<void> {
  while (!keeper.removed) {
    show('scenario', keeper.state, Date.now());
    const isQuiet = keeper.openRounds === 0 && !hasRunsToCancel(keeper);
    if (isQuiet && isTimeToContinue(keeper.state.config.id))
      await continueAsNew<typeof scenarioWorkflow>(keeper.state);
    await act(keeper);
    if (keeper.fault !== null) throw keeper.fault;
  }
}

/**
 * Cancels every run that this execution started. After a removal it ends as soon as all of them have
 * been asked; otherwise, as an operator cancelled it, when what they came to is stored.
 */
async function leaveInOrder(keeper: ScenarioKeeper): Promise<void> {
  keeper.toCancel.push(...runsIn(keeper, 'starting'), ...runsIn(keeper, 'running'));
  while (hasRunsToCancel(keeper) || (keeper.openRounds > 0 && !keeper.removed)) {
    keeper.woken = false;
    cancelAsked(keeper);
    if (keeper.removed || !(await recordFinished(keeper))) await condition(() => keeper.woken);
    if (keeper.fault !== null) throw keeper.fault;
  }
  await untilSettled(keeper);
}

function hasRunsToCancel({ toCancel, cancelling }: ScenarioKeeper): boolean {
  return toCancel.length > 0 || cancelling.size > 0;
}

async function act(keeper: ScenarioKeeper): Promise<void> {
  keeper.woken = false;
  if (await tellOperatorChange(keeper, 'scenario')) return;
  cancelAsked(keeper);
  if (await recordFinished(keeper)) return;
  const nowMs = Date.now();
  const { state } = keeper;
  const [manual] = state.manual;
  const next = nextAct(state, nowMs);
  if (manual !== undefined) {
    keeper.state = { ...state, manual: state.manual.slice(1) };
    startManual(keeper, manual);
  } else if (next.kind === 'resume') {
    keeper.state = withResume(state, state.config.pausedUntilMs ?? nowMs);
  } else if (next.kind === 'maintenance') {
    keeper.state = withMaintenance(state, nowMs);
  } else if (next.kind === 'wait') {
    await waitUntil(keeper, next.untilMs);
  } else if (keeper.isRoundOpen) {
    await condition(() => keeper.woken);
  } else if (next.kind === 'slot') {
    startSlot(keeper, next.slotMs, next.gap);
  } else {
    startSlot(keeper, nowMs, null);
  }
}

/** Begins to cancel runs; no slot waits for that. */
function cancelAsked(keeper: ScenarioKeeper): void {
  for (const runId of takeRunsToCancel(keeper)) {
    keeper.cancelling.add(runId);
    carryOn(keeper, async () => {
      await cancelRun(runId);
      keeper.cancelling.delete(runId);
    });
  }
}

/** True when a round had ended. */
async function recordFinished(keeper: ScenarioKeeper): Promise<boolean> {
  const finished = keeper.finished.shift();
  if (finished === undefined) return false;
  await CancellationScope.nonCancellable(() => recordRound(keeper, finished.round, finished.runs));
  finished.close();
  return true;
}

async function waitUntil(keeper: ScenarioKeeper, untilMs: number | null): Promise<void> {
  const isIdle = untilMs === null || (keeper.isRoundOpen && !keeper.state.config.paused);
  if (isIdle) {
    await condition(() => keeper.woken);
    return;
  }
  const what = wakeReason(keeper.state, untilMs) ?? 'next run';
  await condition(() => keeper.woken, Math.max(1, untilMs - Date.now()), {
    summary: `${what} ${formatTime(untilMs)}`,
  });
}

function startSlot(keeper: ScenarioKeeper, slotMs: number, gap: Gap | null): void {
  const { config } = keeper.state;
  const trigger: RunTrigger = isFirstAfterSave(keeper.state, slotMs) ? 'save' : 'schedule';
  const inputs = config.regions.map((region) =>
    scheduledRunInput(config, region, { slotMs, trigger }),
  );
  keeper.state = { ...withSlotBegun(keeper.state, slotMs), checkedRev: config.rev };
  keeper.isRoundOpen = true;
  const startedAtMs = Date.now();
  const inMaintenance = isInMaintenance(keeper.state, startedAtMs);
  openRound(keeper, {
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

function startManual(keeper: ScenarioKeeper, run: ManualRun): void {
  const { config, lastSlotMs } = keeper.state;
  const startedAtMs = Date.now();
  openRound(keeper, {
    config,
    inputs: run.runs.map((requested) => manualRunInput(config, run, requested)),
    // By our own clock: that of the API may be another one.
    slotMs: Math.max(startedAtMs, (lastSlotMs ?? 0) + 1),
    gap: null,
    counts: run.countInUptime ? 'manual' : 'nothing',
    notify: run.notify,
    inMaintenance: isInMaintenance(keeper.state, startedAtMs),
    startedAtMs,
  });
}
