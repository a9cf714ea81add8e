/** The job of the demo's heartbeat: it counts the stock every ten seconds, and sometimes fails. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 10_000;
const COUNTING_MS = 1_000;
const FAILS_EVERY = 6;
const REQUEST_TIMEOUT_MS = 5_000;

interface Job {
  /** The URL to which the job reports. */
  readonly pingUrl: string;
  readonly signal: AbortSignal;
}

/** Runs the job until the signal aborts. A report that fails does not end the job. */
export async function runStockCount({ pingUrl, signal }: Job): Promise<void> {
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  for (let count = 1; !signal.aborted; count += 1) {
    const report = createReport(pingUrl, randomUUID());
    await report('start', '');
    await pause(COUNTING_MS);
    if (count % FAILS_EVERY === 0) await report('1', 'Two bags of coffee are missing.');
    else await report('0', 'Counted 3 items.');
    await pause(EVERY_MS - COUNTING_MS);
  }
}

function createReport(pingUrl: string, runId: string) {
  return async (says: string, text: string): Promise<void> => {
    await fetch(`${pingUrl}/${says}?rid=${runId}`, {
      method: 'POST',
      headers: { 'idempotency-key': runId },
      body: text,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).then(
      (response) => response.body?.cancel(),
      () => undefined,
    );
  };
}
