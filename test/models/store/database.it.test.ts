/** Tests the connection and its collections. They are created once, by any process, with strict schemas. */
import { ensureIndexes } from '../../../src/models';
import { connectTo, openTestDatabase, type TestDatabase } from '../test-database';

let opened: TestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
});

afterAll(() => opened?.close());

async function readIndexes(): Promise<Record<string, readonly string[]>> {
  const { connection, models } = opened.database;
  const entries = Object.entries(models).map(async ([key, { collection }]) => {
    const indexes = await connection.collection(collection.name).listIndexes().toArray();
    return [key, indexes.map((index) => String(index.name)).toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('collections and indexes are created once, by any number of concurrent processes', async () => {
  const before = await readIndexes();
  const databases = await Promise.all(
    Array.from({ length: 4 }, () => connectTo(opened.uri, opened.name)),
  );
  await Promise.all(databases.map((database) => ensureIndexes(database)));
  await Promise.all(databases.map((database) => database.close()));
  expect(await readIndexes()).toEqual(before);
  expect(before).toMatchObject({
    results: ['_id_', 's_1__id_1'],
    users: [
      '_id_',
      'accountId_1__id_-1',
      'accountId_1_email_1',
      'accountId_1_personId_1',
      'first_1',
      'personId_1',
    ],
    statuses: ['_id_', 'accountId_1_changedAtMs_1', 'accountId_1_health_1__id_-1'],
    runs: [
      '_id_',
      'accountId_1_changedAtMs_1',
      'accountId_1_scenarioId_1__id_-1',
      'accountId_1_scenarioId_1_status_1__id_-1',
      'finished_1__id_1',
    ],
  });
});

test('an index of an earlier release is dropped, by any number of concurrent processes', async () => {
  const before = await readIndexes();
  const { collection } = opened.database.models.statusPages;
  const partialFilterExpression = { 'domains.host': { $exists: true } };
  await opened.database.connection
    .collection(collection.name)
    .createIndex({ 'domains.host': 1 }, { unique: true, partialFilterExpression });
  expect((await readIndexes())['statusPages']).toContain('domains.host_1');
  await Promise.all([ensureIndexes(opened.database), ensureIndexes(opened.database)]);
  expect(await readIndexes()).toEqual(before);
});

test('the collection of results is clustered by the result id', async () => {
  const [results] = await opened.database.connection
    .getClient()
    .db(opened.name)
    .listCollections({ name: 'results' })
    .toArray();
  expect(results).toMatchObject({ options: { clusteredIndex: { key: { _id: 1 }, unique: true } } });
});

test('a field that is in no schema is refused in documents and in filters', async () => {
  const { users } = opened.database.models;
  const unknown = JSON.parse('{"_id":"usr_x","isRoot":true}');
  await expect(users.create([unknown])).rejects.toThrow(/isRoot/);
  await expect(users.findOne(unknown)).rejects.toThrow(/isRoot/);
});

test('a query operator that does not come from the code of the service is refused', async () => {
  const { statuses } = opened.database.models;
  const smuggled = JSON.parse('{"lastSlotMs":{"$gt":-5}}');
  await expect(statuses.findOne(smuggled)).rejects.toThrow(/Cast to Number failed/);
});
