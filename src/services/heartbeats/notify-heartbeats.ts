/**
 * Notifies workflows that pings have arrived, at most once a second per heartbeat and a few heartbeats at a time.
 * During a flood of pings, only heartbeats whose ping reports a failure are notified at once. If this process ends, the
 * reconcile pass sends the lost notifications.
 */
import type { PingStore } from '../../models/heartbeats/pings';
import { createBoundedQueue } from '../../platform/bounded-queue';
import type { Dependencies } from '../ports/dependencies';
import type { TakenPing } from './take-ping';

const APART_MS = 1_000;
const RETRY_MS = 2_000;
const TRIES_MAX = 30;
/** How many notifications may be in flight. If Temporal is slow, further notifications wait in this process. */
const AT_ONCE_MAX = 16;
/**
 * More pings than this in a slice (over 200 a second) count as a flood. Notifications then wait, because it is
 * expensive for workflows to judge pings one by one.
 */
const FLOOD_PER_SLICE = 50;
const SLICE_MS = 250;
const FLOOD_LOOK_MS = 1_000;
/** After this many checks for the end of a flood, workflows are notified even if it continues. */
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
  /** Heartbeats that are being notified. The value is true if another ping has arrived since the notification began. */
  const inProgress = new Map<string, boolean>();
  /** Heartbeats with a failure, which do not wait for a flood to end. */
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

/** Counts the pings in the current and the previous slice of time, to recognise a flood. */
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

/** How long a ping must have been pending to be overdue. Even a flood does not delay a notification for that long. */
const WAITED_MS = 3 * 60_000;
const PINGS_MAX = 1_000;

interface WaitingNeeds extends Pick<Dependencies, 'gateway' | 'clock'> {
  readonly stores: { readonly pings: Pick<PingStore, 'listOverdueMonitors'> };
}

/** Notifies heartbeats with a ping that is still pending after three minutes. Returns how many. */
export async function notifyOverdueHeartbeats({
  stores,
  gateway,
  clock,
}: WaitingNeeds): Promise<number> {
  const ids = await stores.pings.listOverdueMonitors(clock.now() - WAITED_MS, PINGS_MAX);
  for (const id of ids) await gateway.notifyHeartbeat(id);
  return ids.length;
}
