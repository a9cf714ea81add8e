/** Alert routes of accounts: one document per account, which is always replaced as a whole. */
import type { Model } from 'mongoose';
import type { AlertRoute } from '../../contracts/escalation';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { fromJsonText, toJsonText } from '../store/json-text';

/** An account's routes, in the order in which they are evaluated. */
export interface AlertRoutes {
  readonly accountId: string;
  /** The version. 0 if nothing is stored yet. */
  readonly version: number;
  readonly routes: readonly AlertRoute[];
  /** The `apply` set (`set:` in the file) that created the routes. */
  readonly managedBy?: string;
  readonly updatedAtMs: number;
}

export interface AlertRoutesStore {
  readonly find: (accountId: string) => Promise<AlertRoutes | null>;
  /**
   * Replaces the routes if the stored version is `expectedVersion` (0 means that nothing is stored). Otherwise returns
   * false.
   */
  readonly replace: (
    accountId: string,
    next: AlertRoutes,
    expectedVersion: number,
  ) => Promise<boolean>;
}

export interface AlertRoutesDocument {
  /** Id of the account. */
  readonly _id: string;
  readonly version: number;
  /** AlertRoutes.routes as JSON text. */
  readonly routes: string;
  readonly managedBy?: string;
  readonly updatedAtMs: number;
}

export const alertRoutesCollection = defineCollection<AlertRoutesDocument>('alertRoutes', {
  version: Number,
  routes: String,
  managedBy: String,
  updatedAtMs: Number,
});

export function createAlertRoutesStore(routes: Model<AlertRoutesDocument>): AlertRoutesStore {
  return {
    find: (accountId) =>
      readOne(routes.findOne({ _id: accountId }).lean<AlertRoutesDocument>(), fromDocument),
    async replace(accountId, next, expectedVersion) {
      const document = toDocument({ ...next, accountId });
      if (expectedVersion === 0) return writeUnlessPresent(() => routes.create([document]));
      const own = { _id: accountId, version: expectedVersion };
      return (await routes.replaceOne(own, document)).matchedCount === 1;
    },
  };
}

function toDocument({ accountId, routes, ...fields }: AlertRoutes): AlertRoutesDocument {
  return { ...fields, _id: accountId, routes: toJsonText(routes) };
}

function fromDocument({ _id, routes, ...fields }: AlertRoutesDocument): AlertRoutes {
  return { ...fields, accountId: _id, routes: fromJsonText(routes) };
}
