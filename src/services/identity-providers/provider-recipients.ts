/** Finds who is notified of an identity provider's outage: the recipients of every check that cannot sign in. */
import { createHash } from 'node:crypto';
import type { EscalationContact, EscalationPlan, EscalationStep } from '../../contracts/escalation';
import { selectChannels } from '../../domain/alerting/select-channels';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { Stores } from '../../models/stores';
import type { TextSealer } from '../../platform/sealing';
import { createEmailTargets, listChannelTargets } from '../alerting/alert-destinations';
import { choosePolicy } from '../alerting/choose-policy';
import { buildPlan, type Contacts, readContacts } from '../alerting/policy-contacts';
import type { ProviderCheck } from './read-provider-checks';

/** For this long, the recipients of checks without a policy get reminders. */
const REMIND_MINUTES = 7 * 24 * 60;
const REMINDERS_MAX = 200;
/** Maximum number of contacts per step. Each step sends one alert, whose workflow has an activity for each contact. */
const CONTACTS_OF_STEP_MAX = 100;

export interface RecipientNeeds {
  readonly stores: Stores;
  readonly sealer: TextSealer;
}

/** A contact of checks that have no policy. */
interface Direct extends EscalationContact {
  readonly remindEveryMinutes: number | null;
}

/**
 * Builds the plan. Each policy of the checks adds its steps. Channels and emails of checks without a policy get
 * separate steps. Muted checks add nothing.
 */
export async function readProviderPlan(
  needs: RecipientNeeds,
  accountId: string,
  checks: readonly ProviderCheck[],
): Promise<EscalationPlan> {
  const notifying = checks.filter(({ isMuted, resource }) => !isMuted && resource.alerts.onFailure);
  if (notifying.length === 0) return buildMerged([], []);
  const contacts = await readContacts(needs, accountId);
  const cached = { stores: withCachedPolicies(needs.stores) };
  const plans = new Map<string, EscalationPlan>();
  const direct = new Map<string, Direct>();
  for (const check of notifying) {
    const { policy } = await choosePolicy(cached, check.resource);
    if (policy === null) {
      for (const contact of listDirect(needs, check, contacts))
        direct.set(contact.id, mergeDirect(contact, direct.get(contact.id)));
    } else {
      const group = nameGroup(policy, check.resource);
      if (plans.has(group)) continue;
      const holder = { accountId, tags: check.resource.tags };
      const plan = buildPlan(needs.sealer, holder, { ...contacts, policy });
      plans.set(group, { ...plan, steps: keyedSteps(plan, group) });
    }
  }
  return buildMerged([...plans.values()], groupDirect([...direct.values()]));
}

/**
 * Lists texts that identify the steps and contacts of a plan. They are stored, so that a later pass knows who was
 * already planned.
 */
export function listPlanned({ steps }: EscalationPlan): readonly string[] {
  const names = steps.flatMap((step) =>
    isDirect(step) ? step.contacts.map((contact) => nameContact(step, contact)) : [step.key ?? ''],
  );
  return [...new Set(names)];
}

/**
 * Returns the name under which a contact is planned. For a step that belongs to no policy, this is the contact's own
 * name. Otherwise, it is the key of the step.
 */
export function nameContact(step: EscalationStep, { id }: EscalationContact): string {
  return isDirect(step) ? DIRECT + id : (step.key ?? '');
}

function isDirect({ key = '' }: EscalationStep): boolean {
  return key.startsWith(DIRECT);
}

/** Returns only the steps and contacts of the plan that an earlier pass has already planned. */
export function pickPlanned(plan: EscalationPlan, planned: readonly string[]): EscalationPlan {
  const known = new Set(planned);
  const steps = plan.steps.flatMap((step): readonly EscalationStep[] => {
    const { key = '' } = step;
    if (!isDirect(step)) return known.has(key) ? [step] : [];
    const contacts = step.contacts.filter((contact) => known.has(nameContact(step, contact)));
    return contacts.length === 0 ? [] : [{ ...step, key: DIRECT + hashIds(contacts), contacts }];
  });
  return { ...plan, steps };
}

const DIRECT = 'direct:';

function buildMerged(
  plans: readonly EscalationPlan[],
  direct: readonly EscalationStep[],
): EscalationPlan {
  return {
    policyName: [...new Set(plans.map(({ policyName }) => policyName))].join(', '),
    steps: [...direct, ...plans.flatMap(({ steps }) => steps)],
    quietHours: null,
    lastResort: plans.find(({ lastResort }) => lastResort !== null)?.lastResort ?? null,
  };
}

