/** Alert policies of a set. Files name recipients by key or email address; the service names them by id. */
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import { AppError } from '../../platform/errors';
import { type AlertPolicyBody, alertPolicyBody } from '../../schemas/alert-policy';
import { POLICIES_MAX } from '../accounts/named-in-policies';
import {
  alertPolicyKind,
  changedAlertPolicy,
  deleteAlertPolicy,
  newAlertPolicy,
  replaceAlertPolicy,
} from '../alerting/alert-policies';
import { type Contacts, readContacts } from '../alerting/policy-contacts';
import { readChange } from '../lists/read-change';
import { anyVersion, storeObject } from '../objects/object-verbs';
import {
  type ApplyKind,
  type Entry,
  type ObjectPlan,
  planCreation,
  toExisting,
  type Wish,
} from './apply-kind';
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
  return {
    list: 'alertPolicies',
    async load() {
      const query = { limit: POLICIES_MAX, beforeId: null };
      const page = await needs.stores.alertPolicies.list(accountId, query);
      known.clear();
      for (const policy of page.items) known.set(policy.id, policy);
      if (page.items.length === 0) return [];
      const contacts = await policies.contacts();
      return page.items.map((policy) => toExisting(policy, buildView(policy, contacts)));
    },
    async plan(wish) {
      const stored = wish.existing === null ? undefined : known.get(wish.existing.id);
      return stored === undefined ? planNew(policies, wish) : planChange(policies, wish, stored);
    },
    remove: (id) => deleteAlertPolicy(needs, accountId, { id, accept: anyVersion }),
    forget: (id) => known.delete(id),
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
    throw new AppError(
      'limit_reached',
      `An account may have at most ${POLICIES_MAX} alert policies.`,
    );
  const store = () => storeObject(needs, alertPolicyKind(needs), policy);
  const plan = planCreation(policy, known, store);
  return { ...plan, name: policy.name, after: buildView(policy, await contacts()) };
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
    name: policy.name,
    before: existing?.view ?? null,
    after: buildView(policy, await contacts()),
    carryOut: async () => {
      await replaceAlertPolicy(needs, accountId, { id, body, planned, accept: anyVersion });
      return { id };
    },
  };
}

function readEntry({ id: _id, ...sent }: Entry, stored: Entry | undefined): AlertPolicyBody {
  return readChange(alertPolicyBody, { sent, stored });
}

/** The form used in sets: channels by key if they have one, members by email address. */
function buildView(policy: AlertPolicy, { channels, members }: Contacts): Entry {
  const { key, name, quietHours } = policy;
  const nameOf = (id: string): string =>
    channels.find((channel) => channel.id === id)?.key ??
    members.find((member) => member.id === id)?.email ??
    id;
  const lastResort = policy.lastResort === null ? null : nameOf(policy.lastResort);
  const steps = policy.steps.map((step) => ({ ...step, notify: step.notify.map(nameOf) }));
  return { key, name, steps, quietHours, lastResort };
}
