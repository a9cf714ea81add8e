/**
 * Notices probes that fell silent with watches, and has these handed over. It judges only while this API could hear
 * a probe: it has listened for long enough, its database answers, and its own event loop did not stand still.
 */
import { PROBE_ALIVE_EVERY_MS, PROBE_LOST_AFTER_MS } from '../../contracts/probe-protocol';
import type { ProbeInstance, WatchStore } from '../../models/watches/watches';
import type { Dependencies } from '../ports/dependencies';
import type { WorkflowGateway } from '../ports/gateway';

const EVERY_MS = PROBE_ALIVE_EVERY_MS;
/** A look that begins later than this heard nothing for a while, like everything in this process. */
const LATE_MAX_MS = 2_000;
/** A process without watches that was silent for so long is forgotten. */
const FORGET_AFTER_MS = 10 * 60_000;

export interface LostProbeNeeds extends Pick<Dependencies, 'clock'> {
  readonly stores: {
    readonly watches: Pick<WatchStore, 'listInstances' | 'hasWatches' | 'forgetInstance'>;
  };
  readonly gateway: Pick<WorkflowGateway, 'handOver'>;
  /** Milliseconds that only ever grow. */
  readonly steadyNow: () => number;
  readonly notifyOperator: Dependencies['notifyOperator'];
}

/** Looks every other second; ends with the function that it returns. */
export function keepNoticingLostProbes(needs: LostProbeNeeds): () => void {
  const look = createLostProbeLook(needs);
  const timer = setInterval(() => void look(), EVERY_MS);
  timer.unref();
  return (): void => clearInterval(timer);
}

/** One look, to be repeated every other second; it never throws: what failed is done by the next one. */
export function createLostProbeLook(needs: LostProbeNeeds): () => Promise<void> {
  let listeningSinceMs: number | null = null;
  let lookedAtMs: number | null = null;
  let isLooking = false;
  const reported = new Set<string>();

  async function look(): Promise<void> {
    // Before the read: however long it takes, what probes say meanwhile is not in it.
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
    // While the database is away, nothing that probes say is noted.
    await look().catch(() => {
      listeningSinceMs = null;
    });
    isLooking = false;
  };
}

/** One that has no watches is of no interest. While Temporal is away, its workflow is started by a later look. */
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
    notifyOperator(facts, 'a probe fell silent; its watches are handed over');
  }
  await gateway.handOver(probe).catch(() => undefined);
}
