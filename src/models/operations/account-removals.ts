/**
 * Deletes everything that an account owns, from every collection. The measurements of a resource are deleted with the
 * resource, because only its id finds them quickly.
 */
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import type { Database } from '../store/database';
import { createRemovals } from './removals';

/** Objects of an account that a workflow may serve. */
export interface ServedObjects {
  readonly monitors: readonly string[];
  readonly scenarios: readonly string[];
  readonly runs: readonly string[];
  readonly alerts: readonly string[];
  readonly escalations: readonly string[];
  readonly notices: readonly string[];
}

/** For housekeeping only. All calls can be repeated. */
export interface AccountRemovalStore {
  /** A batch of the objects that are left, at most 500 of each kind. */
  readonly listServed: (accountId: string) => Promise<ServedObjects>;
  /** Removes resources with their measurements: nothing more is recorded for them, and no workflow starts again. */
  readonly removeResources: (
    accountId: string,
    served: Pick<ServedObjects, 'monitors' | 'scenarios'>,
  ) => Promise<void>;
  /**
   * Deletes the rest, except members, for about the given time. Returns true if nothing is left, except the account
   * itself.
   */
  readonly sweep: (accountId: string, budgetMs: number) => Promise<boolean>;
}

const BATCH = 500;

/**
 * The account goes last, and removals are swept with the measurements of their resource. Members are removed with their
 * people.
 */
const LEFT_ALONE: ReadonlySet<string> = new Set(['accounts', 'removals', 'users']);

interface Owned {
  readonly _id: string;
  readonly [field: string]: unknown;
}

export function createAccountRemovals(
  { models, connection }: Pick<Database, 'models' | 'connection'>,
  clock: Clock,
): AccountRemovalStore {
  const { remove } = createRemovals(models, clock);
  // The collections have different types of documents, of which only the id and the owner matter here.
  const open = (name: string) => connection.collection<Owned>(name);
  async function findIds(name: string, filter: object): Promise<readonly string[]> {
    const found = open(name)
      .find(filter, { projection: { _id: 1 } })
      .limit(BATCH);
    return (await found.toArray()).map(({ _id }) => _id);
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
      for (const { name, filter } of listOwned(models, accountId)) {
        for (;;) {
          if (clock.now() > endsAtMs) return false;
          const ids = await findIds(name, filter);
          if (ids.length === 0) break;
          await open(name).deleteMany({ ...filter, _id: { $in: [...ids] } });
        }
      }
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
}

/** Every collection whose documents name their account, and those whose ids are made of the id of the account. */
function listOwned(models: Models, accountId: string): readonly OwnedCollection[] {
  const { accountVariables, alertRoutes, alertBursts } = models;
  const named = Object.entries(models).flatMap(([key, { collection, schema }]) => {
    const isOwned = Object.hasOwn(schema.paths, 'accountId') && !LEFT_ALONE.has(key);
    return isOwned ? [{ name: collection.name, filter: { accountId } }] : [];
  });
  const bursts = { _id: { $gte: `${accountId}:`, $lt: `${accountId};` } };
  return [
    ...named,
    { name: accountVariables.collection.name, filter: { _id: accountId } },
    { name: alertRoutes.collection.name, filter: { _id: accountId } },
    { name: alertBursts.collection.name, filter: bursts },
  ];
}
