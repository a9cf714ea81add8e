/**
 * Suspends and resumes the checks of an account. Workflows treat a suspension as maintenance of the whole account.
 * Paused checks stay paused. The time of the suspension counts neither as uptime nor as downtime.
 */
import type { Account } from '../../../models/accounts/accounts';
import { isUnavailable } from '../../../platform/errors';
import { runAtPace } from '../../../platform/paced';
import { findUsers } from '../../lists/find-users';
import { readEntries } from '../../maintenance/account-calendar';
import { buildPlan } from '../../maintenance/maintenance-plans';
import { type NotifyNeeds, notifyWithin, PACE } from '../../maintenance/notify-workflows';

type Unnotified = Awaited<ReturnType<NotifyNeeds['stores']['accounts']['listUnnotified']>>[number];

/** The time limit for notifying workflows within a request. Housekeeping notifies the rest. */
const SOON_MS = 1_500;

/**
 * Suspends the account, or resumes it if `reason` is null. Resolves after the workflows were notified. If time runs
 * out, housekeeping notifies the rest within a minute. For a suspended account, only the reason changes.
 */
export async function setSuspended(
  needs: NotifyNeeds,
  { id, suspended }: Pick<Account, 'id' | 'suspended'>,
  reason: string | null,
): Promise<void> {
  const { stores, clock } = needs;
  const nowMs = clock.now();
  if (reason === null && suspended === undefined) return;
  const next = reason === null ? null : { reason, atMs: suspended?.atMs ?? nowMs };
  await stores.accounts.setSuspended(id, next, nowMs);
  const due = [{ id, unnotifiedSinceMs: nowMs }];
  await notifyWithin(SOON_MS, (signal) => notifyAccounts(needs, due, signal));
}

/** Notifies workflows that were not notified by a request. Returns the number of accounts with such workflows. */
export async function notifySuspensions(needs: NotifyNeeds, signal: AbortSignal): Promise<number> {
  const due = await needs.stores.accounts.listUnnotified();
  await notifyAccounts(needs, due, signal);
  return due.length;
}

/**
 * Notifies the workflows of accounts. Safe to repeat. An account stays in the list until all of its workflows have been
 * notified. If one account fails, the others continue, and the first error is thrown at the end.
 */
async function notifyAccounts(
  needs: NotifyNeeds,
  accounts: readonly Unnotified[],
  signal: AbortSignal,
): Promise<void> {
  const { sleep, stores } = needs;
  const failures = new Map<string, unknown>();
  const unlessFailed = async ({ id }: Unnotified, work: () => Promise<void>): Promise<void> => {
    if (failures.has(id)) return;
    try {
      await work();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failures.set(id, error);
    }
  };
  const jobs: Job[] = [];
  for (const account of accounts) {
    signal.throwIfAborted();
    await unlessFailed(account, async () => {
      const own = await listJobs(needs, account);
      if (own.length === 0) await stores.accounts.markNotified(account);
      jobs.push(...own);
    });
  }
  const left = new Map<string, number>();
  for (const { account } of jobs) left.set(account.id, (left.get(account.id) ?? 0) + 1);
  // The smallest accounts come first, and each account is completed before the next. If a pass is cut short, the next
  // pass need not repeat the accounts that are complete.
  const ordered = jobs.toSorted(
    (one, other) => (left.get(one.account.id) ?? 0) - (left.get(other.account.id) ?? 0),
  );
  await runAtPace(ordered, { ...PACE, sleep, signal }, async ({ account, notify }) => {
    await unlessFailed(account, async () => {
      await notify();
      const leftOfAccount = (left.get(account.id) ?? 0) - 1;
      left.set(account.id, leftOfAccount);
      if (leftOfAccount === 0) await stores.accounts.markNotified(account);
    });
  });
  for (const [, failure] of failures) throw failure;
}

interface Job {
  readonly account: Unnotified;
  readonly notify: () => Promise<void>;
}

async function listJobs(
  { stores, clock, gateway }: NotifyNeeds,
  account: Unnotified,
): Promise<readonly Job[]> {
  const asOfMs = clock.now();
  const entries = await readEntries(stores, account.id);
  const jobOf =
    (kind: 'monitor' | 'scenario') =>
    (resource: Parameters<typeof buildPlan>[1]): Job => ({
      account,
      notify: () =>
        gateway.planMaintenance(kind, resource.id, buildPlan(entries, resource, asOfMs)),
    });
  const monitors = await findUsers(stores.monitors, account.id, {});
  const scenarios = await findUsers(stores.scenarios, account.id, {});
  return [...monitors.map(jobOf('monitor')), ...scenarios.map(jobOf('scenario'))];
}
