/**
 * Notices probes that fell silent while they had open watches, and starts the hand-over of these watches. Probes are
 * judged only while this API could have received reports: the API has listened for long enough, its database responds,
 * and its event loop was not blocked.
 */
import { PROBE_ALIVE_EVERY_MS, PROBE_LOST_AFTER_MS } from '../../contracts/probe-protocol';
import type { ProbeInstance, WatchStore } from '../../models/watches/watches';
import type { Dependencies } from '../ports/dependencies';
import type { WorkflowGateway } from '../ports/gateway';

const EVERY_MS = PROBE_ALIVE_EVERY_MS;
/**
 * If the check for lost probes runs later than planned by more than this, the process was blocked and could not receive
 * reports.
 */
const LATE_MAX_MS = 2_000;
/** A probe process without watches is forgotten after this much silence. */
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

/** Checks every two seconds. Returns a function that stops the checks. */
export function watchForLostProbes(needs: LostProbeNeeds): () => void {
  const look = createLostProbeLook(needs);
  const timer = setInterval(() => void look(), EVERY_MS);
  timer.unref();
  return (): void => clearInterval(timer);
}

/** Builds a function that checks once. Call that function every two seconds. It never throws. */
export function createLostProbeLook(needs: LostProbeNeeds): () => Promise<void> {
  let listeningSinceMs: number | null = null;
  let lookedAtMs: number | null = null;
  let isLooking = false;
  const reported = new Set<string>();

  async function look(): Promise<void> {
    // The clock is read first, because reports that arrive during a slow read are not in its
    // result.
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
    // While the database is unavailable, reports of probes are not recorded, so no probe is judged.
    await look().catch(() => {
      listeningSinceMs = null;
    });
    isLooking = false;
  };
}

/**
 * Starts the hand-over. Ignores probes without watches. If Temporal is unavailable, a later check starts the hand-over.
 */
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
