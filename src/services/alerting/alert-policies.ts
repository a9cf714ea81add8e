/** Making, reading and changing alert policies. Escalations under way keep the policy they began with. */
import { isId } from '../../domain/definitions/ids';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { AlertPolicyBody } from '../../schemas/alert-policy';
import type { AlertPolicyResponse } from '../../schemas/responses/alert-policies';
import { contactIdsOf, POLICIES_MAX } from '../accounts/named-in-policies';
import { oneAtATime } from '../accounts/plan-limits';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import type { ListPage, ListRequest } from '../lists/list-page';
import { orUndo } from '../lists/or-undo';
import { readList } from '../lists/read-list';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { inRoutingTurn, refuseRoutedPolicy } from './alert-routes';
import { type Named, readContacts, resolvePolicy } from './policy-contacts';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes'>;

export const POLICY_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'version',
  'createdAt',
  'updatedAt',
];

const NO_PLANS: Named['planned'] = new Map();

interface Wanted {
  readonly accountId: string;
  readonly body: AlertPolicyBody;
  /** Ids of channels that are to be made beside it, by their keys. */
  readonly planned?: Named['planned'];
}

/** Throws `key_taken`, `limit_reached`, and `validation_failed` for whom the account does not have. */
export async function createAlertPolicy(
  needs: Needs,
  accountId: string,
  body: AlertPolicyBody,
): Promise<AlertPolicyResponse> {
  const policy = await newAlertPolicy(needs, { accountId, body });
  await storeAlertPolicy(needs, policy);
  return presentAlertPolicy(policy);
}

/** What would be stored; nothing is yet. */
export async function newAlertPolicy(
  needs: Needs,
  { accountId, body, planned = NO_PLANS }: Wanted,
): Promise<AlertPolicy> {
  const contacts = await readContacts(needs, accountId);
  const resolved = resolvePolicy(body, { ...contacts, planned, kept: new Set() });
  const nowMs = needs.clock.now();
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
  return { ...resolved, ...times, id: needs.newId('alertPolicy'), accountId, version: 1 };
}

/** As createAlertPolicy. */
export async function storeAlertPolicy(needs: Needs, policy: AlertPolicy): Promise<void> {
  const { accountId, id, version } = policy;
  const { alertPolicies } = needs.stores;
  await oneAtATime(needs, { accountId, kind: 'alertPolicies' }, async () => {
    if ((await alertPolicies.count(accountId)) >= POLICIES_MAX)
      throw new AppError('limit_reached', `An account may have ${POLICIES_MAX} alert policies.`);
    const store = () => alertPolicies.create(accountId, policy);
    await orUndo(needs, store, () => alertPolicies.remove(accountId, id, version));
  });
}

/** The policy, or `not_found`, whether the id is malformed, unknown or of another account. */
export async function findAlertPolicy(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  id: string,
): Promise<AlertPolicy> {
  const policy = isId('alertPolicy', id) ? await stores.alertPolicies.find(accountId, id) : null;
  if (policy === null) throw new AppError('not_found', 'There is no alert policy with this id.');
  return policy;
}

export async function getAlertPolicy(
  needs: Pick<Needs, 'stores'>,
  accountId: string,
  id: string,
): Promise<AlertPolicyResponse> {
  return presentAlertPolicy(await findAlertPolicy(needs, accountId, id));
}

/** Newest first. */
export function listAlertPolicies(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<AlertPolicyResponse>> {
  return readList({ accountId, list: 'alert-policies' }, request, {
    read: (query) => stores.alertPolicies.list(accountId, query),
    present: presentAlertPolicy,
  });
}

interface Replacement {
  readonly id: string;
  readonly body: AlertPolicyBody;
  /** Throws `version_mismatch` for a version that the caller did not expect. */
  readonly accept: (version: number) => void;
  readonly planned?: Named['planned'];
}

/** As createAlertPolicy, of the whole policy. */
export async function replaceAlertPolicy(
  needs: Needs,
  accountId: string,
  { id, body, accept, planned = NO_PLANS }: Replacement,
): Promise<AlertPolicyResponse> {
  return withOptimisticRetry(needs, async () => {
    const before = await findAlertPolicy(needs, accountId, id);
    accept(before.version);
    const next = await changedAlertPolicy(needs, { before, body, planned });
    if (next === before) return presentAlertPolicy(before);
    const isWritten = await needs.stores.alertPolicies.replace(accountId, next, before.version);
    return isWritten ? presentAlertPolicy(next) : OVERTAKEN;
  });
}

/** The policy itself when nothing changes. */
export async function changedAlertPolicy(
  needs: Needs,
  {
    before,
    body,
    planned = NO_PLANS,
  }: Pick<Replacement, 'body' | 'planned'> & { readonly before: AlertPolicy },
): Promise<AlertPolicy> {
  refuseOtherKey(before, body.key);
  const contacts = await readContacts(needs, before.accountId);
  const kept = contactIdsOf(before);
  const changed = { ...before, ...resolvePolicy(body, { ...contacts, planned, kept }) };
  if (canonicalJson(changed) === canonicalJson(before)) return before;
  return { ...changed, version: before.version + 1, updatedAtMs: needs.clock.now() };
}

/** Rules go by it. */
function refuseOtherKey({ key }: AlertPolicy, wanted: string): void {
  if (wanted === key) return;
  const message = `never changes, and is ${key}; make another policy instead`;
  refuseProblems([{ path: 'key', code: 'invalid_value', message }]);
}

/** Throws `in_use` while routes lead to it. What is down under rules that name it notifies their channels from now on. */
export async function deleteAlertPolicy(
  needs: Needs,
  accountId: string,
  { id, accept }: Pick<Replacement, 'id' | 'accept'>,
): Promise<void> {
  const attempt = async () => {
    const { version, key } = await findAlertPolicy(needs, accountId, id);
    accept(version);
    await refuseRoutedPolicy(needs, accountId, key);
    const isRemoved = await needs.stores.alertPolicies.remove(accountId, id, version);
    return isRemoved ? undefined : OVERTAKEN;
  };
  await withOptimisticRetry(needs, () => inRoutingTurn(needs, accountId, attempt));
}

function presentAlertPolicy(policy: AlertPolicy): AlertPolicyResponse {
  const { accountId: _account, managedBy: _set, createdAtMs, updatedAtMs, ...shown } = policy;
  return { ...shown, createdAt: toInstant(createdAtMs), updatedAt: toInstant(updatedAtMs) };
}
