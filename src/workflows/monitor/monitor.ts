/**
 * Runs the loop of one monitor: sleeps until the next check is due, checks from every region, and records the results.
 * Must not keep a definition, a secret or a result from one check to the next.
 */
import {
  CancellationScope,
  defineSignal,
  isCancellation,
  log,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { MonitorCheckRecord } from '../../contracts/records';
import {
  type ManualCheck,
  type MonitorConfig,
  type MonitorState,
  SIGNALS,
} from '../../contracts/workflows';
import { computeLateCheckWaitMs } from '../../domain/health/late-checks';
import { isOutsideHours, nextEdgeMs } from '../../domain/health/maintenance';
import { isOnGrid } from '../../domain/health/schedule';
import { raiseAlerts, warnAboutCertificates } from '../loop/alerting';
import { readGridSlot } from '../loop/grid-slot';
import { configure, createContext, handleLifecycle, type WorkflowContext } from '../loop/handlers';
import {
  findNextAct,
  isFirstAfterSave,
  isInMaintenance,
  isResting,
  nextSlotMs,
  withFirstSlot,
  withOutlasted,
  withSlotBegun,
} from '../loop/keep-time';
import { migrate } from '../loop/migrate';
import { computeHealth, withoutFormerRegions } from '../loop/region-health';
import { handleHealthQuestions, noteCheck, takeWantedCheck } from '../loop/report-health';
import { type LiveStrategy, runLoop, sleepUntil } from '../loop/run-loop';
import { listCheckedCertificates } from '../loop/seen-certificates';
import { show } from '../loop/show';
import { awaitStored, resumeStoring, storeRecord } from '../loop/store-record';
import { unlessRemoved } from '../loop/unless-removed';
import { buildFinding, gatherEvidence } from './check-evidence';
import { checkRegions, computeLongestCheckMs } from './check-regions';
import { findDecisionDueMs, findSteadyOutcomes, findWatchableSlotMs } from './steady';
import { type WatchTime, watchRegions } from './watch';
import { endWatch } from './watch-end';

/**
 * Marks histories in which a watch begins at a slot of the time grid. In earlier releases, the first watch after a
 * change of the interval began between two slots.
 */
const BEGINS_ON_GRID = 'watch-begins-on-grid';

/** The purpose of a wait, in words for operators. */
const AWAITED = 'next check';

/** Number of ids of completed requests that are remembered. */
const DONE_REQUESTS_MAX = 8;

type Check = Pick<MonitorCheckRecord, 'kind' | 'trigger' | 'slotMs' | 'gap' | 'requestIds'>;

/** A finished check, with the configuration under which it ran. */
interface Checked extends Pick<MonitorCheckRecord, 'outcomes' | 'inMaintenance'> {
  readonly check: Check;
  readonly config: MonitorConfig;
  readonly startedAtMs: number;
}

interface MonitorContext extends WorkflowContext<MonitorState> {
  /** When the delayed check of a late slot begins. null if no late slot is waiting. */
  lateCheckMs: number | null;
}

/** Runs until the monitor is removed. Continues as new with its whole state. */
export async function monitorWorkflow(given: MonitorState): Promise<void> {
  const context: MonitorContext = Object.assign(createContext(migrate(given)), {
    lateCheckMs: null,
  });
  handleLifecycle(context);
  handleHealthQuestions(context, { kind: 'monitor', canCheck: true });
  handleRunNow(context);
  setHandler(defineSignal(SIGNALS.endWatch), () => {
    context.state = { ...context.state, steady: null };
    context.woken = true;
  });
  context.state = withFirstSlot(context.state, workflowInfo().startTime.getTime());
  resumeStoring(context);
  try {
    await runLoop(context, strategy);
  } catch (error) {
    // An operator cancelled the workflow, but pending measurements are still stored.
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => awaitStored(context));
    throw error;
  }
}

const strategy: LiveStrategy<MonitorContext> = {
  kind: 'monitor',
  show: ({ state }) => show('monitor', state, Date.now()),
  isBetweenActs: () => true,
  actOnRequests: checkWanted,
  actOnClock,
};

/** Makes a check outside of the schedule if dependent resources wait for one. Returns false if none of them waits. */
async function checkWanted(context: MonitorContext): Promise<boolean> {
  if (!takeWantedCheck(context)) return false;
  const slotMs = chooseSlot(context.state, Date.now());
  await runCheck(context, { kind: 'manual', trigger: 'schedule', slotMs, gap: null });
  return true;
}

