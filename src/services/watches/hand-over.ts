/**
 * Takes watches from a probe that is lost: the attempt of each is failed by its token, so that the server repeats it
 * on another probe. An attempt that is over refuses its token, so that all of this may be repeated.
 */
import { PROBE_LOST_AFTER_MS } from '../../contracts/probe-protocol';
import type { LostProbe } from '../../contracts/watches';
import { watchId } from '../../domain/health/watches';
import type { WatchHolder, WatchStore } from '../../models/watches/watches';
import type { Dependencies } from '../ports/dependencies';
import type { WorkflowGateway } from '../ports/gateway';

/** So many at a time. A probe that is heard again keeps the rest. */
const AT_ONCE_MAX = 24;
/** A probe that works has opened a watch after the first; the server ends each poll within the sum, a minute. */
const LOOKS_AFTER_MS = [5_000, 5_000, 10_000, 20_000, 25_000] as const;

export interface HandOverNeeds extends Pick<Dependencies, 'clock'> {
  readonly stores: {
    readonly watches: Pick<
      WatchStore,
      'findInstance' | 'listHeldBy' | 'findHolders' | 'forget' | 'addToTotals'
    >;
  };
  readonly gateway: Pick<WorkflowGateway, 'failWatch' | 'failUnopenedWatch'>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface HandOverRun {
  readonly signal: AbortSignal;
  /** Hears how many were handed over by this call so far. */
  readonly onProgress: (handedOver: number) => void;
}

/** How many were handed over, those that are due first before the others. */
export async function handOver(
  needs: HandOverNeeds,
  probe: LostProbe,
  { signal, onProgress }: HandOverRun,
): Promise<number> {
  const { watches } = needs.stores;
  const held = await watches.listHeldBy(probe);
  const reason = `Its probe in region ${probe.region} fell silent.`;
  let handedOver = 0;
  const given: WatchHolder[] = [];
  for (let start = 0; start < held.length; start += AT_ONCE_MAX) {
    if (await isHeard(needs, probe)) break;
    signal.throwIfAborted();
    const next = held.slice(start, start + AT_ONCE_MAX);
    const failed = await failAll(needs, next, reason);
    given.push(...next);
    if (failed > 0) await watches.addToTotals(probe.region, { handedOver: failed });
    handedOver += failed;
    onProgress(handedOver);
  }
  let left: readonly WatchHolder[] = given;
  for (const waitMs of LOOKS_AFTER_MS) {
    if (left.length === 0) break;
    await needs.wait(waitMs, signal);
    onProgress(handedOver);
    if (await isHeard(needs, probe)) break;
    left = await failUnopened(needs, left, reason);
  }
  return handedOver;
}

/**
 * A probe that hangs still has polls at the server: what came to one of them is opened by nobody. Returns those
 * whose attempts it has failed; they may have come to the next poll.
 */
async function failUnopened(
  { stores: { watches }, gateway }: HandOverNeeds,
  given: readonly WatchHolder[],
  reason: string,
): Promise<readonly WatchHolder[]> {
  const failed: WatchHolder[] = [];
  for (let start = 0; start < given.length; start += AT_ONCE_MAX) {
    const next = given.slice(start, start + AT_ONCE_MAX);
    const holders = await watches.findHolders(next);
    const unopened = next.filter((one) => !holders.has(watchId(one.monitorId, one.region)));
    const areFailed = await Promise.all(
      unopened.map((one) => gateway.failUnopenedWatch(one, reason)),
    );
    failed.push(...unopened.filter((_, index) => areFailed[index]));
  }
  return failed;
}

/** How many were under way. The rows go last: until then all of it is done again by the next call. */
export async function failAll(
  {
    stores: { watches },
    gateway,
  }: {
    readonly stores: { readonly watches: Pick<WatchStore, 'forget'> };
    readonly gateway: Pick<WorkflowGateway, 'failWatch'>;
  },
  holders: readonly WatchHolder[],
  reason: string,
): Promise<number> {
  const failed = await Promise.all(
    holders.map(({ taskToken }) => gateway.failWatch(taskToken, reason)),
  );
  await watches.forget(holders);
  return failed.filter((isOne) => isOne).length;
}

async function isHeard(
  { stores: { watches }, clock }: HandOverNeeds,
  probe: LostProbe,
): Promise<boolean> {
  // Before the read, which may take long.
  const silentSinceMs = clock.now() - PROBE_LOST_AFTER_MS;
  const found = await watches.findInstance(probe);
  return found !== null && found.lastSeenAtMs >= silentSinceMs;
}
