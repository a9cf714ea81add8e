/**
 * Suspends and resumes the checks of an account. To its workflows, a suspension is maintenance of the whole account:
 * pauses stay, and its time does not count.
 */
import type { Account } from '../../../models/accounts/accounts';
import { isUnavailable } from '../../../platform/errors';
import { atPace } from '../../../platform/paced';
import { findUsers } from '../../lists/find-users';
import { readEntries } from '../../maintenance/account-calendar';
import { buildPlan } from '../../maintenance/maintenance-plans';
import { type NotifyNeeds, PACE, within } from '../../maintenance/notify-workflows';

type Unnotified = Awaited<ReturnType<NotifyNeeds['stores']['accounts']['listUnnotified']>>[number];

/** Within a request. Housekeeping notifies the rest. */
const SOON_MS = 1_500;

/**
 * Stores the suspension, or its end if `reason` is null. The workflows learn of it before this resolves, or within a
 * minute. Suspending again only changes the reason.
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
  await within(SOON_MS, (signal) => notifyAccount(needs, { id, unnotifiedSinceMs: nowMs }, signal));
}

/** Can be repeated at any time. The account stays due until all of its workflows have been notified. */
async function notifyAccount(
  needs: NotifyNeeds,
  account: Unnotified,
  signal: AbortSignal,
): Promise<void> {
  const { stores, clock, gateway, sleep } = needs;
  const asOfMs = clock.now();
  const entries = await readEntries(stores, account.id);
  const monitors = await findUsers(stores.monitors, account.id, {});
  const scenarios = await findUsers(stores.scenarios, account.id, {});
  const kinds = [
    ...monitors.map((resource) => ({ kind: 'monitor' as const, resource })),
    ...scenarios.map((resource) => ({ kind: 'scenario' as const, resource })),
  ];
  await atPace(kinds, { ...PACE, sleep, signal }, ({ kind, resource }) =>
    gateway.planMaintenance(kind, resource.id, buildPlan(entries, resource, asOfMs)),
  );
  await stores.accounts.markNotified(account);
}

/** Continues after a request or a crash. Returns the number of accounts. */
export async function notifySuspensions(needs: NotifyNeeds, signal: AbortSignal): Promise<number> {
  const due = await needs.stores.accounts.listUnnotified();
  const failures: unknown[] = [];
  for (const account of due) {
    signal.throwIfAborted();
    try {
      await notifyAccount(needs, account, signal);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return due.length;
}