async function actOnClock(context: MonitorContext, nowMs: number): Promise<void> {
  const { state } = context;
  const next = findNextAct(state, nowMs);
  if (next.kind === 'slot') {
    const { slotMs, gap } = next;
    if (gap === null && (await watch(context, nowMs))) return;
    const beginsMs = findBeginning(context, slotMs, nowMs);
    if (beginsMs > nowMs) {
      const edgeMs = nextEdgeMs(state.maintenance) ?? beginsMs;
      return sleepUntil(context, Math.min(beginsMs, edgeMs), AWAITED);
    }
    const trigger = isFirstAfterSave(state, slotMs) ? 'save' : 'schedule';
    await runCheck(context, { kind: 'scheduled', trigger, slotMs, gap });
  } else if (next.kind === 'save') {
    const slotMs = chooseSlot(state, nowMs);
    await runCheck(context, { kind: 'manual', trigger: 'save', slotMs, gap: null });
  } else if (state.manual.length > 0 && !state.config.paused && !isResting(state)) {
    await runCheck(context, takeManual(context, nowMs));
  } else if (!(await watch(context, nowMs))) {
    await sleepUntil(context, next.untilMs, AWAITED);
  }
}

/** Returns when the check of a due slot begins: at once, or after a wait if the check is late. */
function findBeginning(context: MonitorContext, slotMs: number, nowMs: number): number {
  const { config, manual, lastSlotMs } = context.state;
  const isAwaited = manual.length > 0 || isFirstAfterSave(context.state, slotMs);
  if (isAwaited || lastSlotMs === null) return nowMs;
  // The time is computed only once per check. If each new slot started the wait again, an overload would postpone the
  // check forever.
  context.lateCheckMs ??= nowMs + computeLateCheckWaitMs({ ...config, slotMs, nowMs });
  return context.lateCheckMs;
}

/**
 * Leaves the checks to probes until an outcome differs or a decision is due. Then records the slot at which the watch
 * ended. Returns false if the workflow has to make the next check, because the monitor is not steady.
 */
async function watch(context: MonitorContext, nowMs: number): Promise<boolean> {
  const { config, steady, lastSlotMs } = context.state;
  const nextSlotOfGridMs = findWatchableSlotMs(context.state);
  if (nextSlotOfGridMs === null || steady === null || lastSlotMs === null) return false;
  const isKept = isOnGrid(config, lastSlotMs) || patched(BEGINS_ON_GRID);
  const firstSlotMs = isKept ? nextSlotOfGridMs : lastSlotMs + config.intervalMs;
  const untilMs = findDecisionDueMs(context.state, firstSlotMs, nowMs);
  if (untilMs !== null && untilMs <= Math.max(firstSlotMs, nowMs)) return false;
  const time: WatchTime = { config, firstSlotMs, untilMs };
  context.lateCheckMs = null;
  const ends = await watchRegions(context, steady.regions, time);
  // If only the workflow ended the watch, and no outcome differed, the monitor stays steady and the next watch begins.
  // Otherwise, the workflow makes the next check.
  if (ends?.every(({ isCancelled }) => isCancelled) !== true)
    context.state = { ...context.state, steady: null };
  const last = ends === null || context.removed ? null : await endWatch(context, time, ends);
  if (last === null) return true;
  const { slotMs, outcomes, gap, config: checkedConfig } = last;
  context.state = withSlotBegun(context.state, slotMs);
  const check = { kind: 'scheduled', trigger: 'schedule', slotMs, gap } as const;
  const kept = { startedAtMs: slotMs, inMaintenance: false, outcomes };
  const checked = { check, config: checkedConfig, ...kept };
  await CancellationScope.nonCancellable(() => recordCheck(context, checked));
  return true;
}

async function runCheck(context: MonitorContext, check: Check): Promise<void> {
  const { config } = context.state;
  context.lateCheckMs = null;
  if (check.kind === 'scheduled') context.state = withSlotBegun(context.state, check.slotMs);
  const startedAtMs = Date.now();
  const inMaintenance = isInMaintenance(context.state, startedAtMs);
  const outcomes = await unlessRemoved(context, () => checkRegions(config, check.slotMs));
  if (outcomes === null) return;
  const checked = { check, config, startedAtMs, inMaintenance, outcomes };
  await CancellationScope.nonCancellable(() => recordCheck(context, checked));
}

