/**
 * The life of one scenario: at each slot one run per region as a child workflow, and runs that
 * people ask for at any time. It must not send a step itself.
 */
import { CancellationScope, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { Gap, RunTrigger } from '../contracts/records';
import type {
  ManualRun,
  ScenarioConfig,
  ScenarioRunInput,
  ScenarioState,
} from '../contracts/workflows';
import { checkStatusOfRun, EVERY_SLOT_COUNTS, nextHealth } from '../domain/health';
import { overrunGap } from '../domain/schedule';
import { type Finding, raiseAlerts } from './alerting';
import { isTimeToContinue } from './continue';
import { createKeeper, handleLifecycle, type Keeper } from './handlers';
import {
  isFirstAfterSave,
  isInMaintenance,
  nextAct,
  nextSlotMs,
  withFirstSlot,
  withMaintenance,
  withResume,
} from './keep-time';
import { migrate } from './migrate';
import { tellOperatorChange } from './operator-change';
import { cancelRun, handleRunRequests, type RunRequests } from './run-requests';
import { resumeSettling, settle } from './settle';
import { formatTime, show, wakeReason } from './show';
import {
  type FinishedRun,
  followRun,
  longestRunMs,
  manualRunInput,
  scheduledRunInput,
  startRun,
} from './start-run';

/** Runs that were started together, and what is to be recorded when they end. */
interface Round {
  readonly config: ScenarioConfig;
  readonly inputs: readonly ScenarioRunInput[];
  readonly slotMs: number;
  readonly gap: Gap | null;
  /** What its end is recorded as; nothing: the runs' own records are enough. */
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

interface ScenarioKeeper extends Keeper<ScenarioState>, RunRequests {
  /** Holds every run that this execution started; cancelled when the scenario is removed. */
  readonly runs: CancellationScope;
  /** A round of the schedule goes on; its slots are not run twice at a time. */
  isRoundOpen: boolean;
  /** Rounds that must be started or recorded before the workflow may continue as new. */
  openRounds: number;
  readonly finished: FinishedRound[];
  /** A fault of our own while following a run; fails the workflow task. */
  fault: unknown;
}

/** Runs until the scenario is removed; continues as new with its whole state. */
export async function scenarioWorkflow(given: ScenarioState): Promise<void> {
  const keeper: ScenarioKeeper = {
    ...createKeeper(migrate(given)),
    runs: new CancellationScope(),
    isRoundOpen: false,
    openRounds: 0,
    finished: [],
    toCancel: [],
    fault: null,
  };
  handleLifecycle(keeper);
  handleRunRequests(keeper);
  keeper.state = withFirstSlot(keeper.state, workflowInfo().startTime.getTime());
  resumeSettling(keeper);
  while (!keeper.removed) {
    show(keeper.state, Date.now());
    const isQuiet = keeper.openRounds === 0 && keeper.toCancel.length === 0;
    if (isQuiet && isTimeToContinue(keeper.state.config.id))
      await continueAsNew<typeof scenarioWorkflow>(keeper.state);
    await act(keeper);
    if (keeper.fault !== null) throw keeper.fault;
  }
  keeper.runs.cancel();
}

async function act(keeper: ScenarioKeeper): Promise<void> {
  keeper.woken = false;
  if (await tellOperatorChange(keeper, 'scenario')) return;
  const nowMs = Date.now();
  const { state } = keeper;
  const finished = keeper.finished.shift();
  const manual = state.manual[0];
  const cancelled = keeper.toCancel.shift();
  const next = nextAct(state, nowMs);
  if (cancelled !== undefined) {
    await cancelRun(cancelled);
  } else if (finished !== undefined) {
    await recordRound(keeper, finished.round, finished.runs);
    finished.close();
  } else if (manual !== undefined) {
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
  const { config, lastSlotMs } = keeper.state;
  const trigger: RunTrigger = isFirstAfterSave(keeper.state, slotMs) ? 'save' : 'schedule';
  const inputs = config.regions.map((region) =>
    scheduledRunInput(config, region, { slotMs, trigger }),
  );
  keeper.state = {
    ...keeper.state,
    lastSlotMs: Math.max(slotMs, lastSlotMs ?? slotMs),
    checkedRev: config.rev,
  };
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

/** Starts the runs of a round and follows them in the background. */
function openRound(keeper: ScenarioKeeper, round: Round): void {
  const isRecorded = round.counts !== 'nothing';
  keeper.openRounds += 1;
  const close = (): void => {
    keeper.openRounds -= 1;
    keeper.woken = true;
  };
  const following = keeper.runs.run(async () => {
    const children = await Promise.all(round.inputs.map((input) => startRun(round.config, input)));
    if (!isRecorded) close();
    const started = children.filter((child) => child !== null);
    const runs = await Promise.all(started.map(followRun));
    if (isRecorded) keeper.finished.push({ round, runs, close });
  });
  following
    .catch((error: unknown) => {
      keeper.fault = error;
    })
    .finally(() => {
      keeper.woken = true;
    });
}

async function recordRound(
  keeper: ScenarioKeeper,
  round: Round,
  runs: readonly FinishedRun[],
): Promise<void> {
  if (round.counts === 'schedule') keeper.isRoundOpen = false;
  // A request that came twice started nothing the second time.
  else if (runs.length === 0) return;
  const gap = noteOverrun(keeper, round);
  const { config, slotMs } = round;
  const health = nextHealth(
    keeper.state.health,
    {
      atMs: slotMs,
      observations: runs.map(({ region, status, durationMs }) => ({
        region,
        status: checkStatusOfRun(status),
        responseTimeMs: durationMs,
      })),
    },
    EVERY_SLOT_COUNTS,
  );
  const news = await raiseAlerts(keeper, {
    kind: 'scenario',
    slotMs,
    health,
    ...causeOf(runs),
    assertion: null,
    isMuted: !round.notify || round.inMaintenance,
  });
  const { spells } = keeper.state;
  keeper.state = { ...keeper.state, health, spells: [] };
  const [region = ''] = config.regions;
  // Where no run could be started, the gap and the health are told all the same.
  const ended = runs.length > 0 ? runs : [{ runId: null, region, status: null, durationMs: null }];
  for (const [index, run] of ended.entries()) {
    await settle(keeper, {
      kind: 'scenario',
      record: {
        accountId: config.accountId,
        scenarioId: config.id,
        slotMs,
        kind: round.counts === 'manual' ? 'manual' : 'scheduled',
        ...(index === 0 ? news : { ...news, incident: null }),
        inMaintenance: round.inMaintenance,
        runId: run.runId,
        runStatus: run.status,
        durationMs: run.durationMs,
        region: run.region,
        gap: index === 0 ? gap : null,
        spells: index === 0 ? spells : [],
        health: health.health,
        healthSinceMs: health.sinceMs,
        regionsHealth: health.regions,
        nextSlotMs: nextSlotMs(keeper.state, Date.now()),
      },
    });
  }
}

/** The first run that failed speaks for the round. */
function causeOf(runs: readonly FinishedRun[]): Pick<Finding, 'cause' | 'regions' | 'firstRunId'> {
  const failed = runs.filter(({ status }) => checkStatusOfRun(status) === 'down');
  const failure = failed[0]?.failure ?? null;
  return {
    cause: failure === null ? null : { code: failure.code, message: failure.message },
    regions: failed.map(({ region }) => region),
    firstRunId: failed[0]?.runId ?? null,
  };
}

/** The gap to record with a round: slots that its runs outlasted are skipped and named. */
function noteOverrun(keeper: ScenarioKeeper, round: Round): Gap | null {
  const { config, gap, counts, startedAtMs } = round;
  const nowMs = Date.now();
  const elapsedMs = nowMs - startedAtMs;
  const isOverrun = elapsedMs >= config.intervalMs && elapsedMs <= longestRunMs(config);
  const isSameGrid = keeper.state.config.anchorMs === config.anchorMs;
  if (
    counts !== 'schedule' ||
    gap !== null ||
    !isOverrun ||
    !isSameGrid ||
    keeper.state.config.paused
  )
    return gap;
  const overrun = overrunGap({ ...config, lastSlotMs: keeper.state.lastSlotMs, nowMs });
  if (overrun !== null) keeper.state = { ...keeper.state, lastSlotMs: overrun.toSlotMs };
  return overrun;
}
