/** Alert channels of a set. What their addresses hide stays hidden in every plan. */
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import {
  type AlertChannelBody,
  type AlertChannelChange,
  alertChannelBody,
} from '../../schemas/alerts';
import { readChannels } from '../alerting/alert-destinations';
import { deleteAlertChannel } from '../alerting/get-alert-channel';
import { presentAlertChannel } from '../alerting/present-alert-channel';
import {
  changeAlertChannel,
  changedAlertChannel,
  newAlertChannel,
  storeNewChannel,
} from '../alerting/save-alert-channel';
import { readChange } from '../lists/read-change';
import type { Dependencies } from '../ports/dependencies';
import type { ApplyKind, Entry, Existing, ObjectPlan, Wish } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

const READ_ONLY_FIELDS: readonly string[] = ['id', 'version', 'createdAt', 'updatedAt'];
const ADDRESS_FIELDS = { email: 'emails', slack: 'webhookUrl', webhook: 'url' } as const;

interface ChannelApplication {
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
  const place: ChannelApplication = { accountId, channels, needs };
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
    remove: (id) => deleteAlertChannel(needs, accountId, { id, accept: () => undefined }),
    readDefaults: async () => ({}),
  };
}

function planNew(
  { accountId, channels, needs }: ChannelApplication,
  { entry, set }: Wish,
): ObjectPlan {
  const body = readEntry(entry, null);
  const made = newAlertChannel(needs, { accountId, body, others: [...channels.values()] });
  const row: AlertChannel = { ...made.row, managedBy: set };
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
  { channels, needs }: ChannelApplication,
  { entry, existing }: Wish,
  stored: AlertChannel,
): ObjectPlan {
  const change = changeOf(readEntry(entry, existing));
  const row = changedAlertChannel(needs, stored, change);
  channels.set(row.id, row);
  return {
    ...planOf(row),
    before: existing?.view ?? null,
    hidden: hiddenChanges(stored, row),
    carryOut: async () => {
      const { accountId, id } = row;
      await changeAlertChannel(needs, accountId, { id, change, accept: () => undefined });
      return { id };
    },
  };
}

function planOf(row: AlertChannel) {
  return { name: row.name, after: viewOf(row), secretNames: [] };
}

function existingOf(row: AlertChannel): Existing {
  const { id, key, name, managedBy } = row;
  return { id, key, name, managedBy: managedBy ?? null, view: viewOf(row) };
}

function viewOf(row: AlertChannel): Entry {
  const fields = Object.entries(presentAlertChannel(row));
  return Object.fromEntries(fields.filter(([name]) => !READ_ONLY_FIELDS.includes(name)));
}

function readEntry({ id: _id, ...sent }: Entry, existing: Existing | null): AlertChannelBody {
  return readChange(alertChannelBody, { sent, stored: existing?.view });
}

/** What the entry leaves open stays; what is so already, or is masked as shown, is no change. */
function changeOf({ key, isDefault, ...rest }: AlertChannelBody): AlertChannelChange {
  return {
    ...rest,
    ...(key !== null && { key }),
    ...(isDefault !== undefined && { isDefault }),
  };
}

function hiddenChanges(before: AlertChannel, after: AlertChannel): readonly FieldChange[] {
  if (before.type === 'email' || before.places === after.places) return [];
  const isShown = before.places[0]?.shown !== after.places[0]?.shown;
  const path = ADDRESS_FIELDS[before.type];
  return isShown ? [] : [{ path, before: '(hidden)', after: '(another address)' }];
}
