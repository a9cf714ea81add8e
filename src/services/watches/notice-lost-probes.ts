/**
 * Finds probes that no longer report although they have open watches, and starts moving these watches to other probes.
 * A probe counts as lost only if this API could have received its reports. The API must have listened for long enough,
 * its database must respond, and its event loop must not have been blocked.
 */
import { PROBE_ALIVE_EVERY_MS, PROBE_LOST_AFTER_MS } from '../../contracts/probe-protocol';
import type { ProbeInstance, WatchStore } from '../../models/watches/watches';
import type { Dependencies } from '../ports/dependencies';
import type { WorkflowGateway } from '../ports/gateway';

const EVERY_MS = PROBE_ALIVE_EVERY_MS;
/**
 * If the check for lost probes runs this much later than planned, the process was blocked and could not receive
 * reports.
 */
const LATE_MAX_MS = 2_000;
/** A probe process without watches is forgotten after this long without a report. */
const FORGET_AFTER_MS = 10 * 60_000;

export interface LostProbeNeeds extends Pick<Dependencies, 'clock'> {
  readonly stores: {
    readonly watches: Pick<WatchStore, 'listInstances' | 'hasWatches' | 'forgetInstance'>;
  };
  readonly gateway: Pick<WorkflowGateway, 'handOver'>;
  /** Reads a monotonic clock in milliseconds. */
  readonly steadyNow: () => number;
  readonly notifyOperator: Dependencies['notifyOperator'];
}

/** Starts a check every two seconds. Returns a function that stops the checks. */
export function watchForLostProbes(needs: LostProbeNeeds): () => void {
  const look = createLostProbeCheck(needs);
  const timer = setInterval(() => void look(), EVERY_MS);
  timer.unref();
  return (): void => clearInterval(timer);
}

/** Builds a function that makes one check. Call it every two seconds. It never throws. */
export function createLostProbeCheck(needs: LostProbeNeeds): () => Promise<void> {
  let listeningSinceMs: number | null = null;
  let lookedAtMs: number | null = null;
  let isLooking = false;
  const reported = new Set<string>();

  async function look(): Promise<void> {
    // The clock is read first. Reports that arrive during a slow read of the database are not in its result.
    const silentSinceMs = needs.clock.now() - PROBE_LOST_AFTER_MS;
    const instances = await needs.stores.watches.listInstances();
    const hasListened =
      listeningSinceMs !== null && needs.steadyNow() - listeningSinceMs >= PROBE_LOST_AFTER_MS;
    listeningSinceMs ??= needs.steadyNow();
    if (!hasListened) return;
    const silent = instances.filter(({ lastSeenAtMs }) => lastSeenAtMs < silentSinceMs);
    const names = new Set(silent.map(({ instance }) => instance));
    for (const name of reported) if (!names.has(name)) reported.delete(name);
    await Promise.all(silent.map((probe) => giveUp(needs, probe, reported)));
  }

  return async () => {
    if (isLooking) return;
    const nowMs = needs.steadyNow();
    const isLate = lookedAtMs !== null && nowMs - lookedAtMs > EVERY_MS + LATE_MAX_MS;
    if (isLate) listeningSinceMs = null;
    lookedAtMs = nowMs;
    isLooking = true;
    // While the database is unavailable, reports of probes are not recorded, so no probe counts as lost.
    await look().catch(() => {
      listeningSinceMs = null;
    });
    isLooking = false;
  };
}

/** Starts moving the watches. Ignores probes without watches. If Temporal is unavailable, a later check tries again. */
async function giveUp(
  { stores: { watches }, gateway, clock, notifyOperator }: LostProbeNeeds,
  { instance, region, lastSeenAtMs }: ProbeInstance,
  reported: Set<string>,
): Promise<void> {
  const probe = { instance, region };
  if (!(await watches.hasWatches(probe))) {
    const forgottenMs = clock.now() - FORGET_AFTER_MS;
    if (lastSeenAtMs < forgottenMs) await watches.forgetInstance(probe, forgottenMs);
    return;
  }
  if (!reported.has(instance)) {
    reported.add(instance);
    const facts = { ...probe, lastSeenAt: new Date(lastSeenAtMs).toISOString() };
    notifyOperator(facts, 'a probe stopped reporting: its watches go to other probes');
  }
  await gateway.handOver(probe).catch(() => undefined);
}
