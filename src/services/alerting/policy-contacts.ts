/** Resolves the channels and members in alert policies, and builds escalation plans. */
import type { EscalationContact, EscalationPlan } from '../../contracts/escalation';
import type { User } from '../../models/accounts/users';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import { emailsField } from '../../notify/channels/email';
import type { FieldProblem } from '../../platform/errors';
import type { TextSealer } from '../../platform/sealing';
import type { AlertPolicyBody } from '../../schemas/alert-policy';
import { refuseProblems } from '../lists/field-problems';
import type { resolveStepHours } from '../maintenance/step-hours';
import type { Dependencies } from '../ports/dependencies';
import { createEmailTargets, listChannelTargets, readChannels } from './alert-destinations';

/** Maximum number of members that are read. Accounts have far fewer. */
const MEMBERS_MAX = 1_000;

type Needs = Pick<Dependencies, 'stores'>;

export interface Contacts {
  readonly channels: readonly AlertChannel[];
  readonly members: readonly User[];
}

export async function readContacts({ stores }: Needs, accountId: string): Promise<Contacts> {
  const [channels, members] = await Promise.all([
    readChannels(stores.alertChannels, accountId),
    stores.users.list(accountId, { limit: MEMBERS_MAX, beforeId: null }),
  ]);
  return { channels, members: members.items };
}

export interface Named extends Contacts {
  /** Ids in the stored policy. They may stay in the policy, even if their channel or member was deleted. */
  readonly kept: ReadonlySet<string>;
  /** Maps the keys of channels that will be created to their future ids. */
  readonly planned: ReadonlyMap<string, string>;
  /** The hours that steps name. */
  readonly hours: StepHours;
}

type StepHours = Awaited<ReturnType<typeof resolveStepHours>>;

type Policy = Pick<AlertPolicy, 'key' | 'name' | 'steps' | 'quietHours' | 'lastResort'>;

/**
 * Resolves the contacts to ids. Each contact occurs once per step. Throws `validation_failed` with all contacts that
 * cannot be notified.
 */
export function resolvePolicy(
  { steps, lastResort, ...body }: AlertPolicyBody,
  named: Named,
): Policy {
  const problems: FieldProblem[] = [...named.hours.problems];
  const idOf = (reference: string, path: string, isChannel: boolean): string => {
    const found = findContact(reference, named, isChannel);
    if ('id' in found) return found.id;
    problems.push({ path, code: 'unknown_id', message: found.fault });
    return reference;
  };
  const resolved = {
    ...body,
    steps: steps.map(({ hours, ...step }, at) => ({
      ...step,
      ...(hours !== null && { hours: named.hours.keys.get(hours) ?? hours }),
      notify: [
        ...new Set(
          step.notify.map((one, index) => idOf(one, `steps[${at}].notify[${index}]`, false)),
        ),
      ],
    })),
    lastResort: lastResort === null ? null : idOf(lastResort, 'lastResort', true),
  };
  refuseProblems(problems);
  return resolved;
}

function findContact(
  reference: string,
  { channels, members, kept, planned }: Named,
  isChannel: boolean,
): { readonly id: string } | { readonly fault: string } {
  const channel = channels.find(({ id, key }) => id === reference || key === reference);
  const channelId = channel?.id ?? planned.get(reference);
  if (channelId !== undefined) return { id: channelId };
  const email = reference.toLowerCase();
  const member = members.find((one) => one.id === reference || one.email === email);
  if (member === undefined || isChannel) {
    if (kept.has(reference)) return { id: reference };
    return {
      fault: isChannel
        ? 'is not a channel of this account'
        : 'is not a channel or a member of this account',
    };
  }
  if (hasAddress(member) || kept.has(member.id)) return { id: member.id };
  return { fault: 'is a member whose email address cannot get alerts' };
}

/** True if the member can be notified. Some members sign in with a name that is not an email address. */
function hasAddress({ email }: User): boolean {
  return emailsField.safeParse([email]).success;
}

interface Holder {
  readonly accountId: string;
  readonly tags: readonly string[];
}

/** Builds the plan for the workflow. Deleted contacts are left out, so a step may be empty. */
export function buildPlan(
  sealer: TextSealer,
  { accountId, tags }: Holder,
  { policy, channels, members }: Contacts & { readonly policy: AlertPolicy },
): EscalationPlan {
  const contactOf = (id: string): readonly EscalationContact[] => {
    const channel = channels.find((one) => one.id === id);
    if (channel !== undefined)
      return [{ id, recipients: { channels: [id], targets: listChannelTargets([id], channels) } }];
    const member = members.find((one) => one.id === id);
    if (member === undefined) return [];
    const targets = createEmailTargets(sealer, accountId, [member.email]);
    return [{ id, recipients: { channels: [], targets } }];
  };
  const { name, steps, quietHours, lastResort } = policy;
  const isExcepted = quietHours?.except.some((tag) => tags.includes(tag)) === true;
  return {
    policyName: name,
    steps: steps.map(({ notify, ...times }) => ({ ...times, contacts: notify.flatMap(contactOf) })),
    quietHours: quietHours === null || isExcepted ? null : withoutTags(quietHours),
    lastResort,
  };
}

function withoutTags({
  except: _except,
  ...quiet
}: NonNullable<AlertPolicy['quietHours']>): EscalationPlan['quietHours'] {
  return quiet;
}
