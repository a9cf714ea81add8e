/** Alert policies of a set. Whom they notify goes by key or email in files, and by id in the service. */
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import { AppError } from '../../platform/errors';
import { type AlertPolicyBody, alertPolicyBody } from '../../schemas/alert-policy';
import { POLICIES_MAX } from '../accounts/named-in-policies';
import {
  changedAlertPolicy,
  deleteAlertPolicy,
  newAlertPolicy,
  replaceAlertPolicy,
  storeAlertPolicy,
} from '../alerting/alert-policies';
import { type Contacts, readContacts } from '../alerting/policy-contacts';
import { readChange } from '../lists/read-change';
import type { ApplyKind, Entry, Existing, ObjectPlan, Wish } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

const DEFAULTS: Entry = { quietHours: null, lastResort: null };

interface Policies {
  readonly accountId: string;
  readonly apply: ApplyNeeds;
  readonly contacts: () => Promise<Contacts>;
}

export function policyKind(accountId: string, apply: ApplyNeeds): ApplyKind {
  const { needs, policies: known } = apply;
  const policies: Policies = { accountId, apply, contacts: () => readContacts(needs, accountId) };
  const accept = (): void => undefined;
  return {
    list: 'alertPolicies',
    async load() {
      const query = { limit: POLICIES_MAX, beforeId: null };
      const page = await needs.stores.alertPolicies.list(accountId, query);
      known.clear();
      for (const policy of page.items) known.set(policy.id, policy);
      if (page.items.length === 0) return [];
      const contacts = await policies.contacts();
      return page.items.map((policy) => existingOf(policy, contacts));
    },
    async plan(wish) {
      const stored = wish.existing === null ? undefined : known.get(wish.existing.id);
      return stored === undefined ? planNew(policies, wish) : planChange(policies, wish, stored);
    },
    remove: (id) => deleteAlertPolicy(needs, accountId, { id, accept }),
    readDefaults: async () => DEFAULTS,
  };
}

async function planNew(
  { accountId, apply, contacts }: Policies,
  { entry, set }: Wish,
): Promise<ObjectPlan> {
  const { needs, plannedChannels: planned, policies: known } = apply;
  const body = readEntry(entry, undefined);
  const policy = { ...(await newAlertPolicy(needs, { accountId, body, planned })), managedBy: set };
  if (known.size >= POLICIES_MAX)
    throw new AppError('limit_reached', `An account may have ${POLICIES_MAX} alert policies.`);
  known.set(policy.id, policy);
  return {
    ...planOf(policy, await contacts()),
    before: null,
    carryOut: async () => {
      await storeAlertPolicy(needs, policy).catch((reason: unknown) => {
        known.delete(policy.id);
        throw reason;
      });
      return { id: policy.id };
    },
  };
}

async function planChange(
  { accountId, apply, contacts }: Policies,
  { entry, existing }: Wish,
  before: AlertPolicy,
): Promise<ObjectPlan> {
  const { needs, plannedChannels: planned, policies: known } = apply;
  const body = readEntry(entry, existing?.view);
  const policy = await changedAlertPolicy(needs, { before, body, planned });
  const { id } = before;
  known.set(id, policy);
  return {
    ...planOf(policy, await contacts()),
    before: existing?.view ?? null,
    carryOut: async () => {
      const accept = (): void => undefined;
      await replaceAlertPolicy(needs, accountId, { id, body, planned, accept });
      return { id };
    },
  };
}

function readEntry({ id: _id, ...sent }: Entry, stored: Entry | undefined): AlertPolicyBody {
  return readChange(alertPolicyBody, { sent, stored });
}

function planOf(policy: AlertPolicy, contacts: Contacts) {
  return { name: policy.name, after: viewOf(policy, contacts), hidden: [], secretNames: [] };
}

function existingOf(policy: AlertPolicy, contacts: Contacts): Existing {
  const { id, key, name, managedBy } = policy;
  return { id, key, name, managedBy: managedBy ?? null, view: viewOf(policy, contacts) };
}

/** As a set has it: channels by key where they have one, members by email. */
function viewOf(policy: AlertPolicy, { channels, members }: Contacts): Entry {
  const { key, name, quietHours } = policy;
  const nameOf = (id: string): string =>
    channels.find((channel) => channel.id === id)?.key ??
    members.find((member) => member.id === id)?.email ??
    id;
  const lastResort = policy.lastResort === null ? null : nameOf(policy.lastResort);
  const steps = policy.steps.map((step) => ({ ...step, notify: step.notify.map(nameOf) }));
  return { key, name, steps, quietHours, lastResort };
}
