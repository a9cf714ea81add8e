/** Writes and reads entries of a set. Files name channels by key; the service names them by id. */
import { readList, readRecord } from '../../schemas/loose';
import { liveReferences } from '../resources/resolve-alerts';
import { dependenciesByKey } from './apply-dependencies';
import type { Entry } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

/** The definition, with channels and dependencies named by key where possible. */
export function viewWithKeys(
  shown: object,
  readOnlyFields: readonly string[],
  { channels, nodes }: ApplyNeeds,
): Entry {
  const fields = Object.entries(shown).filter(([name]) => !readOnlyFields.includes(name));
  const view = withChannelKeys(Object.fromEntries(fields), { channels });
  return { ...view, dependsOn: dependenciesByKey(readList(view['dependsOn']), nodes) };
}

/** Names channels by key where possible. Leaves out deleted channels. */
export function withChannelKeys(fields: Entry, { channels }: Pick<ApplyNeeds, 'channels'>): Entry {
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

/** The entry in the form of a request body, which names channels by id. */
export function toBody(
  { id: _id, ...entry }: Entry,
  { channels }: Pick<ApplyNeeds, 'channels'>,
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

export function isStated(entry: Entry, field: string): boolean {
  return entry[field] !== undefined && entry[field] !== null;
}
