/**
 * The life of one monitor: sleep until the next slot, check from every region, settle, and begin
 * again. It must not hold a definition, a secret or a result longer than one slot.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  log,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { MonitorCheckRecord } from '../../contracts/records';
import {
  type HealthState,
  type ManualCheck,
  type MonitorConfig,
  type MonitorState,
  SIGNALS,
} from '../../contracts/workflows';
import { passedGap } from '../../domain/health/schedule';
import { assertionFacts, type Finding, raiseAlerts, warnOfCertificates } from '../loop/alerting';
import { isTimeToContinue } from '../loop/continue';
import { configure, createKeeper, handleLifecycle, type Keeper } from '../loop/handlers';
import {
  healthAfter,
  isFirstAfterSave,
  isInMaintenance,
  isResting,
  nextAct,
  nextSlotMs,
  outlastedUntilMs,
  withFirstSlot,
  withMaintenance,
  withoutFormerRegions,
  withResume,
  withSlotBegun,
} from '../loop/keep-time';
import { migrate } from '../loop/migrate';
import { tellOperatorChange } from '../loop/operator-change';
import { checkedCertificates } from '../loop/seen-certificates';
import { formatTime, show, wakeReason } from '../loop/show';
import { noteAnswer, resumeSettling, settle, untilSettled } from '../loop/store-record';
import { unlessRemoved } from '../loop/unless-removed';
import { type Calm, mayBeQuiet, nextCalm } from './calm';
import { checkRegions, longestCheckMs } from './check-regions';
import { checkQuietly } from './quiet';
import { endQuiet } from './quiet-end';

/** Ids of answered requests that are kept. */
const ANSWERED_MAX = 8;

type Check = Pick<MonitorCheckRecord, 'kind' | 'trigger' | 'slotMs' | 'gap' | 'requestIds'>;

/** A check that has come to its end, and what it was asked for under. */
interface Checked extends Pick<MonitorCheckRecord, 'outcomes' | 'inMaintenance'> {
  readonly check: Check;
  readonly config: MonitorConfig;
  readonly startedAtMs: number;
}

interface MonitorKeeper extends Keeper<MonitorState> {
  /** null: the last slot was not one of the kind that may be quiet. */
  calm: Calm | null;
}

/** Runs until the monitor is removed; continues as new with its whole state. */
export async function monitorWorkflow(given: MonitorState): Promise<void> {
  const keeper: MonitorKeeper = Object.assign(createKeeper(migrate(given)), { calm: null });
  handleLifecycle(keeper);
  handleRunNow(keeper);
  keeper.state = withFirstSlot(keeper.state, workflowInfo().startTime.getTime());
  resumeSettling(keeper);
  try {
    await live(keeper);
  } catch (error) {
    // An operator cancelled it: what was measured is stored all the same.
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => untilSettled(keeper));
    throw error;
  }
}

async function live(keeper: MonitorKeeper): Promise<void> {
  while (!keeper.removed) {
    show('monitor', keeper.state, Date.now());
    if (isTimeToContinue(keeper.state.config.id))
      await continueAsNew<typeof monitorWorkflow>(keeper.state);
    await act(keeper);
  }
}

async function act(keeper: MonitorKeeper): Promise<void> {
  keeper.woken = false;
  if (await tellOperatorChange(keeper, 'monitor')) return;
  const nowMs = Date.now();
  const { state } = keeper;
  const next = nextAct(state, nowMs);
  if (next.kind === 'resume') {
    keeper.state = withResume(state, state.config.pausedUntilMs ?? nowMs);
  } else if (next.kind === 'maintenance') {
    keeper.state = withMaintenance(state, nowMs);
  } else if (next.kind === 'slot') {
    const { slotMs, gap } = next;
    const { calm } = keeper;
    if (gap === null && mayBeQuiet(state, calm)) return rest(keeper, calm, slotMs);
    const trigger = isFirstAfterSave(state, slotMs) ? 'save' : 'schedule';
    await runCheck(keeper, { kind: 'scheduled', trigger, slotMs, gap });
  } else if (next.kind === 'save') {
    await runCheck(keeper, {
      kind: 'manual',
      trigger: 'save',
      slotMs: slotOf(state, nowMs),
      gap: null,
    });
  } else if (state.manual.length > 0 && !state.config.paused && !isResting(state)) {
    await runCheck(keeper, takeManual(keeper, nowMs));
  } else {
    await waitUntil(keeper, next.untilMs);
  }
}

