/**
 * Moves watches (activities that repeat steady checks) from a lost probe to other probes. Fails each attempt by its
 * token, so that Temporal retries it on another probe. Safe to repeat.
 */
import { PROBE_LOST_AFTER_MS } from '../../contracts/probe-protocol';
import type { LostProbe } from '../../contracts/watches';
import { watchId } from '../../domain/health/watches';
import type { WatchHolder, WatchStore } from '../../models/watches/watches';
import type { Dependencies } from '../ports/dependencies';
import type { WorkflowGateway } from '../ports/gateway';

/**
 * Number of watches per batch. If the probe reports again between two batches, the probe keeps the remaining watches.
 */
const AT_ONCE_MAX = 24;
/**
 * The waits before each check for watches that a probe received but did not open. A working probe opens a watch within
 * the first wait. The waits add up to about a minute, and within this time, Temporal ends every poll.
 */
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
  /** Called with the number of watches that were moved so far. */
  readonly onProgress: (handedOver: number) => void;
}

/**
 * Moves the watches of a lost probe, and returns their number. Watches whose next check is due first are moved first.
 */
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
    if (await isSeen(needs, probe)) break;
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
    if (await isSeen(needs, probe)) break;
    left = await failUnopened(needs, left, reason);
  }
  return handedOver;
}

/**
 * Fails attempts of watches that a hanging probe has received but not opened. Returns these watches. The same probe may
 * receive them again, so the caller must repeat this.
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

/**
 * Fails the attempts of the given watches, and then deletes their rows. Returns the number of attempts that were in
 * progress. The rows are deleted last, so that the next call repeats everything after a crash.
 */
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

async function isSeen(
  { stores: { watches }, clock }: HandOverNeeds,
  probe: LostProbe,
): Promise<boolean> {
  // The clock is read before the database, because the database may respond slowly.
  const silentSinceMs = clock.now() - PROBE_LOST_AFTER_MS;
  const found = await watches.findInstance(probe);
  return found !== null && found.lastSeenAtMs >= silentSinceMs;
}
