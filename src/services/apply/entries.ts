/** Entries of a set as they are written and read: channels go by key in files and by id in the service. */
import type { ZodType } from 'zod';
import { AppError } from '../../platform/errors';
import { type CheckedShape, validate } from '../../schemas/issues';
import { recordOf } from '../../schemas/loose';
import { refuseProblems } from '../lists/field-problems';
import { liveReferences } from '../resources/resolve-alerts';
import type { Entry } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

/** The definition, in which channels that have a key go by it. */
export function viewWithKeys(
  answer: object,
  readOnlyFields: readonly string[],
  { channels }: ApplyNeeds,
): Entry {
  const fields = Object.entries(answer).filter(([name]) => !readOnlyFields.includes(name));
  const view: Record<string, unknown> = Object.fromEntries(fields);
  const alerts = recordOf(view['alerts']);
  const named = Array.isArray(alerts['channels']) ? alerts['channels'] : [];
  const live = liveReferences(
    named.filter((reference: unknown) => typeof reference === 'string'),
    channels,
  );
  const byKey = live.map((reference) => channels.get(reference)?.key ?? reference);
  return { ...view, alerts: { ...alerts, channels: byKey } };
}

/** The checked body; channels may go by their key. Throws every problem of the entry at once. */
export function readEntry<Body>(
  checked: CheckedShape<ZodType<Body>>,
  entry: Entry,
  { channels }: ApplyNeeds,
): Body {
  const { id: _id, ...sent } = entry;
  const outcome = validate(checked, withChannelIds(sent, channels));
  if (outcome.ok) return outcome.value;
  refuseProblems(outcome.problems);
  throw new AppError('validation_failed', 'The object has problems.');
}

function withChannelIds(entry: Entry, channels: ApplyNeeds['channels']): Entry {
  const { alerts } = entry;
  const { channels: named, ...rest } = recordOf(alerts);
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
