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
  const { needs, policies: rows } = apply;
  const policies: Policies = { accountId, apply, contacts: () => readContacts(needs, accountId) };
  const accept = (): void => undefined;
  return {
    list: 'alertPolicies',
    async load() {
      const query = { limit: POLICIES_MAX, beforeId: null };
      const page = await needs.stores.alertPolicies.list(accountId, query);
      rows.clear();
      for (const row of page.rows) rows.set(row.id, row);
      if (page.rows.length === 0) return [];
      const contacts = await policies.contacts();
      return page.rows.map((row) => existingOf(row, contacts));
    },
    async plan(wish) {
      const stored = wish.existing === null ? undefined : rows.get(wish.existing.id);
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
  const { needs, plannedChannels: planned, policies: rows } = apply;
  const body = readEntry(entry, undefined);
  const row = { ...(await newAlertPolicy(needs, { accountId, body, planned })), managedBy: set };
  if (rows.size >= POLICIES_MAX)
    throw new AppError('limit_reached', `An account may have ${POLICIES_MAX} alert policies.`);
  rows.set(row.id, row);
  return {
    ...planOf(row, await contacts()),
    before: null,
    carryOut: async () => {
      await storeAlertPolicy(needs, row).catch((reason: unknown) => {
        rows.delete(row.id);
        throw reason;
      });
      return { id: row.id };
    },
  };
}

async function planChange(
  { accountId, apply, contacts }: Policies,
  { entry, existing }: Wish,
  before: AlertPolicy,
): Promise<ObjectPlan> {
  const { needs, plannedChannels: planned, policies: rows } = apply;
  const body = readEntry(entry, existing?.view);
  const row = await changedAlertPolicy(needs, { before, body, planned });
  const { id } = before;
  rows.set(id, row);
  return {
    ...planOf(row, await contacts()),
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

function planOf(row: AlertPolicy, contacts: Contacts) {
  return { name: row.name, after: viewOf(row, contacts), hidden: [], secretNames: [] };
}

function existingOf(row: AlertPolicy, contacts: Contacts): Existing {
  const { id, key, name, managedBy } = row;
  return { id, key, name, managedBy: managedBy ?? null, view: viewOf(row, contacts) };
}

/** As a set has it: channels by key where they have one, members by email. */
function viewOf(row: AlertPolicy, { channels, members }: Contacts): Entry {
  const { key, name, quietHours } = row;
  const nameOf = (id: string): string =>
    channels.find((channel) => channel.id === id)?.key ??
    members.find((member) => member.id === id)?.email ??
    id;
  const lastResort = row.lastResort === null ? null : nameOf(row.lastResort);
  const steps = row.steps.map((step) => ({ ...step, notify: step.notify.map(nameOf) }));
  return { key, name, steps, quietHours, lastResort };
}
