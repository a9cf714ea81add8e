/** The job of the demo's heartbeat: it counts the stock twice a minute, and sometimes fails. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { JOB_EVERY_SECONDS } from './demo-resources';
import { computeDuration } from './shop-load';

const EVERY_MS = JOB_EVERY_SECONDS * 1_000;
/** How long a count usually takes. */
export const COUNTING_MS = 1_000;
const FAILS_EVERY = 4;
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
    const countingMs = computeDuration(COUNTING_MS, Date.now(), Math.random());
    await pause(countingMs);
    if (count % FAILS_EVERY === 0) await report('1', 'Two bags of coffee are missing.');
    else await report('0', 'Counted 3 items.');
    await pause(EVERY_MS - countingMs);
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
