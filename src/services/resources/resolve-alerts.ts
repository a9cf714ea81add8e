/** Converts the `alerts` of a body to a rule and its current targets. Used when the body is saved. */
import type { AlertTarget } from '../../contracts/alerts';
import type { Resource } from '../../models/resources/resource';
import { isSameJson } from '../../platform/canonical-json';
import type { FieldProblem } from '../../platform/errors';
import { type Alerts, isChannelWord } from '../../schemas/alerts';
import { readRecord } from '../../schemas/loose';
import {
  createEmailTargets,
  listChannelTargets,
  readChannels,
} from '../alerting/alert-destinations';
import { refuseProblems } from '../lists/field-problems';
import type { ChangeContext, Entry } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';

export type AlertFields = Pick<Resource, 'alerts' | 'alertTargets'>;

type Needs = Pick<Dependencies, 'stores' | 'sealers'>;

/** The resource that has the rule, and its stored version. null for a new one. */
export interface AlertOwner {
  readonly accountId: string;
  readonly stored: Pick<Resource, 'alerts'> | null;
}

/**
 * Resolves the rule. Throws `validation_failed` for an unknown channel or policy. A deleted channel or policy is
 * accepted if the stored rule names it. If a client sends the rule of a response back unchanged, the stored rule stays,
 * including its deleted channels.
 */
export async function resolveAlerts(
  { stores, sealers }: Needs,
  { accountId, stored }: AlertOwner,
  alerts: Alerts,
): Promise<AlertFields> {
  const { channels: references, emails } = alerts;
  const before = stored?.alerts.channels ?? [];
  const channels =
    references.length + before.length === 0
      ? []
      : await readChannels(stores.alertChannels, accountId);
  const known = new Set(channels.map(({ id }) => id));
  refuseProblems([
    ...(await findPolicyProblems({ stores }, { accountId, stored }, alerts.policy)),
    ...references.flatMap((reference, index) =>
      isChannelWord(reference) || known.has(reference) || before.includes(reference)
        ? []
        : [
            {
              path: `alerts.channels[${index}]`,
              code: 'invalid_value',
              message: 'is not a channel of this account',
            },
          ],
    ),
  ]);
  const alertTargets = [
    ...listChannelTargets(references, channels).map(withoutTemplate),
    ...createEmailTargets(sealers.stored, accountId, emails),
  ];
  const isAsShown = isSameJson(references, liveReferences(before, known));
  return { alerts: isAsShown ? { ...alerts, channels: [...before] } : alerts, alertTargets };
}

/** Finds a policy that does not exist. A deleted policy is accepted if the stored rule names it. */
async function findPolicyProblems(
  { stores }: Pick<Needs, 'stores'>,
  { accountId, stored }: AlertOwner,
  key: string | null,
): Promise<readonly FieldProblem[]> {
  if (key === null || key === (stored?.alerts.policy ?? null)) return [];
  if ((await stores.alertPolicies.findByKey(accountId, key)) !== null) return [];
  const message = 'is not the key of an alert policy of this account';
  return [{ path: 'alerts.policy', code: 'unknown_key', message }];
}

/**
 * Removes the template, because it is stored only with the channel. If the channels cannot be read when an alert is
 * sent, the alert has the default text.
 */
function withoutTemplate({ template: _template, ...target }: AlertTarget): AlertTarget {
  return target;
}

/** Removes deleted channels from a response. */
export async function withoutGoneChannels<Entity extends Pick<Resource, 'alerts'>>(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  resources: readonly Entity[],
): Promise<readonly Entity[]> {
  const isNamed = resources.some(({ alerts }) => !alerts.channels.every(isChannelWord));
  if (!isNamed) return resources;
  const channels = await readChannels(stores.alertChannels, accountId);
  const known = new Set(channels.map(({ id }) => id));
  return resources.map((resource) => ({
    ...resource,
    alerts: { ...resource.alerts, channels: liveReferences(resource.alerts.channels, known) },
  }));
}

/** Returns the words that mean default channels, and the ids of channels that exist. */
function liveReferences(
  references: readonly string[],
  known: { readonly has: (id: string) => boolean },
): string[] {
  return references.filter((reference) => isChannelWord(reference) || known.has(reference));
}

/** Keeps the encrypted email addresses of the stored rule, because a second encryption would give a different text. */
export function withStoredAddresses(
  fields: AlertFields,
  before: readonly AlertTarget[],
): AlertFields {
  const keptOf = (target: AlertTarget): AlertTarget =>
    before.find(({ key, channelId }) => key === target.key && channelId === null) ?? target;
  return { ...fields, alertTargets: fields.alertTargets.map(keptOf) };
}

/**
 * Returns `previous` if `next` differs only in the targets of its channels. Such a difference creates no new version,
 * because targets are read again when an alert is sent.
 */
export function withStoredTargets<Entity extends AlertFields>(
  previous: Entity,
  next: Entity,
): Entity {
  const { alertTargets } = previous;
  return isSameJson({ ...next, alertTargets }, previous) ? previous : next;
}

/** Replaces ids of channels by keys where possible. Deleted channels are left out. */
export function withChannelKeys(
  fields: Entry,
  { channels }: Pick<ChangeContext, 'channels'>,
): Entry {
  if (fields['alerts'] === undefined) return fields;
  const alerts = readRecord(fields['alerts']);
  if (alerts['channels'] === undefined) return fields;
  const named = Array.isArray(alerts['channels']) ? alerts['channels'] : [];
  const live = liveReferences(
    named.filter((reference: unknown) => typeof reference === 'string'),
    channels,
  );
  const byKey = live.map((reference) => channels.get(reference)?.key ?? reference);
  return { ...fields, alerts: { ...alerts, channels: byKey } };
}

/** Returns the entry in the form of a request body, in which channels are named by id. */
export function toBody(
  { id: _id, ...entry }: Entry,
  { channels }: Pick<ChangeContext, 'channels'>,
): Entry {
  const { alerts } = entry;
  const { channels: named, ...rest } = readRecord(alerts);
  if (!Array.isArray(named)) return entry;
  const idOfKey = new Map([...channels.values()].map(({ key, id }) => [key, id]));
  const ids = named.map((reference: unknown) =>
    typeof reference === 'string' ? (idOfKey.get(reference) ?? reference) : reference,
  );
  return { ...entry, alerts: { ...rest, channels: ids } };
}
