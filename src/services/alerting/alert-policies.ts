/** Creates, changes and deletes alert policies. Running escalations keep their policy. */
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { AlertPolicyBody } from '../../schemas/alert-policy';
import type { AlertPolicyResponse } from '../../schemas/responses/alert-policies';
import { listContactIds, POLICIES_MAX } from '../accounts/named-in-policies';
import { refuseProblems } from '../lists/field-problems';
import { resolveStepHours } from '../maintenance/step-hours';
import {
  changeObject,
  newObject,
  nextVersion,
  type ObjectChange,
  type ObjectKind,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
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

export function alertPolicyKind({
  stores,
}: Pick<Needs, 'stores'>): ObjectKind<AlertPolicy, AlertPolicyResponse> {
  return {
    idKind: 'alertPolicy',
    name: 'alert policy',
    names: 'alert policies',
    list: 'alert-policies',
    turn: 'alertPolicies',
    max: POLICIES_MAX,
    store: stores.alertPolicies,
    present: presentPolicy,
  };
}

function presentPolicy(policy: AlertPolicy): AlertPolicyResponse {
  const steps = policy.steps.map((step) => ({ ...step, hours: step.hours ?? null }));
  return { ...presentObject(policy), steps };
}

interface Wanted {
  readonly accountId: string;
  readonly body: AlertPolicyBody;
  /** Ids of channels that will be created together with the policy, by their keys. */
  readonly planned?: Named['planned'];
}

/** Throws `key_taken`, `limit_reached`, or `validation_failed` for unknown channels or members. */
export async function createAlertPolicy(
  needs: Needs,
  accountId: string,
  body: AlertPolicyBody,
): Promise<AlertPolicyResponse> {
  const policy = await newAlertPolicy(needs, { accountId, body });
  await storeObject(needs, alertPolicyKind(needs), policy);
  return presentPolicy(policy);
}

/** Builds and validates the policy without storing it. */
export async function newAlertPolicy(
  needs: Needs,
  { accountId, body, planned = NO_PLANS }: Wanted,
): Promise<AlertPolicy> {
  const contacts = await readContacts(needs, accountId);
  const hours = await resolveStepHours(needs, accountId, body.steps);
  const resolved = resolvePolicy(body, { ...contacts, planned, hours, kept: new Set() });
  return { ...resolved, ...newObject(needs, alertPolicyKind(needs), accountId) };
}

interface Replacement extends ObjectChange {
  readonly body: AlertPolicyBody;
  readonly planned?: Named['planned'];
}

/** Replaces the whole policy. Throws the same errors as createAlertPolicy. */
export async function replaceAlertPolicy(
  needs: Needs,
  accountId: string,
  { body, planned, ...change }: Replacement,
): Promise<AlertPolicyResponse> {
  const replaced = await changeObject(
    needs,
    alertPolicyKind(needs),
    { ...change, accountId },
    (before) => changedAlertPolicy(needs, { before, body, planned }),
  );
  return presentPolicy(replaced);
}

/** Returns `before` itself when nothing changes. */
export async function changedAlertPolicy(
  needs: Needs,
  {
    before,
    body,
    planned = NO_PLANS,
  }: Pick<Wanted, 'body'> & {
    readonly before: AlertPolicy;
    readonly planned?: Named['planned'] | undefined;
  },
): Promise<AlertPolicy> {
  refuseOtherKey(before, body.key);
  const contacts = await readContacts(needs, before.accountId);
  const kept = listContactIds(before);
  const hours = await resolveStepHours(needs, before.accountId, body.steps);
  const resolved = resolvePolicy(body, { ...contacts, planned, hours, kept });
  return nextVersion(needs, before, { ...before, ...resolved });
}

/** The key cannot change, because rules refer to it. */
function refuseOtherKey({ key }: AlertPolicy, wanted: string): void {
  if (wanted === key) return;
  const message = `cannot be changed from ${key}; create another policy instead`;
  refuseProblems([{ path: 'key', code: 'invalid_value', message }]);
}

/**
 * Throws `in_use` while routes lead to the policy. Rules that name the policy notify their own channels from now on.
 */
export function deleteAlertPolicy(
  needs: Needs,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  return inRoutingTurn(needs, accountId, () =>
    removeObject(needs, alertPolicyKind(needs), { ...change, accountId }, ({ key }) =>
      refuseRoutedPolicy(needs, accountId, key),
    ),
  );
}