/**
 * Returns the name of a group of checks. Checks of a group have the same policy and share its steps. Checks that are
 * exempt from the quiet hours form a separate group.
 */
function nameGroup(
  { key, quietHours }: AlertPolicy,
  { tags }: Pick<ProviderCheck['resource'], 'tags'>,
): string {
  return quietHours?.except.some((tag) => tags.includes(tag)) === true ? `exempt:${key}` : key;
}

/** Returns the steps of a policy. The quiet hours of the policy apply only to these steps. */
function keyedSteps(
  { steps, quietHours }: EscalationPlan,
  group: string,
): readonly EscalationStep[] {
  return steps.map((step, index) => ({
    ...step,
    key: `${group}/${index}`,
    ...(quietHours !== null && { quietHours }),
  }));
}

function listDirect(
  { sealer }: RecipientNeeds,
  { resource: { accountId, alerts } }: ProviderCheck,
  { channels }: Contacts,
): readonly Direct[] {
  const { remindEveryMinutes, onRecovery, emails } = alerts;
  const rule = { remindEveryMinutes, ...(!onRecovery && { isRecoveryOff: true as const }) };
  return [
    ...selectChannels(alerts.channels, channels).map(({ id }) => ({
      id,
      recipients: { channels: [id], targets: listChannelTargets([id], channels) },
      ...rule,
    })),
    ...emails.map((email) => ({
      id: email,
      recipients: { channels: [], targets: createEmailTargets(sealer, accountId, [email]) },
      ...rule,
    })),
  ];
}

/**
 * Merges two entries of one contact. The more frequent reminders apply. A recovery is sent if at least one of the
 * entries requests it.
 */
function mergeDirect(one: Direct, other: Direct | undefined): Direct {
  if (other === undefined) return one;
  const { isRecoveryOff: _one, ...rest } = one;
  const isOff = one.isRecoveryOff === true && other.isRecoveryOff === true;
  const every = [one, other].flatMap(({ remindEveryMinutes }) => remindEveryMinutes ?? []);
  const remindEveryMinutes = every.length === 0 ? null : Math.min(...every);
  return { ...rest, remindEveryMinutes, ...(isOff && { isRecoveryOff: true }) };
}

/** Groups contacts with the same reminders into shared steps. */
function groupDirect(direct: readonly Direct[]): readonly EscalationStep[] {
  const groups = new Map<number | null, EscalationContact[]>();
  for (const { remindEveryMinutes: every, ...contact } of direct)
    groups.set(every, [...(groups.get(every) ?? []), contact]);
  const batches = [...groups].flatMap(([everyMinutes, contacts]) =>
    cutIntoSlices(contacts, CONTACTS_OF_STEP_MAX).map((slice) => [everyMinutes, slice] as const),
  );
  return batches.map(([everyMinutes, contacts]) => ({
    key: `${DIRECT}${hashIds(contacts)}`,
    afterMinutes: 0,
    until: 'acknowledged',
    repeat:
      everyMinutes === null
        ? null
        : {
            everyMinutes,
            times: Math.min(REMINDERS_MAX, Math.ceil(REMIND_MINUTES / everyMinutes)),
          },
    contacts,
  }));
}

function cutIntoSlices<Item>(items: readonly Item[], length: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, at) => items.slice(at * length, (at + 1) * length));
}

function hashIds(contacts: readonly EscalationContact[]): string {
  const ids = contacts.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(ids)).digest('base64url').slice(0, 16);
}

/** Caches policies, because many checks name the same few policies. */
function withCachedPolicies(stores: Stores): Stores {
  const { alertPolicies, alertRoutes } = stores;
  const policies = new Map<string, ReturnType<typeof alertPolicies.findByKey>>();
  let routes: ReturnType<typeof alertRoutes.find> | undefined;
  return {
    ...stores,
    alertPolicies: {
      ...alertPolicies,
      findByKey: (accountId, key) => {
        const found = policies.get(key) ?? alertPolicies.findByKey(accountId, key);
        policies.set(key, found);
        return found;
      },
    },
    alertRoutes: {
      ...alertRoutes,
      find: (accountId) => {
        routes ??= alertRoutes.find(accountId);
        return routes;
      },
    },
  };
}
