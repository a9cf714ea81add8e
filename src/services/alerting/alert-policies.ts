/** Alert policies as a resource. A running escalation keeps the policy with which it started. */
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import { type AlertPolicyBody, alertPolicyBody } from '../../schemas/alert-policy';
import type { AlertPolicyResponse } from '../../schemas/responses/alert-policies';
import { listContactIds, POLICIES_MAX } from '../accounts/named-in-policies';
import { resolveStepHours } from '../maintenance/step-hours';
import {
  type ChangeContext,
  defineObjectType,
  type Entry,
  type ObjectType,
  refuseOtherKey,
} from '../objects/object-type';
import { nextVersion, presentObject, removeObject } from '../objects/object-verbs';
import { refuseRoutedPolicy, withRoutingLock } from './alert-routes';
import { readContacts, resolvePolicy } from './policy-contacts';

/** Alert policies. If a policy is removed, rules that name it notify the channels of their check instead. */
export const ALERT_POLICIES: ObjectType<AlertPolicy, AlertPolicyBody, AlertPolicyResponse> =
  defineObjectType(
    {
      idKind: 'alertPolicy',
      name: 'alert policy',
      names: 'alert policies',
      list: 'alert-policies',
      plural: 'alertPolicies',
      max: POLICIES_MAX,
      shape: alertPolicyBody,
      readOnlyFields: ['id', 'version', 'createdAt', 'updatedAt'],
      defaults: { quietHours: null, lastResort: null },
      getStore: ({ alertPolicies }) => alertPolicies,
    },
    (needs) => ({
      present: (policy) => {
        const steps = policy.steps.map((step) => ({ ...step, hours: step.hours ?? null }));
        return { ...presentObject(policy), steps };
      },
      build: async (made, body, context) => {
        const named = { accountId: made.accountId, kept: new Set<string>() };
        return { ...(await readPolicy(context, body, named)), ...made };
      },
      change: async (before, body, context) => {
        refuseOtherKey(before.key, body.key, 'another policy');
        const named = { accountId: before.accountId, kept: listContactIds(before) };
        return nextVersion(needs, before, {
          ...before,
          ...(await readPolicy(context, body, named)),
        });
      },
      remove: (change) =>
        withRoutingLock(needs, change.accountId, () =>
          removeObject(needs, ALERT_POLICIES.bind(needs), change, ({ accountId, key }) =>
            refuseRoutedPolicy(needs, accountId, key),
          ),
        ),
      buildEntry: buildPolicyEntry,
    }),
  );

interface Naming {
  readonly accountId: string;
  /** Ids that may stay in the policy, even if their channel or member was deleted. */
  readonly kept: ReadonlySet<string>;
}

/** Reads the policy. Throws `validation_failed` for unknown channels, members or hours. */
async function readPolicy(
  { needs, plannedChannels: planned }: ChangeContext,
  body: AlertPolicyBody,
  { accountId, kept }: Naming,
) {
  const contacts = await readContacts(needs, accountId);
  const hours = await resolveStepHours(needs, accountId, body.steps);
  return resolvePolicy(body, { ...contacts, planned, hours, kept });
}

/** Builds the entry for files. Channels are named by key if they have one, and members by email address. */
async function buildPolicyEntry(policy: AlertPolicy, { needs }: ChangeContext): Promise<Entry> {
  const { accountId, key, name, quietHours } = policy;
  const { channels, members } = await readContacts(needs, accountId);
  const findName = (id: string): string =>
    channels.find((channel) => channel.id === id)?.key ??
    members.find((member) => member.id === id)?.email ??
    id;
  const lastResort = policy.lastResort === null ? null : findName(policy.lastResort);
  const steps = policy.steps.map((step) => ({ ...step, notify: step.notify.map(findName) }));
  return { key, name, steps, quietHours, lastResort };
}
