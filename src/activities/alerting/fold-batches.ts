/** Sends alerts to the digest workflow of their account in batches, with one signal per batch. */
import type { FoldedAlert } from '../../contracts/alerts';

export interface FoldBounds {
  /** How long the first alert of a batch waits for further alerts. */
  readonly gatherMs: number;
  readonly alertsMax: number;
  /** Maximum size of a batch in bytes: its alerts as JSON in UTF-8. A larger alert is sent in a batch of its own. */
  readonly bytesMax: number;
}

/** Temporal accepts at most 2 MB as one argument. These limits are well below that. */
const BOUNDS: FoldBounds = { gatherMs: 100, alertsMax: 200, bytesMax: 512 * 1024 };

interface Waiting {
  readonly folded: FoldedAlert;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly waiting: Waiting[];
  /** The total size of all waiting alerts. */
  bytes: number;
  /** Stops waiting for further alerts and sends the batch. */
  wake: () => void;
}

/**
 * Returns a function that adds an alert to the next batch of its account, and resolves once `send` has accepted the
 * batch. The batches of one account are sent one after the other, in the order of arrival. If `send` fails, every
 * waiting alert of the account fails.
 */
export function createFoldBatches(
  send: (batch: readonly FoldedAlert[]) => Promise<void>,
  bounds: FoldBounds = BOUNDS,
): (folded: FoldedAlert) => Promise<void> {
  const queues = new Map<string, Queue>();

  async function sendQueue(accountId: string, queue: Queue): Promise<void> {
    while (queue.waiting.length > 0) {
      await gather(queue, bounds);
      const batch = takeBatch(queue, bounds);
      try {
        await send(batch.map(({ folded }) => folded));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of [...batch, ...queue.waiting.splice(0)]) reject(error);
      }
    }
    queues.delete(accountId);
  }

  return (folded) =>
    new Promise((resolve, reject) => {
      const { accountId } = folded.alert;
      const known = queues.get(accountId);
      const queue = known ?? { waiting: [], bytes: 0, wake: () => undefined };
      const bytes = Buffer.byteLength(JSON.stringify(folded));
      queue.waiting.push({ folded, bytes, resolve, reject });
      queue.bytes += bytes;
      if (isFull(queue, bounds)) queue.wake();
      if (known !== undefined) return;
      queues.set(accountId, queue);
      void sendQueue(accountId, queue);
    });
}

function isFull({ waiting, bytes }: Queue, { alertsMax, bytesMax }: FoldBounds): boolean {
  return waiting.length >= alertsMax || bytes >= bytesMax;
}

async function gather(queue: Queue, bounds: FoldBounds): Promise<void> {
  if (isFull(queue, bounds)) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, bounds.gatherMs);
    queue.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  queue.wake = () => undefined;
}

/** Removes the first alerts from the queue and returns them: as many as fit into one batch, and at least one. */
function takeBatch(queue: Queue, { alertsMax, bytesMax }: FoldBounds): readonly Waiting[] {
  let count = 0;
  let bytes = 0;
  for (const one of queue.waiting.slice(0, alertsMax)) {
    if (count > 0 && bytes + one.bytes > bytesMax) break;
    count += 1;
    bytes += one.bytes;
  }
  queue.bytes -= bytes;
  return queue.waiting.splice(0, count);
}
