/** Lets operators manage accounts: list, create, rename, change the plan, suspend, resume and delete. */
import { PLAN_BOUNDS } from '../../../domain/accounts/plan';
import type { Account } from '../../../models/accounts/accounts';
import { AppError } from '../../../platform/errors';
import type { OperatedAccountBody, OperatedAccountChange } from '../../../schemas/operator';
import type {
  NewOperatedAccountResponse,
  OperatedAccountResponse,
} from '../../../schemas/responses/operator';
import { type RecordedChange, recordChanges } from '../../accounts/audit-events';
import { sendInvitation } from '../../accounts/invitations';
import { countObjects } from '../../accounts/plan-limits';
import type { Principal } from '../../accounts/principal';
import { toInstant } from '../../lists/instants';
import { type ListRequest, readItems } from '../../lists/read-list';
import type { Dependencies } from '../../ports/dependencies';
import { setSuspended } from './suspension';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** The request of an operator, for the audit trail of the account. */
export interface OperatorRequest {
  readonly principal: Principal;
  readonly requestId: string;
}

/** Lists the accounts, newest first, including those that are being deleted. */
export async function listAccounts(needs: Needs, request: ListRequest) {
  const { items, nextCursor } = await readItems(
    { accountId: 'operator', list: 'accounts' },
    request,
    { read: (query) => needs.stores.accounts.list(query), readId: ({ id }) => id },
  );
  return { data: await Promise.all(items.map((item) => present(needs, item))), nextCursor };
}

/** Returns the account. Throws `not_found` if it is unknown. */
export async function getOperatedAccount(
  needs: Needs,
  id: string,
): Promise<OperatedAccountResponse> {
  return present(needs, await findAny(needs, id));
}

async function findAny({ stores }: Needs, id: string): Promise<Account> {
  const account = await stores.accounts.findAny(id);
  if (account === null) throw new AppError('not_found', 'There is no account with this id.');
  return account;
}

async function present(needs: Needs, account: Account): Promise<OperatedAccountResponse> {
  const { id, name, plan, suspended, deletedAtMs, createdAtMs } = account;
  const { monitors, scenarios, members } = PLAN_BOUNDS[plan];
  const [isFirst, monitorCount, scenarioCount, memberCount] = await Promise.all([
    needs.stores.accounts.isFirst(id),
    countObjects(needs, id, 'monitors'),
    countObjects(needs, id, 'scenarios'),
    countObjects(needs, id, 'members'),
  ]);
  const isSuspended = suspended !== undefined;
  return {
    id,
    name,
    plan,
    state: deletedAtMs === undefined ? (isSuspended ? 'suspended' : 'active') : 'deleting',
    suspended: isSuspended ? { reason: suspended.reason, since: toInstant(suspended.atMs) } : null,
    isFirst,
    bounds: { monitors, scenarios, members },
    usage: { monitors: monitorCount, scenarios: scenarioCount, members: memberCount },
    createdAt: toInstant(createdAtMs),
  };
}

/**
 * Creates the account. The account has no member until the owner accepts the invitation, which is valid for seven days.
 */
export async function createAccount(
  needs: Dependencies,
  { requestId }: OperatorRequest,
  { name, plan, ownerEmail }: OperatedAccountBody,
): Promise<NewOperatedAccountResponse> {
  const { stores, newId, clock, defaultPlan } = needs;
  const account: Account = {
    id: newId('account'),
    name,
    plan: plan ?? defaultPlan,
    createdAtMs: clock.now(),
  };
  await stores.accounts.create(account);
  const { mailed, link } = await sendInvitation(needs, account, {
    email: ownerEmail,
    role: 'owner',
    createdBy: null,
    inviter: 'The operator of this installation',
  });
  const presented = await present(needs, account);
  await recordForAccount(needs, account.id, requestId, {
    action: 'account.create',
    before: null,
    after: { name, plan: account.plan },
  });
  return { ...presented, owner: { email: ownerEmail, mailed, acceptUrl: mailed ? null : link } };
}

/**
 * Changes the account. A new plan may be smaller than the current use: everything stays, but nothing can be added.
 * Throws `not_found`. Throws `already_finished` for an account that is being deleted, and `in_use` for suspending the
 * first account.
 */
export async function changeOperatedAccount(
  needs: Dependencies,
  { requestId }: OperatorRequest,
  { id, change }: { readonly id: string; readonly change: OperatedAccountChange },
): Promise<OperatedAccountResponse> {
  const { accounts } = needs.stores;
  const before = await findAny(needs, id);
  const { name, plan, suspended } = change;
  if (before.deletedAtMs !== undefined)
    throw new AppError('already_finished', 'This account is being deleted.');
  if (suspended != null) await refuseFirst(needs, id, 'suspended');
  if (name !== undefined) await accounts.rename(id, name);
  if (plan !== undefined) await accounts.setPlan(id, plan);
  if (suspended !== undefined) await setSuspended(needs, before, suspended?.reason ?? null);
  const after = await findAny(needs, id);
  await recordForAccount(needs, id, requestId, {
    action: chooseAction(before, after),
    before: shownInTrail(before),
    after: shownInTrail(after),
  });
  return present(needs, after);
}

function chooseAction(before: Account, after: Account): string {
  if (before.suspended === undefined && after.suspended !== undefined) return 'account.suspend';
  if (before.suspended !== undefined && after.suspended === undefined) return 'account.resume';
  return 'account.update';
}

function shownInTrail({ name, plan, suspended }: Account): object {
  return { name, plan, suspended: suspended === undefined ? null : suspended.reason };
}

/**
 * Starts the deletion. From now on, people and API keys can no longer use the account. Housekeeping deletes everything
 * that the account owns. Idempotent. Throws `not_found`, and `in_use` for the first account.
 */
export async function deleteAccount(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  id: string,
): Promise<void> {
  await findAny(needs, id);
  await refuseFirst(needs, id, 'deleted');
  await needs.stores.accounts.markDeleted(id, needs.clock.now());
}

async function refuseFirst({ stores }: Needs, id: string, what: string): Promise<void> {
  if (!(await stores.accounts.isFirst(id))) return;
  throw new AppError('in_use', `The first account runs this installation. It cannot be ${what}.`);
}

/** Records the operator's action in the account's audit trail, without the operator's name and IP address. */
function recordForAccount(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'notifyOperator'>,
  accountId: string,
  requestId: string,
  change: Pick<RecordedChange, 'action' | 'before' | 'after'>,
): Promise<void> {
  const actor = { type: 'system', id: 'operator', name: 'Operator of the installation' } as const;
  return recordChanges(needs, { accountId, actor, requestId, ip: null }, [
    { ...change, resourceType: 'account', resourceId: accountId },
  ]);
}
