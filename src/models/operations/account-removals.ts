/**
 * Deletes everything that an account owns. A resource is deleted with its measurements, because measurements are
 * indexed by the id of their resource and not by account.
 */
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import type { Database } from '../store/database';
import { createRemovals } from './removals';

/** Objects of an account that may have a workflow. */
export interface ServedObjects {
  readonly monitors: readonly string[];
  readonly scenarios: readonly string[];
  readonly runs: readonly string[];
  readonly alerts: readonly string[];
  readonly escalations: readonly string[];
  readonly notices: readonly string[];
}

/** Deletes the data of accounts. For housekeeping only. All calls can be repeated. */
export interface AccountRemovalStore {
  /** Returns some of the remaining objects, at most 500 of each kind. */
  readonly listServed: (accountId: string) => Promise<ServedObjects>;
  /** Removes resources with their measurements. The workflows of removed resources do not start again. */
  readonly removeResources: (
    accountId: string,
    served: Pick<ServedObjects, 'monitors' | 'scenarios'>,
  ) => Promise<void>;
  /**
   * Deletes the remaining data of the account, except members and unfinished removals, for about the given time.
   * Returns true if only the account itself is left.
   */
  readonly sweep: (accountId: string, budgetMs: number) => Promise<boolean>;
}

const BATCH = 500;

/**
 * Collections that are not emptied here. The account is deleted last. Removing a resource also deletes its watches and
 * revisions. A document in `removals` is deleted together with the measurements of its resource.
 */
const LEFT_ALONE: ReadonlySet<string> = new Set([
  'accounts',
  'removals',
  'revisions',
  'users',
  'watches',
]);

interface Part {
  readonly of: keyof Models;
  /** The field with the id of the object that owns the document. */
  readonly by: string;
}

/** Collections without an index by account. Their documents are found by the id of the object that owns them. */
const PARTS: Partial<Record<keyof Models, readonly Part[]>> = {
  apiKeys: [{ of: 'quotas', by: '_id' }],
  pipelines: [{ of: 'quotas', by: '_id' }],
  rollouts: [{ of: 'rolloutItems', by: 'rolloutId' }],
  statusPages: [
    { of: 'statusPageLetters', by: 'pageId' },
    { of: 'statusPageNotices', by: 'pageId' },
    { of: 'statusPageSubscribers', by: 'pageId' },
  ],
};

interface Owned {
  readonly _id: string;
  readonly [field: string]: unknown;
}

export function createAccountRemovals(
  { models, connection }: Pick<Database, 'models' | 'connection'>,
  clock: Clock,
): AccountRemovalStore {
  const { remove } = createRemovals(models, clock);
  // Only the id and the owner of these documents are needed here.
  const open = (name: string) => connection.collection<Owned>(name);
  async function findIds(name: string, filter: object): Promise<readonly string[]> {
    const found = open(name)
      .find(filter, { projection: { _id: 1 } })
      .limit(BATCH);
    return (await found.toArray()).map(({ _id }) => _id);
  }
  /** Deletes the documents in batches, each after the parts of its documents. Returns false if time is up. */
  async function empty(
    { name, filter, parts = [] }: OwnedCollection,
    hasTime: () => boolean,
  ): Promise<boolean> {
    while (hasTime()) {
      const ids = await findIds(name, filter);
      if (ids.length === 0) return true;
      for (const { of, by } of parts) {
        const owned = { [by]: { $in: [...ids] }, accountId: filter['accountId'] };
        const part = { name: models[of].collection.name, filter: owned };
        if (!(await empty(part, hasTime))) return false;
      }
      await open(name).deleteMany({ ...filter, _id: { $in: [...ids] } });
    }
    return false;
  }
  return {
    async listServed(accountId) {
      const [monitors, scenarios, runs, alerts, escalations, notices] = await Promise.all([
        findIds(models.monitors.collection.name, { accountId }),
        findIds(models.scenarios.collection.name, { accountId }),
        findIds(models.runs.collection.name, { accountId, finished: false }),
        findIds(models.alerts.collection.name, { accountId, status: 'pending' }),
        findIds(models.escalations.collection.name, { accountId, isOver: false }),
        findIds(models.statusPageNotices.collection.name, { accountId, state: 'sending' }),
      ]);
      return { monitors, scenarios, runs, alerts, escalations, notices };
    },
    async removeResources(accountId, { monitors, scenarios }) {
      for (const id of monitors) await remove('monitor', accountId, id);
      for (const id of scenarios) await remove('scenario', accountId, id);
    },
    async sweep(accountId, budgetMs) {
      const endsAtMs = clock.now() + budgetMs;
      const hasTime = () => clock.now() <= endsAtMs;
      for (const collection of listOwned(models, accountId))
        if (!(await empty(collection, hasTime))) return false;
      const [removal, member] = await Promise.all([
        models.removals.exists({ accountId }),
        models.users.exists({ accountId }),
      ]);
      return removal === null && member === null;
    },
  };
}

interface OwnedCollection {
  readonly name: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly parts?: readonly Part[] | undefined;
}

/** Lists the collections to empty, each with a filter that selects the account's documents. */
function listOwned(models: Models, accountId: string): readonly OwnedCollection[] {
  const { accountVariables, alertRoutes, alertBursts, revisions } = models;
  const parts = new Set(Object.values(PARTS).flatMap((each) => each.map(({ of }) => of)));
  const named = listKeys(models).flatMap((key) => {
    const { collection, schema } = models[key];
    if (LEFT_ALONE.has(key) || parts.has(key) || !Object.hasOwn(schema.paths, 'accountId'))
      return [];
    return [{ name: collection.name, filter: { accountId }, parts: PARTS[key] }];
  });
  const bursts = { _id: { $gte: `${accountId}:`, $lt: `${accountId};` } };
  return [
    ...named,
    { name: accountVariables.collection.name, filter: { _id: accountId } },
    { name: alertRoutes.collection.name, filter: { _id: accountId } },
    { name: alertBursts.collection.name, filter: bursts },
    // Revisions that belong to tests of unsaved definitions. No other revisions expire.
    { name: revisions.collection.name, filter: { expiresAtMs: { $gt: 0 }, accountId } },
  ];
}

function listKeys(models: Models): readonly (keyof Models)[];
function listKeys(models: object): readonly string[] {
  return Object.keys(models);
}
