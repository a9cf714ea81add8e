/**
 * Completes the deletion of accounts. Ends the workflows of an account and deletes all its objects. The account itself
 * is deleted last, so that the deletion continues after a crash.
 */
import { alertWorkflowId } from '../../../contracts/alerts';
import { digestWorkflowId } from '../../../contracts/digests';
import { escalationWorkflowId } from '../../../contracts/escalation';
import { noticeWorkflowId } from '../../../contracts/letters/letters';
import { rolloutsWorkflowId } from '../../../contracts/operations/rollouts';
import {
  monitorWorkflowId,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
} from '../../../contracts/workflows';
import type { Account } from '../../../models/accounts/accounts';
import type {
  AccountRemovalStore,
  ServedObjects,
} from '../../../models/operations/account-removals';
import { runAtPace } from '../../../platform/paced';
import { removeStrandedPerson } from '../../accounts/stranded-people';
import type { Dependencies } from '../../ports/dependencies';

export interface RemovalNeeds extends Pick<Dependencies, 'stores' | 'clock' | 'sleep'> {
  readonly accountRemovals: AccountRemovalStore;
  readonly temporal: {
    /** Ends a workflow at once. Succeeds if there is none. */
    readonly terminate: (workflowId: string, reason: string) => Promise<void>;
  };
}

const PACE = { perSecond: 100, atOnce: 8 };
/**
 * A deletion is completed only this long after its start. By then, all requests and activities that began before the
 * deletion have ended.
 */
const MIN_AGE_MS = 2 * 60_000;
const SWEEP_BUDGET_MS = 5_000;
const MEMBERS_AT_ONCE = 500;

/**
 * Continues the deletions. Returns the number of deletions that are not complete. If a deletion fails, the others
 * continue, and the first error is thrown at the end.
 */
export async function removeAccounts(needs: RemovalNeeds, signal: AbortSignal): Promise<number> {
  const { accounts } = needs.stores;
  const failures: unknown[] = [];
  let left = 0;
  for (const account of await accounts.listDeleted()) {
    signal.throwIfAborted();
    try {
      if (await removeAccount(needs, account, signal)) continue;
    } catch (error) {
      failures.push(error);
    }
    left += 1;
  }
  if (failures.length > 0) throw failures[0];
  return left;
}

/** Continues one deletion. Returns true if nothing of the account is left. */
async function removeAccount(
  needs: RemovalNeeds,
  { id, deletedAtMs = 0 }: Account,
  signal: AbortSignal,
): Promise<boolean> {
  const { stores, accountRemovals, clock } = needs;
  const beganAtMs = clock.now();
  const served = await accountRemovals.listServed(id);
  // The definitions are removed first, so that housekeeping does not start their workflows again.
  await accountRemovals.removeResources(id, served);
  await endWorkflows(needs, [...listWorkflowIds(served), ...listOwnWorkflowIds(id)], signal);
  await removeMembers(needs, id, signal);
  if (!(await accountRemovals.sweep(id, SWEEP_BUDGET_MS))) return false;
  const isEmpty = Object.values(served).every((ids) => ids.length === 0);
  if (!isEmpty || beganAtMs < deletedAtMs + MIN_AGE_MS) return false;
  await stores.accounts.remove(id);
  return true;
}

/**
 * Removes the members. Deletes people who are in no other account, with their sessions. Each member is deleted after
 * the person, so that the person is found again after a crash.
 */
async function removeMembers(
  { stores }: RemovalNeeds,
  accountId: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const page = { limit: MEMBERS_AT_ONCE, beforeId: null };
    const { items } = await stores.users.list(accountId, page);
    if (items.length === 0) return;
    for (const { id, personId } of items) {
      await removeStrandedPerson({ stores }, personId, accountId);
      await stores.users.remove(accountId, id);
    }
  }
}

function endWorkflows(
  { temporal, sleep }: RemovalNeeds,
  workflowIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  return runAtPace(workflowIds, { ...PACE, sleep, signal }, (workflowId) =>
    temporal.terminate(workflowId, 'its account was deleted'),
  );
}

function listWorkflowIds(served: ServedObjects): readonly string[] {
  return [
    ...served.monitors.map(monitorWorkflowId),
    ...served.scenarios.map(scenarioWorkflowId),
    ...served.runs.map(scenarioRunWorkflowId),
    ...served.alerts.map(alertWorkflowId),
    ...served.escalations.map(escalationWorkflowId),
    ...served.notices.map(noticeWorkflowId),
  ];
}

function listOwnWorkflowIds(accountId: string): readonly string[] {
  return [digestWorkflowId(accountId), rolloutsWorkflowId(accountId)];
}
