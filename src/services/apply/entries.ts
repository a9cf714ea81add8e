/** Writes and reads entries of a set. Files name channels by key; the service names them by id. */
import type { ZodType } from 'zod';
import type { CheckedShape } from '../../schemas/issues';
import { readList, readRecord } from '../../schemas/loose';
import { readChange } from '../lists/read-change';
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
  const view: Record<string, unknown> = Object.fromEntries(fields);
  const alerts = readRecord(view['alerts']);
  const named = Array.isArray(alerts['channels']) ? alerts['channels'] : [];
  const live = liveReferences(
    named.filter((reference: unknown) => typeof reference === 'string'),
    channels,
  );
  const byKey = live.map((reference) => channels.get(reference)?.key ?? reference);
  return {
    ...view,
    alerts: { ...alerts, channels: byKey },
    dependsOn: dependenciesByKey(readList(view['dependsOn']), nodes),
  };
}

/** The validated body, which can name channels by key. Throws one error with all problems of the entry. */
export function readEntry<Body>(
  checked: CheckedShape<ZodType<Body>>,
  { channels }: ApplyNeeds,
  { sent: { id: _id, ...entry }, stored }: { readonly sent: Entry; readonly stored: Entry | null },
): Body {
  const sent = withChannelIds(entry, channels);
  return readChange(checked, { sent, stored: stored && withChannelIds(stored, channels) });
}

function withChannelIds(entry: Entry, channels: ApplyNeeds['channels']): Entry {
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
