/** Alert channels of a set. What their addresses hide stays hidden in every plan. */
import type { FieldChange } from '../domain/field-changes';
import { AppError } from '../platform/errors';
import {
  type AlertChannelBody,
  type AlertChannelChange,
  alertChannelBody,
} from '../schemas/alerts';
import { validate } from '../schemas/issues';
import { openPlace, readChannels } from './alert-places';
import type { ApplyKind, Entry, Existing, ObjectPlan, Wish } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';
import { canonicalJson } from './canonical-json';
import type { Dependencies } from './dependencies';
import { refuseProblems } from './field-problems';
import { presentAlertChannel } from './present-alert-channel';
import type { AlertChannelRow } from './rows';
import {
  changedAlertChannel,
  newAlertChannel,
  storeChangedChannel,
  storeNewChannel,
} from './save-alert-channel';

const READ_ONLY_FIELDS: readonly string[] = ['id', 'version', 'createdAt', 'updatedAt'];
const ADDRESS_FIELDS = { email: 'emails', slack: 'webhookUrl', webhook: 'url' } as const;

interface Place {
  readonly accountId: string;
  readonly channels: ApplyNeeds['channels'];
  readonly needs: Dependencies;
}

/** `needs` are those of the service, since what is planned is not stored yet. */
export function channelKind(
  accountId: string,
  { channels }: ApplyNeeds,
  needs: Dependencies,
): ApplyKind {
  const place: Place = { accountId, channels, needs };
  return {
    list: 'alertChannels',
    async load() {
      const rows = await readChannels(needs.stores.alertChannels, accountId);
      channels.clear();
      for (const row of rows) channels.set(row.id, row);
      return rows.map(existingOf);
    },
    async plan(wish) {
      const stored = wish.existing === null ? undefined : channels.get(wish.existing.id);
      return stored === undefined ? planNew(place, wish) : planChange(place, wish, stored);
    },
    async remove(id) {
      if (await needs.stores.alertChannels.remove(accountId, id)) return;
      throw new AppError('not_found', 'There is no alert channel with this id.');
    },
    readDefaults: async () => ({}),
  };
}

function planNew({ accountId, channels, needs }: Place, { entry, set }: Wish): ObjectPlan {
  const body = readEntry(entry);
  refuseMasked(body);
  const made = newAlertChannel(needs, { accountId, body, others: [...channels.values()] });
  const row: AlertChannelRow = { ...made.row, managedBy: set };
  const { signingSecret } = made;
  channels.set(row.id, row);
  return {
    ...planOf(row),
    before: null,
    hidden: [],
    carryOut: async () => {
      await storeNewChannel(needs, row).catch((reason: unknown) => {
        channels.delete(row.id);
        throw reason;
      });
      return { id: row.id, ...(signingSecret !== null && { signingSecret }) };
    },
  };
}

function planChange(
  { channels, needs }: Place,
  { entry, existing }: Wish,
  stored: AlertChannelRow,
): ObjectPlan {
  const change = changeOf(needs, readEntry(entry), stored);
  const row = changedAlertChannel(needs, stored, change);
  channels.set(row.id, row);
  return {
    ...planOf(row),
    before: existing?.view ?? null,
    hidden: hiddenChanges(stored, row),
    carryOut: async () => {
      if (await storeChangedChannel(needs, stored, row)) return { id: row.id };
      throw new AppError('version_mismatch', 'Others changed it at the same time; try again.');
    },
  };
}

function planOf(row: AlertChannelRow) {
  return { name: row.name, after: viewOf(row), secretNames: [] };
}

function existingOf(row: AlertChannelRow): Existing {
  const { id, key, name, managedBy } = row;
  return { id, key, name, managedBy: managedBy ?? null, view: viewOf(row) };
}

function viewOf(row: AlertChannelRow): Entry {
  const fields = Object.entries(presentAlertChannel(row));
  return Object.fromEntries(fields.filter(([name]) => !READ_ONLY_FIELDS.includes(name)));
}

function readEntry({ id: _id, ...sent }: Entry): AlertChannelBody {
  const outcome = validate(alertChannelBody, sent);
  if (outcome.ok) return outcome.value;
  refuseProblems(outcome.problems);
  throw new AppError('validation_failed', 'The channel has problems.');
}

/** An address as an export shows it leads nowhere. */
function refuseMasked(body: AlertChannelBody): void {
  if (body.type === 'email' || !addressOf(body).endsWith('/…')) return;
  const path = ADDRESS_FIELDS[body.type];
  const message = 'is masked, as exports are; a channel that is not there needs the whole address';
  refuseProblems([{ path, code: 'invalid_value', message }]);
}

function addressOf(body: Exclude<AlertChannelBody, { readonly type: 'email' }>): string {
  return body.type === 'slack' ? body.webhookUrl : body.url;
}

/** What is so already, or is masked as an export shows it, is no change. */
function changeOf(
  { sealers }: Dependencies,
  body: AlertChannelBody,
  stored: AlertChannelRow,
): AlertChannelChange {
  const { name, key, isDefault } = body;
  if (body.type !== stored.type) {
    const message = `never changes, and is ${stored.type}; use another key for another channel`;
    refuseProblems([{ path: 'type', code: 'invalid_value', message }]);
  }
  const common = {
    name,
    ...(key !== null && { key }),
    ...(isDefault !== undefined && { isDefault }),
  };
  const shown = stored.places.map((place) => place.shown);
  if (body.type === 'email') {
    const isSame = canonicalJson(body.emails) === canonicalJson(shown);
    return isSame ? common : { ...common, emails: body.emails };
  }
  const address = addressOf(body);
  const place = openPlace(sealers.stored, stored.accountId, stored.places[0]?.sealed ?? '');
  const isSame = address === shown[0] || (place.type !== 'email' && place.url === address);
  return isSame ? common : { ...common, [ADDRESS_FIELDS[body.type]]: address };
}

function hiddenChanges(before: AlertChannelRow, after: AlertChannelRow): readonly FieldChange[] {
  if (before.type === 'email' || before.places === after.places) return [];
  const isShown = before.places[0]?.shown !== after.places[0]?.shown;
  const path = ADDRESS_FIELDS[before.type];
  return isShown ? [] : [{ path, before: '(hidden)', after: '(another address)' }];
}
