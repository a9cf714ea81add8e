/**
 * One alert on its way: to each of its places at once, with back-off for a day, and a record of every
 * try. It must not know what is wrong with the monitor.
 */
import { condition, proxyActivities, sleep } from '@temporalio/workflow';
import {
  ALERT_QUEUE,
  type AlertActivities,
  type AlertInput,
  type AlertTarget,
  type DeliveryAttempt,
  type DeliveryOutcome,
  type DeliveryRecord,
  type OwedAlert,
} from '../contracts/alerts';

const GIVE_UP_AFTER_MS = 24 * 3_600_000;
const FIRST_WAIT_MS = 5_000;
const WAIT_MAX_MS = 600_000;

const once = proxyActivities<AlertActivities>({
  taskQueue: ALERT_QUEUE,
  startToCloseTimeout: '45 seconds',
  retry: { maximumAttempts: 1 },
});

const durable = proxyActivities<AlertActivities>({
  taskQueue: ALERT_QUEUE,
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Ends when every place has it, has refused it, or a day is over; the records say which. */
export async function alertWorkflow({
  alert,
  places,
}: AlertInput): Promise<readonly DeliveryRecord[]> {
  const targets = await durable.findTargets({ v: 1, alert, places });
  if (isFoldable(alert) && targets.length > 0 && !(await durable.admitAlert(alert))) {
    await durable.foldIntoDigest({ alert, targets });
    return Promise.all(targets.map((target) => keepSuppressed(alert, target)));
  }
  return Promise.all(targets.map((target) => deliver(alert, target)));
}

function isFoldable({ kind }: OwedAlert): boolean {
  return kind === 'failure' || kind === 'recovery' || kind === 'degraded';
}

async function keepSuppressed(alert: OwedAlert, target: AlertTarget): Promise<DeliveryRecord> {
  const detail = 'Folded into a digest: too many alerts at the same time.';
  const attempts = [{ atMs: Date.now(), outcome: 'failed' as const, detail }];
  const record = recordOf(alert, target, { status: 'suppressed', attempts });
  await durable.saveDelivery(record);
  return record;
}

async function deliver(alert: OwedAlert, target: AlertTarget): Promise<DeliveryRecord> {
  const attempts: DeliveryAttempt[] = [];
  const giveUpAtMs = Date.now() + (alert.kind === 'test' ? 0 : GIVE_UP_AFTER_MS);
  let saving = 0;
  for (;;) {
    const outcome = await tryOnce(alert, target);
    const isSent = outcome.kind === 'sent';
    const { detail } = outcome;
    attempts.push({ atMs: Date.now(), outcome: isSent ? 'sent' : 'failed', detail });
    const waitMs = outcome.kind === 'later' ? waitBefore(attempts.length, outcome.afterMs) : null;
    if (waitMs === null || Date.now() + waitMs > giveUpAtMs) {
      await condition(() => saving === 0);
      const record = recordOf(alert, target, { status: isSent ? 'sent' : 'failed', attempts });
      await durable.saveDelivery(record);
      return record;
    }
    // The next try never waits for the database.
    const record = recordOf(alert, target, { status: 'pending', attempts: [...attempts] });
    if (saving === 0) {
      saving += 1;
      void durable.saveDelivery(record).finally(() => {
        saving -= 1;
      });
    }
    await sleep(waitMs, { summary: `next try of ${target.type}` });
  }
}

/** A worker that dies in the middle may have sent it; the next try carries the same id. */
async function tryOnce(alert: OwedAlert, target: AlertTarget): Promise<DeliveryOutcome> {
  try {
    return await once.deliverAlert({ alert, target });
  } catch {
    return { kind: 'later', detail: 'The sender was lost before it reported.', afterMs: null };
  }
}

function waitBefore(tries: number, askedMs: number | null): number {
  const backOffMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  return Math.max(1, askedMs ?? backOffMs);
}

function recordOf(
  alert: OwedAlert,
  { sealed: _sealed, ...target }: AlertTarget,
  { status, attempts }: Pick<DeliveryRecord, 'status' | 'attempts'>,
): DeliveryRecord {
  const progress = status === 'pending' ? attempts.length : attempts.length + 1;
  return { alert, target, status, attempts, progress };
}
