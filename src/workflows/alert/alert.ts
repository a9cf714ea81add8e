/**
 * Delivers one alert to all of its recipients in parallel. Repeats failed attempts with growing pauses for a day, and
 * records every attempt.
 */
import {
  ActivityFailure,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import {
  ALERT_QUEUE,
  type AlertActivities,
  type AlertInput,
  type AlertMessage,
  type AlertPreparation,
  type AlertTarget,
  type DeliveryAttempt,
  type DeliveryOutcome,
  type DeliveryRecord,
  type DeliveryStatus,
  type DeliveryTry,
} from '../../contracts/alerts';
import { isFoldable } from '../../domain/alerting/burst-rule';
import {
  listDirectTargets,
  listFallbackChain,
  listFallbackTargets,
} from '../../domain/alerting/fallback-targets';

import { isHandedOver } from './hand-over';

const GIVE_UP_AFTER_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const FIRST_WAIT_MS = 5_000;
const WAIT_MAX_MS = 600_000;
/**
 * After this many attempts, a `Retry-After` that is shorter than our own pause is ignored. Frequent attempts would make
 * the history too long.
 */
const ASKED_TRIES_MAX = 20;

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

/** Local activities are used, because they need not wait in a task queue. */
const local = proxyLocalActivities<AlertPreparation>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Set when an operator cancels the workflow. Then nothing more is sent. */
interface Cancellation {
  isRequested: boolean;
}

/**
 * Ends when every recipient has received or refused the alert, or after a day. Returns the records of the deliveries.
 * The list is empty if the alert went into a digest or was passed to an escalation.
 *
 * If an operator cancels the workflow, a running attempt may finish, and no other attempt begins.
 */
export async function alertWorkflow(input: AlertInput): Promise<readonly DeliveryRecord[]> {
  const { cancelRequested } = CancellationScope.current();
  const cancellation: Cancellation = { isRequested: false };
  cancelRequested.catch(() => {
    cancellation.isRequested = true;
  });
  const records = await CancellationScope.nonCancellable(() => carryOut(input, cancellation));
  // Awaiting `cancelRequested` throws the cancellation, so Temporal shows the workflow as cancelled.
  if (records.some(({ attempts }) => attempts.at(-1)?.detail === GIVEN_UP)) await cancelRequested;
  return records;
}

async function carryOut(
  input: AlertInput,
  cancellation: Cancellation,
): Promise<readonly DeliveryRecord[]> {
  const { alert, earlier = {}, decided } = input;
  if (decided === undefined && (await isHandedOver(alert))) return [];
  const targets = await local.findRecipients(input);
  if (targets.length > 0 && (await isTooMany(input))) {
    await durable.foldIntoDigest({ alert, targets, earlier });
    return [];
  }
  const giveUpAtMs = giveUpAt(input);
  const findTries = (target: AlertTarget): Tries => ({
    attempts: [...(earlier[target.key] ?? [])],
    // A standby recipient is notified later than the others, so its day of attempts also begins later.
    giveUpAtMs: target.isStandby === true ? Date.now() + GIVE_UP_AFTER_MS : giveUpAtMs,
    cancellation,
    standby: listFallbackChain(target, targets),
  });
  return deliverAll(targets, { alert, findTries, cancellation });
}

interface Deliveries {
  readonly alert: AlertMessage;
  readonly findTries: (target: AlertTarget) => Tries;
  readonly cancellation: Cancellation;
}

/** Delivers the alert to each recipient at most once. */
async function deliverAll(
  targets: readonly AlertTarget[],
  { alert, findTries, cancellation }: Deliveries,
): Promise<readonly DeliveryRecord[]> {
  const begunAtMs = Date.now();
  const begun = new Map<string, Promise<DeliveryRecord>>();
  const watches: Promise<void>[] = [];
  const begin = (target: AlertTarget): void => {
    if (begun.has(target.key)) return;
    const record = deliver(alert, target, findTries(target));
    begun.set(target.key, record);
    if (target.fallback !== undefined) watches.push(watch(target, target.fallback, record));
  };
  const watch = async (
    target: AlertTarget,
    { afterMinutes }: NonNullable<AlertTarget['fallback']>,
    record: Promise<DeliveryRecord>,
  ): Promise<void> => {
    const end: { status: DeliveryStatus | null } = { status: null };
    void record.then(
      ({ status }) => {
        end.status = status;
      },
      () => {
        end.status = 'failed';
      },
    );
    const dueMs = begunAtMs + afterMinutes * MINUTE_MS;
    const isOver = (): boolean => end.status !== null || cancellation.isRequested;
    const waitMs = Math.max(1, dueMs - Date.now());
    await condition(isOver, waitMs, { summary: `fallback of ${target.type}` });
    const isTaken = end.status === 'sent' || end.status === 'suppressed';
    if (!isTaken && !cancellation.isRequested) listFallbackTargets(target, targets).forEach(begin);
  };
  listDirectTargets(targets).forEach(begin);
  // A fallback recipient may have a fallback of its own, so the list may grow.
  for (let index = 0; index < watches.length; index += 1) await watches[index];
  return Promise.all(begun.values());
}

/**
 * Returns true if the account has too many alerts, so that this alert goes into the digest. Counts the alert now,
 * unless it was counted before the workflow began.
 */
async function isTooMany(input: AlertInput): Promise<boolean> {
  if (input.decided !== undefined) return input.decided === 'fold';
  return isFoldable(input.alert.kind) && !(await local.admitAlert(countedAs(input)));
}

/**
 * Returns the alert in the form in which it is counted. A resumed alert counts at the current time, because many alerts
 * resume at once after an outage.
 */
function countedAs({ alert, earlier }: AlertInput): AlertMessage {
  return earlier === undefined ? alert : { ...alert, atMs: Date.now() };
}

function giveUpAt({ alert, earlier }: AlertInput): number {
  if (alert.kind === 'test') return Date.now();
  return (earlier === undefined ? Date.now() : alert.atMs) + GIVE_UP_AFTER_MS;
}

const STATUS_AT_END = {
  sent: 'sent',
  moot: 'suppressed',
  refused: 'failed',
  later: 'failed',
} as const satisfies Record<DeliveryOutcome['kind'], DeliveryStatus>;

const LOST = 'The sender was lost before it reported.';
const GIVEN_UP = 'An operator cancelled the alert before it was delivered.';
const GIVEN_UP_OUTCOME: DeliveryOutcome = { kind: 'refused', detail: GIVEN_UP };

interface Tries {
  readonly standby: readonly AlertTarget[];
  readonly attempts: DeliveryAttempt[];
  readonly giveUpAtMs: number;
  readonly cancellation: Cancellation;
}

async function deliver(
  alert: AlertMessage,
  target: AlertTarget,
  { attempts, giveUpAtMs, cancellation, standby }: Tries,
): Promise<DeliveryRecord> {
  let saving = 0;
  for (;;) {
    const lostTries = attempts.filter(({ detail }) => detail === LOST).length;
    const outcome = cancellation.isRequested
      ? GIVEN_UP_OUTCOME
      : await tryOnce({ alert, target, ...(lostTries > 0 && { lostTries }) });
    const isSent = outcome.kind === 'sent';
    const { detail } = outcome;
    attempts.push({ atMs: Date.now(), outcome: isSent ? 'sent' : 'failed', detail });
    const waitMs = outcome.kind === 'later' ? waitBefore(attempts.length, outcome.afterMs) : null;
    if (waitMs === null || Date.now() + waitMs > giveUpAtMs) {
      await condition(() => saving === 0);
      const record = buildRecord(alert, target, { status: STATUS_AT_END[outcome.kind], attempts });
      await durable.saveDelivery(record);
      return record;
    }
    // The record is stored in the background, so that the next attempt does not wait for the database.
    const pending = buildRecord(alert, target, { status: 'pending', attempts: [...attempts] });
    const record = standby.length === 0 ? pending : { ...pending, standby };
    if (saving === 0) {
      saving += 1;
      void durable.saveDelivery(record).finally(() => {
        saving -= 1;
      });
    }
    await condition(() => cancellation.isRequested, waitMs, {
      summary: `next try of ${target.type}`,
    });
  }
}

/** Makes one attempt. A crashed worker may have sent the alert, so the next attempt uses the same id. */
async function tryOnce(delivery: DeliveryTry): Promise<DeliveryOutcome> {
  try {
    return await once.deliverAlert(delivery);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return { kind: 'later', detail: LOST, afterMs: null };
  }
}

function waitBefore(tries: number, askedMs: number | null): number {
  const backOffMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  const leastMs = tries > ASKED_TRIES_MAX ? backOffMs : 1;
  return Math.max(leastMs, askedMs ?? backOffMs);
}

function buildRecord(
  alert: AlertMessage,
  target: AlertTarget,
  { status, attempts }: Pick<DeliveryRecord, 'status' | 'attempts'>,
): DeliveryRecord {
  const progress = status === 'pending' ? attempts.length : attempts.length + 1;
  return { alert, target, status, attempts, sequence: progress };
}
