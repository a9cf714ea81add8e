/** Reads and deletes alert channels. */

import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertChannelResponse } from '../../schemas/responses/alerts';
import { refuseNamedInPolicies } from '../accounts/named-in-policies';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readList } from '../lists/read-list';
import { findObject, type ObjectChange, removeObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { readChannels } from './alert-destinations';
import { presentAlertChannel } from './present-alert-channel';

type Needs = Pick<Dependencies, 'stores'>;

export function alertChannelKind({ stores }: Needs) {
  return { idKind: 'channel', name: 'alert channel', store: stores.alertChannels } as const;
}

/** All of the account where one of these names another, else none. */
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
  return presentAlertChannel(channel, await channelsFor(needs, accountId, [channel]));
}

/** Newest first. */
export async function listAlertChannels(
  { stores }: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<AlertChannelResponse>> {
  let known: readonly AlertChannel[] = [];
  return readList({ accountId, list: 'alert-channels' }, request, {
    read: async (query) => {
      const page = await stores.alertChannels.list(accountId, query);
      known = await channelsFor({ stores }, accountId, page.items);
      return page;
    },
    present: (channel) => presentAlertChannel(channel, known),
  });
}

/** Rules that name it send nothing there any more. Throws `in_use` while alert policies name it. */
export function deleteAlertChannel(
  needs: Needs & Pick<Dependencies, 'clock' | 'sleep'>,
  accountId: string,
  change: ObjectChange,
): Promise<void> {
  return removeObject(needs, alertChannelKind(needs), { ...change, accountId }, ({ id }) =>
    refuseNamedInPolicies(needs, accountId, id),
  );
}