async function waitUntil(keeper: Keeper<MonitorState>, untilMs: number | null): Promise<void> {
  if (untilMs === null) {
    await condition(() => keeper.woken);
    return;
  }
  const what = wakeReason(keeper.state, untilMs) ?? 'next check';
  await condition(() => keeper.woken, Math.max(1, untilMs - Date.now()), {
    summary: `${what} ${formatTime(untilMs)}`,
  });
}

/** Leaves the checks to the probes until something differs, and records the slot at which it did. */
async function rest(keeper: MonitorKeeper, calm: Calm, firstSlotMs: number): Promise<void> {
  const { config } = keeper.state;
  const time = { config, firstSlotMs };
  keeper.calm = null;
  const endings = await checkQuietly(keeper, calm, time);
  if (endings === null) return;
  noteAnswer(keeper, { gone: endings.some(({ isGone }) => isGone) });
  const last = keeper.removed ? null : await endQuiet(keeper, time, endings);
  if (last === null) return;
  const { slotMs, outcomes } = last;
  const check = { kind: 'scheduled', trigger: 'schedule', slotMs, gap: null } as const;
  const checked = { check, config, startedAtMs: slotMs, inMaintenance: false, outcomes };
  await CancellationScope.nonCancellable(() => recordCheck(keeper, checked));
}

async function runCheck(keeper: MonitorKeeper, check: Check): Promise<void> {
  const { config } = keeper.state;
  if (check.kind === 'scheduled') keeper.state = withSlotBegun(keeper.state, check.slotMs);
  const startedAtMs = Date.now();
  const inMaintenance = isInMaintenance(keeper.state, startedAtMs);
  const outcomes = await unlessRemoved(keeper, () => checkRegions(config, check.slotMs));
  if (outcomes === null) return;
  const checked = { check, config, startedAtMs, inMaintenance, outcomes };
  await CancellationScope.nonCancellable(() => recordCheck(keeper, checked));
}

/** Health, alerts and the record of the slot; must not be cancelled once it has begun. */
async function recordCheck(keeper: MonitorKeeper, checked: Checked): Promise<void> {
  const { check, config, inMaintenance, outcomes } = checked;
  const gap = noteSlot(keeper, checked);
  const heard = withoutFormerRegions(keeper.state, config.regions, outcomes);
  const observations = heard.map(({ region, outcome: { status, responseTimeMs } }) => ({
    region,
    status,
    responseTimeMs,
  }));
  const seen = { atMs: check.slotMs, observations };
  const { spells } = keeper.state;
  const health = healthAfter(keeper.state, seen, keeper.state.config);
  keeper.state = { ...keeper.state, health, spells: [] };
  const finding = { ...findingOf(check, heard, health), isMuted: inMaintenance };
  const news = await raiseAlerts(keeper, finding);
  await warnOfCertificates(keeper, finding, checkedCertificates(heard, config));
  // An edit may have come meanwhile.
  const { health: healthNow } = keeper.state;
  const record: MonitorCheckRecord = {
    ...check,
    ...news,
    gap,
    spells,
    outcomes,
    inMaintenance,
    accountId: config.accountId,
    monitorId: config.id,
    rev: config.rev,
    health: healthNow.health,
    healthSinceMs: healthNow.sinceMs,
    regionsHealth: healthNow.regions,
    nextSlotMs: nextSlotMs(keeper.state, Date.now()),
  };
  const answer = await settle(keeper, { kind: 'monitor', record });
  const isStored = answer?.mayBeQuiet === true && !inMaintenance;
  keeper.calm = isStored ? nextCalm(keeper.calm, outcomes, config) : null;
}

