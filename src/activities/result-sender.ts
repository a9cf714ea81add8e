/**
 * Hands results of quiet checks to the API, gathered into deliveries that are bounded in number, size
 * and time. It keeps nothing: who hands over a result learns what became of it, or that nobody knows.
 */
import { DELIVERY_BYTES_MAX, DELIVERY_RESULTS_MAX } from '../contracts/probe-protocol';
import type { WatchedResult, WatchReceipt } from '../contracts/watches';
import { askPatiently } from './ask-patiently';
import type { InternalApiClient } from './internal-api-client';

/**
 * The longest that a result waits for others. What a delivery costs hardly depends on how many it holds, so
 * that more of them would cost more of everything; an attempt under way lasts so much longer.
 */
const GATHER_MS = 500;
/** What the envelope and the seal add at most. */
const ENVELOPE_BYTES = 1_024;
/** Deliveries that are under way at a time. */
const DELIVERIES_MAX = 4;

export interface ResultSender {
  /** Resolves after the API has stored it; throws when it did not say so within the time. */
  readonly send: (result: WatchedResult, withinMs: number) => Promise<WatchReceipt>;
}

interface Waiting {
  readonly result: WatchedResult;
  readonly bytes: number;
  readonly resolve: (receipt: WatchReceipt) => void;
  readonly reject: (reason: unknown) => void;
}

export function createResultSender({
  deliverResults,
}: Pick<InternalApiClient, 'deliverResults'>): ResultSender {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let underWay = 0;

  async function deliver(batch: readonly Waiting[]): Promise<void> {
    underWay += 1;
    try {
      const receipts = await askPatiently(() => deliverResults(batch.map(({ result }) => result)));
      for (const [index, receipt] of receipts.entries()) batch[index]?.resolve(receipt);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      flush();
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && underWay < DELIVERIES_MAX) {
      const batch = nextBatch(waiting);
      waiting = waiting.slice(batch.length);
      void deliver(batch);
    }
  }

  async function send(result: WatchedResult, withinMs: number): Promise<WatchReceipt> {
    let limit: NodeJS.Timeout | undefined;
    const received = new Promise<WatchReceipt>((resolve, reject) => {
      const giveUp = () => reject(new Error('the API does not confirm the result'));
      limit = setTimeout(giveUp, withinMs);
      const bytes = Buffer.byteLength(JSON.stringify(result));
      waiting.push({ result, bytes, resolve, reject });
      if (waiting.length >= DELIVERY_RESULTS_MAX) flush();
      else timer ??= setTimeout(flush, GATHER_MS);
    });
    return received.finally(() => clearTimeout(limit));
  }

  return { send };
}

/** As many of the first ones as fit, and at least one. */
function nextBatch(waiting: readonly Waiting[]): readonly Waiting[] {
  let bytes = ENVELOPE_BYTES;
  const first = waiting.slice(0, DELIVERY_RESULTS_MAX);
  const tooMany = first.findIndex((one, index) => {
    bytes += one.bytes + 1;
    return index > 0 && bytes > DELIVERY_BYTES_MAX;
  });
  return tooMany === -1 ? first : first.slice(0, tooMany);
}
