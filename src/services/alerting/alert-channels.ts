/** Presents alert channels with masked secrets, and deletes them. */
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertChannelResponse } from '../../schemas/responses/alerts';
import { refuseNamedInPolicies } from '../accounts/named-in-policies';
import { toInstant } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import { findObject, type ObjectChange, removeObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { readChannels } from './alert-destinations';
import { NOTHING_SENT, readDeliveries, type ShownDeliveries } from './channel-deliveries';

type Needs = Pick<Dependencies, 'stores'>;

export function alertChannelKind({ stores }: Needs) {
  return { idKind: 'channel', name: 'alert channel', store: stores.alertChannels } as const;
}

/** All channels of the account if one of the given channels has a fallback, otherwise an empty list. */
async function channelsFor(
  { stores }: Needs,
  accountId: string,
  channels: readonly AlertChannel[],
): Promise<readonly AlertChannel[]> {
  const isNaming = channels.some(({ fallbackId }) => fallbackId !== null);
  return isNaming ? readChannels(stores.alertChannels, accountId) : [];
}

export async function getAlertChannel(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<AlertChannelResponse> {
  const channel = await findObject(alertChannelKind(needs), accountId, id);
  const [known, deliveries] = await Promise.all([
    channelsFor(needs, accountId, [channel]),
    readDeliveries(needs, accountId, id),
  ]);
  return presentAlertChannel(channel, known, deliveries);
}

/** Lists the channels, the newest first. */
export async function listAlertChannels(
  { stores }: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<AlertChannelResponse>> {
  let known: readonly AlertChannel[] = [];
  let deliveries: ReadonlyMap<string, ShownDeliveries> = new Map();
  return readList({ accountId, list: 'alert-channels' }, request, {
    read: async (query) => {
      const page = await stores.alertChannels.list(accountId, query);
      known = await channelsFor({ stores }, accountId, page.items);
      const read = page.items.map(
        async ({ id }) => [id, await readDeliveries({ stores }, accountId, id)] as const,
      );
      deliveries = new Map(await Promise.all(read));
      return page;
    },
    present: (channel) => presentAlertChannel(channel, known, deliveries.get(channel.id)),
  });
}

/** Rules that name the channel no longer send anything to it. Throws `in_use` while alert policies name it. */
export function deleteAlertChannel(
  needs: Needs & Pick<Dependencies, 'clock' | 'sleep'>,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  return removeObject(needs, alertChannelKind(needs), { ...change, accountId }, ({ id }) =>
    refuseNamedInPolicies(needs, accountId, id),
  );
}

/** Fields of the response that a body does not have. */
export const READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'version',
  'lastSentAt',
  'failing',
  'createdAt',
  'updatedAt',
];

/** `channels`: all channels of the account. A deleted fallback is shown as null. */
export function presentAlertChannel(
  alertChannel: AlertChannel,
  channels: readonly AlertChannel[],
  deliveries: ShownDeliveries = NOTHING_SENT,
): AlertChannelResponse {
  const { id, version, name, key, type, isDefault, config, onlyKinds, fallbackId } = alertChannel;
  const fallback = channels.find((other) => other.id === fallbackId);
  return {
    ...config,
    id,
    version,
    name,
    key,
    type,
    isDefault,
    onlyKinds: onlyKinds === null ? null : [...onlyKinds],
    fallback: fallback?.key ?? fallback?.id ?? null,
    fallbackAfterMinutes: alertChannel.fallbackAfterMinutes,
    ...deliveries,
    createdAt: toInstant(alertChannel.createdAtMs),
    updatedAt: toInstant(alertChannel.updatedAtMs),
  };
}
