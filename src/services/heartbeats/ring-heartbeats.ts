/**
 * Tells workflows that pings have arrived, without keeping those waiting who sent them: at most once a
 * second for each heartbeat, and again while the engine is away. What this process forgets when it
 * ends is told by the reconcile pass.
 */
import type { Dependencies } from '../ports/dependencies';

const APART_MS = 1_000;
const RETRY_MS = 2_000;
const TRIES_MAX = 30;

export interface Bell {
  /** Resolves at once. */
  readonly ring: (monitorId: string) => void;
}

export function createBell({ gateway, sleep }: Pick<Dependencies, 'gateway' | 'sleep'>): Bell {
  /** Being told of; true: another ping has arrived since. */
  const ringing = new Map<string, boolean>();

  async function tell(monitorId: string): Promise<boolean> {
    return gateway.ringHeartbeat(monitorId).then(
      () => true,
      () => false,
    );
  }

  async function ringUntilTold(monitorId: string): Promise<void> {
    let tries = 0;
    do {
      ringing.set(monitorId, false);
      const isTold = await tell(monitorId);
      tries = isTold ? 0 : tries + 1;
      if (!isTold) ringing.set(monitorId, true);
      await sleep(isTold ? APART_MS : RETRY_MS);
    } while (ringing.get(monitorId) === true && tries < TRIES_MAX);
    ringing.delete(monitorId);
  }

  return {
    ring(monitorId) {
      if (ringing.has(monitorId)) ringing.set(monitorId, true);
      else void ringUntilTold(monitorId);
    },
  };
}

const WAITED_MS = 60_000;
const PINGS_MAX = 1_000;

/** Heartbeats whose pings nobody has told them of; how many were told now. */
export async function ringWaiting({
  stores,
  gateway,
  clock,
}: Pick<Dependencies, 'stores' | 'gateway' | 'clock'>): Promise<number> {
  const ids = await stores.pings.listOverdueMonitors(clock.now() - WAITED_MS, PINGS_MAX);
  for (const id of ids) await gateway.ringHeartbeat(id);
  return ids.length;
}
