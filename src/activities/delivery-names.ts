/**
 * Reads the names of the account, the channel and the group for an alert. If they cannot be read in time, the alert is
 * sent without them.
 */
import type { AlertKind } from '../contracts/alerting/alert-kinds';
import type { AlertMessage, AlertTarget } from '../contracts/alerts';
import type { AccountStore } from '../models/accounts/accounts';
import type { AlertChannelStore } from '../models/alerting/alert-channels';
import type { Stores } from '../models/stores';
import type { Logger } from '../platform/logger';
import { findResource } from '../services/alerting/present-incident';

export interface NameNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly channels: Pick<AlertChannelStore, 'find'>;
  readonly resources: Pick<Stores, 'monitors' | 'scenarios'>;
  readonly logger: Pick<Logger, 'warn'>;
}

type Subject = Pick<AlertMessage, 'kind' | 'accountId' | 'resourceType' | 'resourceId'>;

/** Kinds of alerts whose text names no group. */
const GROUPLESS: readonly AlertKind[] = ['test', 'digest', 'event'];

export interface DeliveryNames {
  readonly accountName: string | null;
  readonly channelName: string | null;
  /** The group of the check. null if it has none. */
  readonly group: string | null;
}

/** Returns the names. All are null while the database is unavailable. */
export async function readDeliveryNames(
  { accounts, channels, resources, logger }: NameNeeds,
  alert: Subject & { readonly only?: Subject },
  { channelId }: Pick<AlertTarget, 'channelId'>,
): Promise<DeliveryNames> {
  const { accountId } = alert;
  try {
    const [account, channel, resource] = await Promise.all([
      accounts.find(accountId),
      channelId === null ? null : channels.find(accountId, channelId),
      findCheck(resources, alert.only ?? alert),
    ]);
    return {
      accountName: account?.name ?? null,
      channelName: channel?.name ?? null,
      group: resource?.group ?? null,
    };
  } catch (error) {
    logger.warn({ err: error }, 'an alert is sent without the name of its account');
    return { accountName: null, channelName: null, group: null };
  }
}

/** Finds the check of the alert. null if the alert is not about a single check. */
async function findCheck(resources: NameNeeds['resources'], subject: Subject) {
  return GROUPLESS.includes(subject.kind) ? null : findResource(resources, subject);
}