/** What the slot says about the target: the first failing region speaks. */
function findingOf(
  { slotMs }: Check,
  outcomes: MonitorCheckRecord['outcomes'],
  health: HealthState,
): Omit<Finding, 'isMuted'> {
  const failed = outcomes.filter(({ outcome }) => outcome.status === 'down');
  const failure = failed[0]?.outcome.failure ?? null;
  const broken = failed[0]?.outcome.assertions.find(({ ok }) => !ok);
  return {
    kind: 'monitor',
    slotMs,
    health,
    cause: failure === null ? null : { code: failure.code, message: failure.message },
    regions: failed.map(({ region }) => region),
    firstRunId: null,
    assertion: broken === undefined ? null : assertionFacts(broken),
  };
}

/** Moves the state past the check and returns the gap to record with it: slots that it outlasted included. */
function noteSlot(
  keeper: Keeper<MonitorState>,
  { check, config, startedAtMs, outcomes }: Checked,
): MonitorCheckRecord['gap'] {
  const nowMs = Date.now();
  const before = keeper.state;
  const { lastSlotMs } = before;
  keeper.state = { ...before, checkedRev: config.rev };
  const elapsedMs = nowMs - startedAtMs;
  const isOverrun = elapsedMs >= config.intervalMs && elapsedMs <= longestCheckMs(config);
  const isSameGrid = config.anchorMs === before.config.anchorMs;
  const untilMs = outlastedUntilMs(before, nowMs);
  if (check.gap !== null || !isOverrun || !isSameGrid || untilMs === null) return check.gap;
  const isLost = outcomes.some(({ outcome }) => outcome.failure?.code === 'worker_lost');
  const slots = { ...config, lastSlotMs, nowMs: untilMs };
  const gap = passedGap(slots, isLost ? 'worker_lost' : 'overrun');
  if (gap !== null) keeper.state = { ...keeper.state, lastSlotMs: gap.toSlotMs };
  return gap;
}

/** One check answers every request that waits; its slot is now, since requests bring their own clocks. */
function takeManual(keeper: Keeper<MonitorState>, nowMs: number): Check {
  const { manual, answered } = keeper.state;
  const slotMs = slotOf(keeper.state, nowMs);
  const ids = manual.map(({ requestId }) => requestId);
  keeper.state = {
    ...keeper.state,
    manual: [],
    answered: [...answered, ...ids].slice(-ANSWERED_MAX),
  };
  return { kind: 'manual', trigger: 'manual', slotMs, gap: null, requestIds: ids };
}

/** The slot of a check outside the grid: later than every slot before it. */
function slotOf({ lastSlotMs }: MonitorState, nowMs: number): number {
  return Math.max(nowMs, (lastSlotMs ?? 0) + 1);
}

function handleRunNow(keeper: Keeper<MonitorState>): void {
  setHandler(defineSignal<[ManualCheck, MonitorConfig?]>(SIGNALS.runNow), (request, config) => {
    if (config !== undefined) configure(keeper, config);
    if (!isManualCheck(request)) {
      log.warn('ignored a request to check now with arguments that are not understood');
      return;
    }
    const { manual, answered } = keeper.state;
    const { requestId } = request;
    const isKnown = manual.some((waiting) => waiting.requestId === requestId);
    if (isKnown || answered.includes(requestId)) return;
    keeper.state = { ...keeper.state, manual: [...manual, request] };
    keeper.woken = true;
  });
}

function isManualCheck(request: unknown): request is ManualCheck {
  if (typeof request !== 'object' || request === null) return false;
  const { requestId, requestedAtMs }: Partial<Record<keyof ManualCheck, unknown>> = request;
  return typeof requestId === 'string' && Number.isFinite(requestedAtMs);
}
