/**
 * Notifies workflows that pings have arrived, without delaying whoever sent them: at most once a second
 * for each heartbeat, a few heartbeats at a time, and again while Temporal is away. The reconcile pass makes up for what this
 * process forgets when it ends.
 */
import type { PingStore } from '../../models/heartbeats/pings';
import { createBoundedQueue } from '../../platform/bounded-queue';
import type { Dependencies } from '../ports/dependencies';

const APART_MS = 1_000;
const RETRY_MS = 2_000;
const TRIES_MAX = 30;
/** Under way at a time: when Temporal is slow, pings wait for each other and not for it. */
const AT_ONCE_MAX = 16;

export interface Bell {
  /** Resolves at once. */
  readonly ring: (monitorId: string) => void;
}

export function createBell({ gateway, sleep }: Pick<Dependencies, 'gateway' | 'sleep'>): Bell {
  /** Being notified; true: another ping has arrived since. */
  const ringing = new Map<string, boolean>();
  // At most one waits for each heartbeat.
  const inTurn = createBoundedQueue({ atOnce: AT_ONCE_MAX, waitingMax: Number.POSITIVE_INFINITY });

  async function notify(monitorId: string): Promise<boolean> {
    // What arrives until it is this one's turn is part of the same notification.
    ringing.set(monitorId, false);
    return gateway.ringHeartbeat(monitorId).then(
      () => true,
      () => false,
    );
  }

  async function ringUntilNotified(monitorId: string): Promise<void> {
    let tries = 0;
    do {
      const isNotified = await inTurn(() => notify(monitorId));
      tries = isNotified ? 0 : tries + 1;
      if (!isNotified) ringing.set(monitorId, true);
      await sleep(isNotified ? APART_MS : RETRY_MS);
    } while (ringing.get(monitorId) === true && tries < TRIES_MAX);
    ringing.delete(monitorId);
  }

  return {
    ring(monitorId) {
      const isRinging = ringing.has(monitorId);
      ringing.set(monitorId, true);
      if (!isRinging) void ringUntilNotified(monitorId);
    },
  };
}

const WAITED_MS = 60_000;
const PINGS_MAX = 1_000;

interface WaitingNeeds extends Pick<Dependencies, 'gateway' | 'clock'> {
  readonly stores: { readonly pings: Pick<PingStore, 'listOverdueMonitors'> };
}

/** Notifies heartbeats with a ping that is still pending after a minute; how many there were. */
export async function ringWaiting({ stores, gateway, clock }: WaitingNeeds): Promise<number> {
  const ids = await stores.pings.listOverdueMonitors(clock.now() - WAITED_MS, PINGS_MAX);
  for (const id of ids) await gateway.ringHeartbeat(id);
  return ids.length;
}
