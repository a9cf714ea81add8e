/**
 * Notifies workflows that pings have arrived, at most once a second per heartbeat and for a few heartbeats at a time.
 * During a flood of pings, only heartbeats with a ping that reports a failure are notified at once. If this process
 * ends, housekeeping sends the notifications that were lost.
 */
import type { PingStore } from '../../models/heartbeats/pings';
import { createBoundedQueue } from '../../platform/bounded-queue';
import type { Dependencies } from '../ports/dependencies';
import type { TakenPing } from './take-ping';

const APART_MS = 1_000;
const RETRY_MS = 2_000;
const TRIES_MAX = 30;
/**
 * Maximum number of notifications that are in flight. If Temporal is slow, further notifications wait in this process.
 */
const AT_ONCE_MAX = 16;
/**
 * More pings than this in a period of SLICE_MS (over 200 a second) count as a flood. During a flood, notifications
 * wait, because it is cheaper for a workflow to process many pings at once.
 */
const FLOOD_PER_SLICE = 50;
const SLICE_MS = 250;
const FLOOD_LOOK_MS = 1_000;
/** After this many checks whether the flood is over, workflows are notified anyway. */
const FLOOD_LOOKS_MAX = 120;

export interface HeartbeatNotifier {
  /** Requests a notification. Returns at once, before the workflow is notified. */
  readonly notify: (ping: TakenPing) => void;
}

export function createHeartbeatNotifier({
  gateway,
  sleep,
  clock,
}: Pick<Dependencies, 'gateway' | 'sleep' | 'clock'>): HeartbeatNotifier {
  /** Heartbeats that are being notified. The value is true if another ping arrived after the notification began. */
  const inProgress = new Map<string, boolean>();
  /** Heartbeats with a ping that reports a failure. They do not wait until a flood ends. */
  const failed = new Set<string>();
  const flood = createFloodGauge();
  // The queue has no limit, because it contains at most one entry per heartbeat.
  const inTurn = createBoundedQueue({ atOnce: AT_ONCE_MAX, waitingMax: Number.POSITIVE_INFINITY });

  async function waitForFlood(monitorId: string): Promise<void> {
    for (let looks = 0; looks < FLOOD_LOOKS_MAX; looks += 1) {
      if (failed.has(monitorId) || !flood.isHigh(clock.now())) return;
      await sleep(FLOOD_LOOK_MS);
    }
  }

  async function tryNotify(monitorId: string): Promise<boolean> {
    // The notification that now begins covers all pings that have arrived so far.
    inProgress.set(monitorId, false);
    failed.delete(monitorId);
    return gateway.notifyHeartbeat(monitorId).then(
      () => true,
      () => false,
    );
  }

  async function notifyWithRetries(monitorId: string): Promise<void> {
    let tries = 0;
    do {
      await waitForFlood(monitorId);
      const isNotified = await inTurn(() => tryNotify(monitorId));
      tries = isNotified ? 0 : tries + 1;
      if (!isNotified) inProgress.set(monitorId, true);
      await sleep(isNotified ? APART_MS : RETRY_MS);
    } while (inProgress.get(monitorId) === true && tries < TRIES_MAX);
    inProgress.delete(monitorId);
    failed.delete(monitorId);
  }

  return {
    notify({ monitorId, isFailure }) {
      flood.note(clock.now());
      if (isFailure) failed.add(monitorId);
      const isInProgress = inProgress.has(monitorId);
      inProgress.set(monitorId, true);
      if (!isInProgress) void notifyWithRetries(monitorId);
    },
  };
}

/** Counts the pings in the current and the previous period of SLICE_MS, to recognise a flood. */
function createFloodGauge() {
  let slice = 0;
  let count = 0;
  let countBefore = 0;
  const moveTo = (nowMs: number): void => {
    const current = Math.floor(nowMs / SLICE_MS);
    if (current === slice) return;
    countBefore = current === slice + 1 ? count : 0;
    count = 0;
    slice = current;
  };
  return {
    note(nowMs: number): void {
      moveTo(nowMs);
      count += 1;
    },
    isHigh(nowMs: number): boolean {
      moveTo(nowMs);
      return Math.max(count, countBefore) > FLOOD_PER_SLICE;
    },
  };
}

/** A ping is overdue if it has been pending for this long. Even a flood does not delay a notification for that long. */
const WAITED_MS = 3 * 60_000;
const PINGS_MAX = 1_000;

interface WaitingNeeds extends Pick<Dependencies, 'gateway' | 'clock'> {
  readonly stores: { readonly pings: Pick<PingStore, 'listOverdueMonitors'> };
}

/**
 * Notifies heartbeats with a ping that is still pending after three minutes. Returns the number of these heartbeats.
 */
export async function notifyOverdueHeartbeats({
  stores,
  gateway,
  clock,
}: WaitingNeeds): Promise<number> {
  const ids = await stores.pings.listOverdueMonitors(clock.now() - WAITED_MS, PINGS_MAX);
  for (const id of ids) await gateway.notifyHeartbeat(id);
  return ids.length;
}
