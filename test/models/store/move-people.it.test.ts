/**
 * Tests that a service moves the users of an earlier release to people and members at its start. In the earlier
 * release, each user had a password.
 */
import { createStores, ensureIndexes } from '../../../src/models';
import { newId } from '../example-records';
import { connectTo, openTestDatabase, type TestDatabase } from '../test-database';

let opened: TestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
});

afterAll(() => opened?.close());

test('users of an earlier release keep their passwords, sessions and links when they become people', async () => {
  const { database } = opened;
  const stores = createStores(database);
  const { users, sessions, passwordTokens, people } = database.models;
  const accountId = newId('account');
  const [active, invited] = [newId('user'), newId('user')];
  const created = { accountId, role: 'owner', createdAtMs: 5 };
  await users.collection.insertMany([
    { _id: active, ...created, email: 'active@example.com', passwordHash: 'phc', first: true },
    { _id: invited, ...created, email: 'invited@example.com', passwordHash: null },
  ] as never[]);
  const ofActive = { accountId, userId: active, createdAtMs: 6 };
  await sessions.collection.insertOne({ _id: 'session', ...ofActive, lastSeenAtMs: 7 } as never);
  await passwordTokens.collection.insertMany([
    { _id: 'requested', ...ofActive, createdBy: null, expiresAtMs: 9 },
    { _id: 'added', ...ofActive, userId: invited, createdBy: active, expiresAtMs: 9 },
  ] as never[]);
  const others = await Promise.all([1, 2].map(() => connectTo(opened.uri, opened.name)));
  await Promise.all([database, ...others].map((each) => ensureIndexes(each)));

  const person = await stores.people.findByEmail('active@example.com');
  expect(person).toMatchObject({ passwordHash: 'phc', createdAtMs: 5 });
  const personId = person?.id ?? '';
  expect(await stores.users.find(accountId, active)).toEqual({
    ...created,
    id: active,
    personId,
    email: 'active@example.com',
    joinedAtMs: 5,
  });
  expect(await stores.users.find(accountId, invited)).toBeNull();
  expect(await stores.sessions.listForPerson(personId)).toMatchObject([{ hash: 'session' }]);
  const requested = await stores.passwordTokens.findByHash('requested');
  expect(requested).toMatchObject({ personId });
  expect(await stores.passwordTokens.findByHash('added')).toBeNull();
  expect(await stores.invitations.findByHash('added')).toMatchObject({
    accountId,
    email: 'invited@example.com',
    role: 'owner',
    createdBy: active,
    memberId: invited,
    expiresAtMs: 9,
  });
  expect(await people.countDocuments({})).toBe(2);

  // A later start must not overwrite a password that was changed after the move.
  await stores.people.setPassword(personId, 'changed');
  await Promise.all([database, ...others].map((each) => ensureIndexes(each)));
  expect(await stores.people.find(personId)).toMatchObject({ passwordHash: 'changed' });
  await Promise.all(others.map((each) => each.close()));
});

test('users of an earlier release who have not accepted become invitations, or are deleted if they have no link', async () => {
  const { database } = opened;
  const stores = createStores(database);
  const { users, passwordTokens } = database.models;
  const [accountId, personId] = [newId('account'), newId('person')];
  const [joined, invited, forgotten] = [newId('user'), newId('user'), newId('user')];
  const place = { accountId, role: 'viewer', createdAtMs: 5 };
  await users.collection.insertMany([
    { _id: joined, ...place, personId, email: 'joined@example.com', joinedAtMs: 5 },
    { _id: invited, ...place, personId: newId('person'), email: 'a@example.com', joinedAtMs: null },
    {
      _id: forgotten,
      ...place,
      personId: newId('person'),
      email: 'b@example.com',
      joinedAtMs: null,
    },
  ] as never[]);
  const link = { accountId, userId: invited, createdBy: joined, expiresAtMs: 9 };
  await passwordTokens.collection.insertMany([
    { _id: 'older', ...link, createdAtMs: 6 },
    { _id: 'newer', ...link, createdAtMs: 7 },
  ] as never[]);
  // These links are invitations. They set no password, even before they are moved.
  expect(await stores.passwordTokens.findByHash('newer')).toBeNull();
  for (const _start of [1, 2]) await ensureIndexes(database);

  const { items } = await stores.users.list(accountId, { limit: 10, beforeId: null });
  expect(items.map(({ id }) => id)).toEqual([joined]);
  const open = await stores.invitations.list(accountId, { limit: 10, beforeId: null, nowMs: 0 });
  expect(open.items).toMatchObject([{ hash: 'newer', memberId: invited, role: 'viewer' }]);
  expect(await passwordTokens.countDocuments({ accountId })).toBe(0);
});
