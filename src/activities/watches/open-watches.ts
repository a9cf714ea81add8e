/**
 * Reports to the API which watches this probe runs, many in one request. The API returns the last stored slot of each
 * watch. Gaps are counted from that slot, so the call is retried until the API responds.
 */
import { WATCHES_OPENED_MAX } from '../../contracts/probe-protocol';
import type { OpenedWatch, WatchOpening } from '../../contracts/watches';
import type { InternalApiClient } from '../internal-api-client';
import { pause } from './pause';

/**
 * How long to collect watches for one request. After a start or a hand-over, hundreds of watches arrive within moments.
 */
const GATHER_MS = 50;
const RETRY_MS = 1_000;

/**
 * Reports the watch to the API and resolves to the API's data about it. Never resolves after the signal was aborted:
 * the watch has then ended, and the API must not assign it to this probe.
 */
export type OpenWatch = (opening: WatchOpening, signal: AbortSignal) => Promise<OpenedWatch>;

interface Waiting {
  readonly opening: WatchOpening;
  readonly signal: AbortSignal;
  readonly resolve: (opened: OpenedWatch) => void;
}

/**
 * Creates a function that reports watches. Only one request is sent at a time, so that a burst of watches does not open
 * hundreds of connections.
 */
export function createOpenWatch({
  openWatches,
}: Pick<InternalApiClient, 'openWatches'>): OpenWatch {
  let waiting: Waiting[] = [];
  let isBusy = false;

  async function openAll(): Promise<void> {
    isBusy = true;
    await pause(GATHER_MS);
    for (;;) {
      waiting = waiting.filter(({ signal }) => !signal.aborted);
      if (waiting.length === 0) break;
      const batch = waiting.slice(0, WATCHES_OPENED_MAX);
      try {
        const opened = await openWatches(batch.map(({ opening }) => opening));
        waiting = waiting.slice(batch.length);
        for (const [index, one] of opened.entries()) batch[index]?.resolve(one);
      } catch {
        // The API did not respond, so the loop tries again.
        await pause(RETRY_MS);
      }
    }
    isBusy = false;
  }

  return (opening, signal) =>
    new Promise((resolve) => {
      waiting.push({ opening, signal, resolve });
      if (!isBusy) void openAll();
    });
}
