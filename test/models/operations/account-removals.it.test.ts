/** Tests that deleting an account leaves nothing of it in any collection, and leaves everything of other accounts. */
import { createAccountRemovals, createHousekeeping } from '../../../src/models';
import { matchAny } from '../../../src/models/store/filters';
import type { Clock } from '../../../src/platform/clock';
import { removeAccounts } from '../../../src/services/operations/accounts/remove-accounts';
import { FIRST_SLOT_MS, newId } from '../example-records';
import { withStores } from '../with-stores';

let nowMs = FIRST_SLOT_MS;
const clock: Clock = { now: () => nowMs };
const db = withStores(clock);
const ended: string[] = [];
let failsAfter = Number.POSITIVE_INFINITY;

/** Creates one document in every collection, with a value in every field that could be unique. */
async function fillAccount(accountId: string): Promise<void> {
  const { models, connection } = db.database;
  const monitorId = newId('monitor');
  const [rolloutId, pageId, keyId] = [newId('rollout'), newId('statusPage'), newId('apiKey')];
  for (const { collection, schema } of Object.values(models)) {
    const { paths }: { readonly paths: Readonly<Record<string, { readonly instance: string }>> } =
      schema;
    const filled = Object.entries(paths).flatMap(([path, { instance }]) =>
      instance === 'String' && !path.includes('.') ? [[path, `${path} ${newId('request')}`]] : [],
    );
    const isByResource = Object.hasOwn(paths, 'a');
    const isByAccount = Object.hasOwn(paths, 'accountId');
    const ownId = new Map([
      ['accountvariables', accountId],
      ['alertroutes', accountId],
      ['alertbursts', `${accountId}:failure:1`],
      ['accounts', accountId],
      ['monitors', monitorId],
      ['revisions', `${monitorId}:1`],
      ['watches', `${monitorId} eu-west`],
      ['rollouts', rolloutId],
      ['statuspages', pageId],
      ['apikeys', keyId],
      ['quotas', keyId],
    ]).get(collection.name.toLowerCase());
    const wholes = Object.entries({ rolloutId, pageId }).filter(([path]) =>
      Object.hasOwn(paths, path),
    );
    const document = {
      ...Object.fromEntries(filled),
      ...Object.fromEntries(wholes),
      _id: ownId ?? (isByResource ? `${monitorId}:${newId('request')}` : newId('request')),
      ...(isByResource && { a: accountId }),
      ...(isByAccount && { accountId }),
      ...(collection.name === 'removals' && { kind: 'monitor', removedAtMs: nowMs }),
    };
    await connection.collection<{ _id: string }>(collection.name).insertOne(document);
  }
}

