/** Reads and deletes alert channels. */

import { isId } from '../../domain/definitions/ids';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { AppError } from '../../platform/errors';
import type { AlertChannelResponse } from '../../schemas/responses/alerts';
import { refuseNamedInPolicies } from '../accounts/named-in-policies';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readList } from '../lists/read-list';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { readChannels } from './alert-destinations';
import { presentAlertChannel } from './present-alert-channel';

type Needs = Pick<Dependencies, 'stores'>;

/** The channel, or `not_found`, whether the id is malformed, unknown or of another account. */
export async function findAlertChannel(
  { stores }: Needs,
  accountId: string,
  id: string,
): Promise<AlertChannel> {
  const channel = isId('channel', id) ? await stores.alertChannels.find(accountId, id) : null;
  if (channel === null) throw new AppError('not_found', 'There is no alert channel with this id.');
  return channel;
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
  const channel = await findAlertChannel(needs, accountId, id);
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
export async function deleteAlertChannel(
  needs: Needs & Pick<Dependencies, 'clock' | 'sleep'>,
  accountId: string,
  { id, accept }: { readonly id: string; readonly accept: (version: number) => void },
): Promise<void> {
  await withOptimisticRetry(needs, async () => {
    const { version } = await findAlertChannel(needs, accountId, id);
    accept(version);
    await refuseNamedInPolicies(needs, accountId, id);
    const isRemoved = await needs.stores.alertChannels.remove(accountId, id, version);
    return isRemoved ? undefined : OVERTAKEN;
  });
}