/** Updates health, raises alerts and records the slot. Must not be cancelled once begun. */
async function recordCheck(context: MonitorContext, checked: Checked): Promise<void> {
  const { check, config, inMaintenance, outcomes, startedAtMs: beganAtMs } = checked;
  noteSlot(context, checked);
  const observed = withoutFormerRegions(context.state, config.regions, outcomes);
  const observations = observed.map(({ region, outcome: { status, responseTimeMs } }) => ({
    region,
    status,
    responseTimeMs,
  }));
  const seen = { atMs: check.slotMs, observations };
  const { excludedPeriods, unconfirmed } = context.state;
  const health = computeHealth(context.state, seen, context.state.config);
  context.state = { ...context.state, health, excludedPeriods: [], unconfirmed: null };
  const evidence = gatherEvidence(check.slotMs, observed, context.state);
  const finding = {
    ...buildFinding(check, observed, context.state),
    isMuted: inMaintenance || isOutsideHours(context.state.maintenance, Date.now()),
    evidence,
    beganAtMs,
  };
  const alerted = await raiseAlerts(context, finding);
  noteCheck(context, beganAtMs);
  await warnAboutCertificates(context, finding, listCheckedCertificates(observed, config));
  // The state is read again, because the configuration may have changed in the meantime.
  const { health: healthNow } = context.state;
  const record: MonitorCheckRecord = {
    ...check,
    ...alerted,
    ...(unconfirmed !== null && { unconfirmed }),
    ...(check.kind === 'manual' && readGridSlot(context.state)),
    excludedPeriods,
    outcomes,
    inMaintenance,
    accountId: config.accountId,
    monitorId: config.id,
    revision: config.revision,
    health: healthNow.health,
    healthSinceMs: healthNow.sinceMs,
    regionsHealth: healthNow.regions,
    nextSlotMs: nextSlotMs(context.state, Date.now()),
  };
  const outcome = await storeRecord(context, { kind: 'monitor', record });
  const isStored = outcome?.mayBeWatched === true && !inMaintenance;
  const steady = isStored ? findSteadyOutcomes(outcomes, config) : null;
  context.state = { ...context.state, steady };
}

/**
 * Notes in the state that the check has been made. Slots that passed during the check are recorded with the next slot.
 */
function noteSlot(
  context: WorkflowContext<MonitorState>,
  { check, config, startedAtMs, outcomes }: Checked,
): void {
  const nowMs = Date.now();
  const before = context.state;
  context.state = { ...before, checkedRevision: config.revision };
  const elapsedMs = nowMs - startedAtMs;
  const isOverrun = elapsedMs >= config.intervalMs && elapsedMs <= computeLongestCheckMs(config);
  const isSameGrid = config.anchorMs === before.config.anchorMs;
  if (check.gap !== null || !isOverrun || !isSameGrid) return;
  const isLost = outcomes.some(({ outcome }) => outcome.failure?.code === 'worker_lost');
  const passed = { config, nowMs, reason: isLost ? 'worker_lost' : 'overrun' } as const;
  context.state = withOutlasted(context.state, passed);
}

/**
 * Takes all pending requests, and returns one check for all of them. The check gets the current time of the workflow,
 * because the clocks of the requesters may differ.
 */
function takeManual(context: WorkflowContext<MonitorState>, nowMs: number): Check {
  const { manual, doneRequests } = context.state;
  const slotMs = chooseSlot(context.state, nowMs);
  const ids = manual.map(({ requestId }) => requestId);
  context.state = {
    ...context.state,
    manual: [],
    doneRequests: [...doneRequests, ...ids].slice(-DONE_REQUESTS_MAX),
  };
  return { kind: 'manual', trigger: 'manual', slotMs, gap: null, requestIds: ids };
}

/** Returns the time of a manual check. It is now, but always after the last slot. */
function chooseSlot({ lastSlotMs }: MonitorState, nowMs: number): number {
  return Math.max(nowMs, (lastSlotMs ?? 0) + 1);
}

function handleRunNow(context: WorkflowContext<MonitorState>): void {
  setHandler(defineSignal<[ManualCheck, MonitorConfig?]>(SIGNALS.runNow), (request, config) => {
    if (config !== undefined) configure(context, config);
    if (!isManualCheck(request)) {
      log.warn('ignored a request to check now with invalid arguments');
      return;
    }
    const { manual, doneRequests } = context.state;
    const { requestId } = request;
    const isKnown = manual.some((waiting) => waiting.requestId === requestId);
    if (isKnown || doneRequests.includes(requestId)) return;
    context.state = { ...context.state, manual: [...manual, request] };
    context.woken = true;
  });
}

function isManualCheck(request: unknown): request is ManualCheck {
  if (typeof request !== 'object' || request === null) return false;
  const { requestId, requestedAtMs }: Partial<Record<keyof ManualCheck, unknown>> = request;
  return typeof requestId === 'string' && Number.isFinite(requestedAtMs);
}
