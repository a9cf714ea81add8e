/**
 * Reads the names of the account and of the channel for an alert. If they cannot be read in time, the alert is sent
 * without them.
 */
import type { AlertMessage, AlertTarget } from '../contracts/alerts';
import type { AccountStore } from '../models/accounts/accounts';
import type { AlertChannelStore } from '../models/alerting/alert-channels';
import type { Logger } from '../platform/logger';

export interface NameNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly channels: Pick<AlertChannelStore, 'find'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface DeliveryNames {
  readonly accountName: string | null;
  readonly channelName: string | null;
}

/** Returns the names. Both are null while the database is unavailable. */
export async function readDeliveryNames(
  { accounts, channels, logger }: NameNeeds,
  { accountId }: Pick<AlertMessage, 'accountId'>,
  { channelId }: Pick<AlertTarget, 'channelId'>,
): Promise<DeliveryNames> {
  try {
    const [account, channel] = await Promise.all([
      accounts.find(accountId),
      channelId === null ? null : channels.find(accountId, channelId),
    ]);
    return { accountName: account?.name ?? null, channelName: channel?.name ?? null };
  } catch (error) {
    logger.warn({ err: error }, 'an alert is sent without the name of its account');
    return { accountName: null, channelName: null };
  }
}
