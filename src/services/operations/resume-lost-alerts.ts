/**
 * Resumes alerts that Temporal has lost. Such an alert has a pending delivery in the database, but no workflow. Never
 * starts an alert that Temporal knows.
 */
import type { AlertInput, AlertTarget } from '../../contracts/alerts';
import type { Alert, PendingDelivery } from '../../models/alerting/alerts';
import type { ReconcileSource } from '../../models/operations/reconcile-source';
import { interleave, runAtPace } from '../../platform/paced';
import type { Dependencies } from '../ports/dependencies';
import type { ReconcileGateway } from './reconcile-gateway';

/**
 * A pending delivery must be at least this old to count as lost, because Temporal lists new workflows with a small
 * delay.
 */
const MIN_AGE_MS = 10_000;
/** How long alerts are retried. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
const PAGE_SIZE = 500;
const PACE = { perSecond: 20, atOnce: 8 };

export interface LostAlertNeeds extends Pick<Dependencies, 'stores' | 'clock' | 'sleep'> {
  readonly source: ReconcileSource;
  readonly temporal: ReconcileGateway;
}

export interface ResumedAlerts {
  /** The number of alerts that were started again, each at most once. */
  readonly resumed: number;
  /** The number of deliveries that were too old to resume and were recorded as failed. */
  readonly givenUp: number;
}

/** Resumes lost alerts. Throws if Temporal or the database is unavailable. Safe to repeat. */
export async function resumeLostAlerts(
  needs: LostAlertNeeds,
  signal: AbortSignal,
): Promise<ResumedAlerts> {
  const { stores, clock, sleep } = needs;
  const nowMs = clock.now();
  const lost = await findLost(needs, nowMs, signal);
  const isTooOld = ({ createdAtMs }: Alert): boolean => createdAtMs <= nowMs - GIVE_UP_AFTER_MS;
  const tooOld = lost.filter(isTooOld);
  for (const alert of tooOld) await stores.alerts.save(alert.accountId, givenUp(alert, nowMs));
  const inputs = buildInputs(lost.filter((alert) => !isTooOld(alert)));
  let resumed = 0;
  const ordered = interleave(inputs, ({ alert }) => alert.accountId);
  await runAtPace(ordered, { ...PACE, sleep, signal }, async (input) => {
    if (await resume(needs, input)) resumed += 1;
  });
  return { resumed, givenUp: tooOld.length };
}

/** Finds the lost alerts. An alert that waits in a digest has no workflow and is not lost. */
async function findLost(
  { source, temporal }: LostAlertNeeds,
  nowMs: number,
  signal: AbortSignal,
): Promise<readonly Alert[]> {
  const found: Alert[] = [];
  for (;;) {
    signal.throwIfAborted();
    const afterId = found.at(-1)?.id ?? '';
    const query = { createdBeforeMs: nowMs - MIN_AGE_MS, afterId, limit: PAGE_SIZE };
    const page = await source.listPendingAlerts(query);
    found.push(...page);
    if (page.length < PAGE_SIZE) break;
  }
  if (found.length === 0) return [];
  const open = new Set((await temporal.listOpen('alert')).map(({ id }) => id));
  const gathering = new Set((await temporal.listOpen('digest')).map(({ id }) => id));
  return found.filter(
    ({ accountId, pending }) => !gathering.has(accountId) && !open.has(pending?.alert.id ?? ''),
  );
}

interface Lost extends AlertInput {
  /** Id of a delivery of the alert that waits in a digest. null if no delivery of the alert waits in a digest. */
  readonly foldedId: string | null;
}

/**
 * Resumes the alert. If the alert belongs to a digest, sends it to the digest again, which accepts each alert once.
 * Returns false if nothing had to be resumed.
 */
async function resume({ temporal, stores }: LostAlertNeeds, lost: Lost): Promise<boolean> {
  const { foldedId, ...input } = lost;
  if (foldedId === null) return temporal.restoreAlert(input);
  const { alert, recipients, earlier = {} } = input;
  // The digest of the alert may have ended since the pass began.
  const reported = await stores.alerts.findSuppressed(alert.accountId, [foldedId]);
  if (reported.length > 0) return false;
  await temporal.foldAlert({ alert, targets: recipients.targets, earlier, isRepeated: true });
  return true;
}

/** Builds one input per alert, with the targets that the alert has not reached yet. */
function buildInputs(alerts: readonly Alert[]): readonly Lost[] {
  const byAlert = new Map<string, Lost>();
  for (const { id, pending, attempts } of alerts) {
    if (pending === null) continue;
    const before = byAlert.get(pending.alert.id);
    byAlert.set(pending.alert.id, {
      v: 1,
      alert: pending.alert,
      recipients: { channels: [], targets: withTarget(before?.recipients.targets ?? [], pending) },
      earlier: { ...before?.earlier, [pending.target.key]: attempts },
      foldedId: pending.isFolded === true ? id : (before?.foldedId ?? null),
    });
  }
  return [...byAlert.values()];
}

/** Adds a target. If a target has its own pending delivery, it is not treated as a fallback. */
function withTarget(
  targets: readonly AlertTarget[],
  { target, standby = [] }: PendingDelivery,
): readonly AlertTarget[] {
  const own = { ...target, isStandby: false };
  const others = targets.filter(({ key }) => key !== own.key);
  const known = new Set([own, ...others].map(({ key }) => key));
  return [...others, own, ...standby.filter(({ key }) => !known.has(key))];
}

function givenUp(alert: Alert, nowMs: number): Alert {
  const detail = 'Its workflow was lost, and it was pending for more than a day.';
  const attempts = [...alert.attempts, { atMs: nowMs, outcome: 'failed' as const, detail }];
  return { ...alert, status: 'failed', attempts, sequence: attempts.length + 1, pending: null };
}
