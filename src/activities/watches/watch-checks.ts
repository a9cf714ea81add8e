/**
 * Runs the checks of a watch, one per slot, always for the newest slot that is due. Continues or ends the watch by the
 * outcome.
 */
import type { ProbeActivities } from '../../contracts/activities';
import { computeLateCheckWaitMs } from '../../domain/health/late-checks';
import { isProbeOutcome } from '../../domain/health/outcome-shape';
import { planSlot } from '../../domain/health/schedule';
import {
  describeOutcome,
  isSameOutcome,
  readSteadyOutcome,
} from '../../domain/health/steady-outcome';
import { isRefusedForNow } from '../probe-activities';
import type { ApiClock } from './api-clock';
import type { InFlight } from './in-flight';
import { pause } from './pause';
import { isOnGridOrBefore, type ResultQueue } from './result-queue';
import type { RunningWatch } from './running-watch';

/** Longest single wait. After this time at most, a changed clock or a suspended process is noticed. */
const LOOK_EVERY_MS = 60_000;

export interface CheckTools {
  readonly runHttpStep: ProbeActivities['runHttpStep'];
  readonly clock: Pick<ApiClock, 'nowMs'>;
  readonly inFlight: InFlight;
  readonly results: Pick<ResultQueue, 'add'>;
}

/** Checks each due slot until the watch ends, the process stops, or the workflow has to make a decision. */
export async function makeChecks(tools: CheckTools, one: RunningWatch): Promise<void> {
  const { watch, rest } = one;
  while (!rest.signal.aborted) {
    const plannedMs = dueSlotMs(tools, one);
    // The workflow has to make a decision before this slot is checked.
    if (watch.untilMs !== null && plannedMs >= watch.untilMs)
      return one.finish({ kind: 'refused' });
    const { signal } = one.wait;
    await waitForSlot(tools, one, plannedMs);
    if (signal.aborted) continue;
    const leave = await tools.inFlight.take(plannedMs);
    one.inFlight = checkDueSlot(tools, one).finally(leave);
    await one.inFlight;
  }
}

/**
 * Checks the newest slot that is due now. The check may have waited for its turn, so this slot may be newer than the
 * planned one.
 */
async function checkDueSlot(tools: CheckTools, one: RunningWatch): Promise<void> {
  const slotMs = dueSlotMs(tools, one);
  const { untilMs } = one.watch;
  const isLeftAlone = untilMs !== null && slotMs >= untilMs;
  const mayBegin = !one.rest.signal.aborted && !isLeftAlone && slotMs <= tools.clock.nowMs();
  if (mayBegin) await check(tools, one, slotMs);
}

function dueSlotMs({ clock }: CheckTools, { owner, measuredMs }: RunningWatch): number {
  const lastSlotMs = Math.max(measuredMs, owner.lastStoredMs);
  return planSlot({ ...owner.grid, lastSlotMs, nowMs: clock.nowMs() }).dueAtMs;
}

/**
 * Waits until the slot is due. After a suspended process has woken up, all of its checks are due at once. Each of them
 * therefore waits once more, for a different time.
 */
async function waitForSlot(
  { clock }: CheckTools,
  { watch: { id }, owner: { grid }, wait: { signal } }: RunningWatch,
  slotMs: number,
): Promise<void> {
  const waitMs = slotMs - clock.nowMs();
  if (waitMs <= 0) return;
  for (let leftMs = waitMs; leftMs > 0 && !signal.aborted; leftMs = slotMs - clock.nowMs())
    await pause(Math.min(leftMs, LOOK_EVERY_MS), signal);
  const nowMs = clock.nowMs();
  const lateMs = computeLateCheckWaitMs({ id, slotMs, intervalMs: grid.intervalMs, nowMs });
  if (lateMs > 0) await pause(lateMs, signal);
}

async function check(
  { runHttpStep, clock, results }: CheckTools,
  one: RunningWatch,
  slotMs: number,
): Promise<void> {
  const { accountId, id, revision, expected } = one.watch;
  const { grid } = one.owner;
  one.measuredMs = slotMs;
  const step = { accountId, kind: 'monitor', id, revision, stepIndex: 0, slotMs } as const;
  const outcome = await runHttpStep(step).catch((error: unknown) => {
    // If the API is down, the definition cannot be read for now. The slot is then missed, and the next result reports
    // it.
    if (!isRefusedForNow(error)) one.finish({ kind: 'refused' });
    return null;
  });
  if (outcome === null || one.over !== null || !isOnGridOrBefore(one.owner, slotMs)) return;
  const isOverrun = clock.nowMs() >= slotMs + grid.intervalMs;
  if (isOverrun || !isSameOutcome(readSteadyOutcome(outcome), expected)) {
    one.finish({ kind: 'found', found: { slotMs, outcome } });
    return;
  }
  const isTaken = isProbeOutcome(outcome, clock.nowMs());
  if (!isTaken || !results.add({ owner: one.owner, grid, slotMs, outcome })) {
    // The API would refuse this result, and with it the whole delivery. So the watch ends, and the workflow makes the
    // check and reports the reason.
    one.finish({ kind: 'refused' });
    return;
  }
  one.lastWords = describeOutcome(outcome, slotMs);
}
