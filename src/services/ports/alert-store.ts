/** What use cases ask of the database about alerts; implemented by src/models. */

import type { AlertKind } from '../../contracts/alerts';
import type { ListQuery, Page } from '../lists/list-query';
import type { AlertChannelRow, AlertRow } from './rows';

export interface AlertChannelStore {
  readonly create: (accountId: string, channel: AlertChannelRow) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<AlertChannelRow | null>;
  /** Newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<AlertChannelRow>>;
  /** Replaces the channel when its stored version is still `expectedVersion`; false otherwise. */
  readonly replace: (
    accountId: string,
    channel: AlertChannelRow,
    expectedVersion: number,
  ) => Promise<boolean>;
  /** Removes it when the stored version is still `expectedVersion`; false when it is not, or gone. */
  readonly remove: (accountId: string, id: string, expectedVersion: number) => Promise<boolean>;
}

export interface AlertQuery extends ListQuery {
  readonly status: AlertRow['status'] | null;
  readonly incidentId: string | null;
  readonly resourceId: string | null;
  readonly kind?: AlertKind | undefined;
}

export interface AlertStore {
  /** Stores it unless something as new is stored. */
  readonly save: (accountId: string, alert: AlertRow) => Promise<void>;
  /** True when the delivery is recorded as told by a digest. */
  readonly isSuppressed: (accountId: string, id: string) => Promise<boolean>;
  /** Newest first. */
  readonly page: (accountId: string, query: AlertQuery) => Promise<Page<AlertRow>>;
  /** Over all accounts, for the operator. */
  readonly countByStatus: () => Promise<
    readonly { readonly status: AlertRow['status']; readonly count: number }[]
  >;
}

/** Counts one more alert of a kind; how many the account had in this minute and the one before. */
export interface AlertBurstStore {
  readonly count: (
    accountId: string,
    kind: string,
    minute: number,
  ) => Promise<{ readonly now: number; readonly before: number }>;
}