/** Counts the documents of each collection that name the account anywhere. */
async function countOwned(accountId: string): Promise<Readonly<Record<string, number>>> {
  const { models, connection } = db.database;
  const counts = await Promise.all(
    Object.values(models).map(async ({ collection: { name } }) => {
      const documents = await connection.collection(name).find({}).toArray();
      const owned = documents.filter((document) => JSON.stringify(document).includes(accountId));
      return [name, owned.length] as const;
    }),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const { signal } = new AbortController();

function pass(): Promise<number> {
  const needs = {
    stores: db.stores,
    clock,
    sleep: async () => undefined,
    accountRemovals: createAccountRemovals(db.database, clock),
    temporal: {
      terminate: async (workflowId: string) => {
        if (ended.length >= failsAfter) throw new Error('the process was killed');
        ended.push(workflowId);
      },
    },
  };
  return removeAccounts(needs, signal);
}

/** Lists the queries that no index of their collection supports. */
async function listScans(): Promise<readonly string[]> {
  const scans = new Set<string>();
  for (const { name, filter } of queries) {
    const indexes = await db.database.connection.collection(name).indexes();
    const fields = Object.keys(filter);
    const hasIndex = indexes.some(({ key }) => fields.includes(Object.keys(key)[0] ?? ''));
    if (!hasIndex && !SMALL.has(name)) scans.add(`${name} by ${fields.join(', ')}`);
  }
  return [...scans];
}

/**
 * Collections that may be scanned. One contains only the current removals, the other has one document for each account.
 */
const SMALL: ReadonlySet<string> = new Set(['accounts', 'removals']);
const queries: { readonly name: string; readonly filter: object }[] = [];

function recordQueries(): void {
  const { connection } = db.database;
  connection.set('debug', (name: string, _method: string, filter: unknown) => {
    if (typeof filter === 'object' && filter !== null) queries.push({ name, filter });
  });
}

test('removing an account leaves nothing of the account, even after a crash, and scans no shared collection', async () => {
  const [gone, kept] = [newId('account'), newId('account')];
  await fillAccount(gone);
  await fillAccount(kept);
  const [before, keptBefore] = [await countOwned(gone), await countOwned(kept)];
  // Collections of the installation and of people are not counted, because they do not belong to an account.
  expect(Object.keys(before).length).toBeGreaterThan(40);
  expect(keptBefore).toEqual(before);

  recordQueries();
  await db.stores.accounts.markDeleted(gone, nowMs);
  expect(await db.stores.accounts.find(gone)).toBeNull();
  failsAfter = 1;
  await expect(pass()).rejects.toThrow('killed');
  failsAfter = Number.POSITIVE_INFINITY;
  for (let minute = 0; minute < 4; minute += 1) {
    nowMs += 61_000;
    await createHousekeeping(db.database, clock).sweepRemovals(60_000);
    await pass();
  }
  expect(await pass()).toBe(0);
  db.database.connection.set('debug', false);
  expect(await countOwned(gone)).toEqual({});
  // The removal that was in progress in this account is complete, so its record is gone.
  expect(await countOwned(kept)).toEqual({ ...keptBefore, removals: undefined });
  expect(await db.stores.accounts.findAny(gone)).toBeNull();
  expect(ended).toContainEqual(expect.stringMatching(/^monitor-mon_/));
  // No query scans a collection, because a scan would slow down all accounts during the deletion.
  expect(queries.length).toBeGreaterThan(100);
  expect(await listScans()).toEqual([]);
});

test('removing an account deletes all its people, even after a crash halfway through a person', async () => {
  const [gone, kept] = [newId('account'), newId('account')];
  for (const accountId of [gone, kept])
    await db.stores.accounts.create({ id: accountId, name: 'x', plan: 'free', createdAtMs: nowMs });
  const people = Array.from({ length: 5 }, () => newId('person'));
  const [stays = ''] = people;
  const place = { email: 'x', role: 'viewer', createdAtMs: nowMs, joinedAtMs: nowMs };
  const { models } = db.database;
  await models.people.insertMany(people.map((_id) => ({ _id, email: _id, createdAtMs: nowMs })));
  const members = people.map((personId) => ({ ...place, _id: newId('user'), personId }));
  await models.users.insertMany(
    members.map((member) => ({ ...member, accountId: gone, email: member.personId })),
  );
  const second = { ...place, id: newId('user'), accountId: kept, personId: stays } as const;
  await db.stores.users.create(kept, { ...second, role: 'viewer' });
  await db.stores.accounts.markDeleted(gone, nowMs);
  // Reduces the page size to two, so that five people fill several pages.
  const { remove, list } = db.stores.users;
  const listTwo: typeof list = (accountId, query) => list(accountId, { ...query, limit: 2 });
  const crash = async () => {
    throw new Error('the process was killed');
  };
  Object.assign(db.stores.users, { remove: crash, list: listTwo });
  await expect(pass()).rejects.toThrow('killed');
  Object.assign(db.stores.users, { remove });
  await pass();
  Object.assign(db.stores.users, { list });
  expect(await models.users.countDocuments({ accountId: gone })).toBe(0);
  const left = await models.people.find({ _id: matchAny(people) });
  expect(left.map(({ _id }) => _id)).toEqual([stays]);
});
