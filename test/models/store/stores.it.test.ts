/** Tests the stores of accounts, people, keys, definitions, runs and regions. */
import fc from 'fast-check';
import type { JsonValue } from '../../../src/contracts/definition';
import type { RunRecord } from '../../../src/contracts/records';
import type { ApiKey } from '../../../src/models/accounts/api-keys';
import type { User } from '../../../src/models/accounts/users';
import type { RunQuery } from '../../../src/models/results/runs';
import { propertyOptions } from '../../support/property-runs';
import {
  FIRST_SLOT_MS,
  monitorRow,
  newId,
  pendingStatus,
  runRecord,
  scenarioRow,
  scenarioStep,
  stepDefinition,
} from '../example-records';
import { withStores } from '../with-stores';

const MINUTE_MS = 60_000;

const db = withStores();

function userRow(accountId: string): User {
  const id = newId('user');
  const email = `${id}@example.com`;
  const createdAtMs = FIRST_SLOT_MS;
  const times = { createdAtMs, joinedAtMs: createdAtMs };
  return { id, accountId, personId: newId('person'), email, role: 'owner', ...times };
}

function apiKeyRow(accountId: string): ApiKey {
  const id = newId('apiKey');
  return {
    id,
    accountId,
    name: 'CI',
    hash: `hash of ${id}`,
    prefix: 'kw_abcd',
    last4: 'wxyz',
    scopes: ['read', 'write'],
    expiresAtMs: null,
    revokedAtMs: null,
    createdAtMs: FIRST_SLOT_MS,
    lastUsedAtMs: null,
  };
}

describe('accounts', () => {
  test('parallel first set-ups share one account, and exactly one person becomes the owner', async () => {
    expect(await db.stores.users.isFirstPresent()).toBe(false);
    const accounts = Array.from({ length: 20 }, () => ({
      id: newId('account'),
      name: 'Shop',
      plan: 'business' as const,
      createdAtMs: FIRST_SLOT_MS,
    }));
    const got = await Promise.all(
      accounts.map((account) => db.stores.accounts.createFirst(account)),
    );
    const ids = new Set(got.map(({ id }) => id));
    expect(ids.size).toBe(1);
    const found = await Promise.all(accounts.map(({ id }) => db.stores.accounts.find(id)));
    expect(found.filter((account) => account !== null)).toEqual([got[0]]);

    expect(await db.stores.users.isFirstPresent()).toBe(false);
    const owners = Array.from({ length: 20 }, () => userRow([...ids][0] ?? ''));
    const won = await Promise.all(
      owners.map((owner) => db.stores.users.createFirst(owner.accountId, owner)),
    );
    expect(won.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await db.stores.users.isFirstPresent()).toBe(true);
  });
});

describe('people and keys', () => {
  test('a member is found by id and by email, and an account has each person and email only once', async () => {
    const user = userRow(newId('account'));
    const { accountId, email, personId } = user;
    await db.stores.users.create(accountId, user);
    expect(await db.stores.users.find(accountId, user.id)).toEqual(user);
    expect(await db.stores.users.findByEmail(accountId, email)).toEqual(user);
    expect(await db.stores.users.findByEmail(accountId, 'nobody@example.com')).toBeNull();
    for (const same of [{ email }, { personId }]) {
      const second = { ...userRow(accountId), ...same };
      const creating = db.stores.users.create(accountId, second);
      await expect(creating).rejects.toMatchObject({ code: 'key_taken' });
    }
    const elsewhere = { ...userRow(newId('account')), email, personId };
    await db.stores.users.create(elsewhere.accountId, elsewhere);
    expect(await db.stores.users.listOfPerson(personId)).toEqual(
      [user, elsewhere].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    );
  });

  test('parallel callers get the same person for an email address, and keep the first password', async () => {
    const email = `${newId('person')}@example.com`;
    const drafts = Array.from({ length: 20 }, (_, index) => ({
      id: newId('person'),
      email,
      passwordHash: `$argon2id$${index}`,
      createdAtMs: FIRST_SLOT_MS,
    }));
    const got = await Promise.all(drafts.map((draft) => db.stores.people.ensure(draft)));
    expect(new Set(got.map(({ id }) => id)).size).toBe(1);
    const [person] = got;
    expect(drafts).toContainEqual(person);
    expect(await db.stores.people.findByEmail(email)).toEqual(person);
    await db.stores.people.setPassword(person?.id ?? '', 'other');
    expect(await db.stores.people.remove(person?.id ?? '')).toMatchObject({
      passwordHash: 'other',
    });
    expect(await db.stores.people.find(person?.id ?? '')).toBeNull();
  });

  test('an API key is found by its hash, and its last use is written at most once a minute', async () => {
    const key = apiKeyRow(newId('account'));
    const { accountId, id, hash } = key;
    const lastUse = async () => (await db.stores.apiKeys.findByHash(hash))?.lastUsedAtMs;
    await db.stores.apiKeys.create(accountId, key);
    expect(await db.stores.apiKeys.findByHash(hash)).toEqual(key);
    expect(await db.stores.apiKeys.findByHash('another')).toBeNull();
    await db.stores.apiKeys.touch(accountId, id, FIRST_SLOT_MS);
    expect(await lastUse()).toBe(FIRST_SLOT_MS);
    await db.stores.apiKeys.touch(accountId, id, FIRST_SLOT_MS + MINUTE_MS);
    expect(await lastUse()).toBe(FIRST_SLOT_MS);
    await db.stores.apiKeys.touch(accountId, id, FIRST_SLOT_MS + MINUTE_MS + 1);
    expect(await lastUse()).toBe(FIRST_SLOT_MS + MINUTE_MS + 1);
  });

  test('a session is found by its hash until it is removed, and its last use never moves back', async () => {
    const accountId = newId('account');
    const hash = `hash of ${newId('request')}`;
    const times = { createdAtMs: FIRST_SLOT_MS, lastSeenAtMs: FIRST_SLOT_MS };
    const personId = newId('person');
    const session = { hash, personId, accountId, userId: newId('user'), ...times };
    await db.stores.sessions.create(session);
    await db.stores.sessions.touch(personId, hash, FIRST_SLOT_MS + 2 * MINUTE_MS);
    await db.stores.sessions.touch(personId, hash, FIRST_SLOT_MS);
    expect(await db.stores.sessions.findByHash(hash)).toEqual({
      ...session,
      lastSeenAtMs: FIRST_SLOT_MS + 2 * MINUTE_MS,
    });
    await db.stores.sessions.remove(personId, hash);
    expect(await db.stores.sessions.findByHash(hash)).toBeNull();
  });
});

describe('definitions', () => {
  const hostile: JsonValue = JSON.parse(
    '{"a.b":1,"$where":"x","__proto__":{"admin":true},"":null,"deep":[[{"$set":[]}]]}',
  );

  test('a monitor is read back unchanged, for any JSON that it contains', async () => {
    const accountId = newId('account');
    const assertion = {
      type: 'jsonPath',
      path: '$.x',
      match: 'first',
      operator: 'equals',
      value: hostile,
      severity: 'fail',
    } as const;
    const step = stepDefinition({ body: hostile, assertions: [assertion] });
    const monitor = monitorRow(accountId, { step, quorum: 'majority', key: 'shop', group: 'a/b' });
    await db.stores.monitors.create(accountId, monitor);
    const found = await db.stores.monitors.find(accountId, monitor.id);
    expect(found).toEqual(monitor);
    expect(JSON.stringify(found?.step)).toBe(JSON.stringify(monitor.step));
  });

  test('a scenario is read back unchanged', async () => {
    const accountId = newId('account');
    const scenario = scenarioRow(accountId, { steps: [scenarioStep({ body: hostile })] });
    await db.stores.scenarios.create(accountId, scenario);
    expect(await db.stores.scenarios.find(accountId, scenario.id)).toEqual(scenario);
  });

  test('a revision never changes', async () => {
    const accountId = newId('account');
    const id = newId('monitor');
    const definition = {
      kind: 'monitor',
      id,
      revision: 2,
      variables: [],
      steps: [stepDefinition()],
    } as const;
    await db.stores.revisions.save(accountId, definition);
    await db.stores.revisions.save(accountId, { ...definition, steps: [] });
    expect(await db.stores.revisions.find(accountId, 'monitor', id, 2)).toEqual(definition);
    expect(await db.stores.revisions.find(accountId, 'scenario', id, 2)).toBeNull();
    expect(await db.stores.revisions.find(accountId, 'monitor', id, 1)).toBeNull();
  });

  test('a key of a definition is unique per account and kind, and can be used again once no definition has the key', async () => {
    const accountId = newId('account');
    const first = monitorRow(accountId, { key: 'shop' });
    const second = monitorRow(accountId, { key: 'shop' });
    const other = newId('account');
    await db.stores.monitors.create(accountId, first);
    const refusal = { code: 'key_taken' };
    await expect(db.stores.monitors.create(accountId, second)).rejects.toMatchObject(refusal);
    await db.stores.monitors.create(other, monitorRow(other, { key: 'shop' }));
    await db.stores.monitors.create(accountId, { ...second, key: 'till' });
    const renamed = { ...second, key: 'shop', version: 2 };
    await expect(db.stores.monitors.replace(accountId, renamed, 1)).rejects.toMatchObject(refusal);
    expect(
      await db.stores.monitors.replace(accountId, { ...first, key: null, version: 2 }, 1),
    ).toBe(true);
    expect(await db.stores.monitors.replace(accountId, renamed, 1)).toBe(true);
    expect(await db.stores.monitors.find(accountId, second.id)).toEqual(renamed);
  });

  test('exactly one of fifty writers with the same expected version succeeds', async () => {
    const accountId = newId('account');
    const monitor = monitorRow(accountId);
    await db.stores.monitors.create(accountId, monitor);
    const edits = Array.from({ length: 50 }, (_, edit) => ({
      ...monitor,
      version: 2,
      name: `edit ${edit}`,
    }));
    const won = await Promise.all(
      edits.map((edit) => db.stores.monitors.replace(accountId, edit, 1)),
    );
    expect(won.filter((isWinner) => isWinner)).toHaveLength(1);
    expect(await db.stores.monitors.find(accountId, monitor.id)).toEqual(edits[won.indexOf(true)]);
  });

  test('lists of monitors are newest first, and the next page continues after the last id', async () => {
    const accountId = newId('account');
    const rows = Array.from({ length: 7 }, (_, minute) =>
      monitorRow(accountId, { createdAtMs: FIRST_SLOT_MS + minute * MINUTE_MS }),
    );
    await Promise.all(rows.map((row) => db.stores.monitors.create(accountId, row)));
    const first = await db.stores.monitors.list(accountId, { limit: 4, beforeId: null });
    expect(first.hasMore).toBe(true);
    const beforeId = first.items.at(-1)?.id ?? null;
    const rest = await db.stores.monitors.list(accountId, { limit: 4, beforeId });
    expect(rest.hasMore).toBe(false);
    expect([...first.items, ...rest.items]).toEqual(rows.toReversed());
  });

  test('statuses are created once and can be found for many resources at a time', async () => {
    const accountId = newId('account');
    const statuses = [newId('monitor'), newId('monitor')].map((id) => pendingStatus(accountId, id));
    for (const status of statuses) await db.stores.statuses.create(accountId, status);
    const [first] = statuses;
    if (first !== undefined)
      await db.stores.statuses.create(accountId, { ...first, health: 'down' });
    const ids = [...statuses.map(({ id }) => id), newId('monitor')];
    const found = await db.stores.statuses.findMany(accountId, ids);
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining(
        statuses.map((status) => ({
          ...status,
          currentIncidentId: null,
          summarisedUntilMs: FIRST_SLOT_MS,
          inMaintenance: false,
          changedAtMs: 0,
        })),
      ),
    );
    expect(await db.stores.statuses.findMany(accountId, [])).toEqual([]);
  });
});

describe('runs', () => {
  const runs = fc.record({
    minute: fc.nat({ max: 3 * 24 * 60 }),
    region: fc.constantFrom('eu-west', 'us-east'),
    status: fc.constantFrom('passed', 'failed', 'running'),
    trigger: fc.constantFrom('schedule', 'manual'),
  });
  const instants = fc.nat({ max: 3 * 24 * 60 }).map((minute) => FIRST_SLOT_MS + minute * MINUTE_MS);
  const seldom = <Value>(values: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });
  const filters = fc.record({
    fromMs: seldom(instants),
    toMs: seldom(instants),
    region: seldom(fc.constantFrom('eu-west', 'us-east')),
    status: seldom(fc.subarray(['passed', 'failed', 'running'] as const, { minLength: 1 })),
    isOldestFirst: fc.boolean(),
    trigger: seldom(fc.constantFrom('schedule', 'manual')),
    limit: fc.integer({ min: 1, max: 10 }),
  });

  function isFound(run: RunRecord, query: Omit<RunQuery, 'scenarioId' | 'beforeId'>): boolean {
    return (
      (query.fromMs === null || run.slotMs >= query.fromMs) &&
      (query.toMs === null || run.slotMs < query.toMs) &&
      (query.region === null || run.region === query.region) &&
      (query.status === null || query.status.includes(run.status)) &&
      (query.trigger === null || run.trigger === query.trigger)
    );
  }

  test('the pages of a filtered list together contain all its runs, newest or oldest first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(runs, { maxLength: 25, size: 'max' }),
        filters,
        async (drafts, filter) => {
          const ids = { accountId: newId('account'), scenarioId: newId('scenario') };
          const records = drafts.map(({ minute, ...draft }) =>
            runRecord({ ...ids, ...draft, slotMs: FIRST_SLOT_MS + minute * MINUTE_MS }),
          );
          await Promise.all(records.map((run) => db.stores.runs.save(ids.accountId, run)));
          const read: RunRecord[] = [];
          let hasMore = true;
          while (hasMore) {
            const beforeId = read.at(-1)?.runId ?? null;
            const query = { ...filter, scenarioId: ids.scenarioId, beforeId };
            const page = await db.stores.runs.page(ids.accountId, query);
            read.push(...page.items);
            hasMore = page.hasMore;
          }
          const expected = records.filter((run) => isFound(run, filter));
          const newestFirst = expected.toSorted((one, other) => (one.runId < other.runId ? 1 : -1));
          expect(read).toEqual(filter.isOldestFirst ? newestFirst.toReversed() : newestFirst);
        },
      ),
      propertyOptions(40),
    );
  });
});

describe('regions', () => {
  test('a region lists every probe that reports, even concurrently, and drops silent probes', async () => {
    const probes = Array.from({ length: 20 }, (_, probe) => `probe-${probe}`);
    const find = async (region: string) =>
      (await db.stores.regions.list()).find((row) => row.region === region);
    await Promise.all(
      probes.map((identity) => db.stores.regions.hello('eu-west', identity, FIRST_SLOT_MS)),
    );
    await db.stores.regions.hello('us-east', 'lonely', FIRST_SLOT_MS);
    const full = await find('eu-west');
    expect(full?.identities.map(({ identity }) => identity).toSorted()).toEqual(probes.toSorted());

    const laterMs = FIRST_SLOT_MS + 5 * MINUTE_MS + 1;
    await db.stores.regions.hello('eu-west', 'probe-0', laterMs);
    expect(await find('eu-west')).toEqual({
      region: 'eu-west',
      lastSeenAtMs: laterMs,
      identities: [
        {
          identity: 'probe-0',
          lastSeenAtMs: laterMs,
          networkSuspectSinceMs: null,
          release: null,
          keyId: null,
        },
      ],
    });
    expect(await find('us-east')).toMatchObject({ lastSeenAtMs: FIRST_SLOT_MS });
    expect(await db.database.models.regionProbes.countDocuments({})).toBe(2);

    // These reports are from a clock that was an hour ahead for a while.
    await db.stores.regions.hello('us-east', 'gone', FIRST_SLOT_MS + 60 * MINUTE_MS);
    await db.stores.regions.hello('us-east', 'lonely', FIRST_SLOT_MS + 60 * MINUTE_MS);
    await db.stores.regions.hello('us-east', 'lonely', FIRST_SLOT_MS + MINUTE_MS);
    expect(await find('us-east')).toMatchObject({
      lastSeenAtMs: FIRST_SLOT_MS + MINUTE_MS,
      identities: [{ identity: 'lonely', lastSeenAtMs: FIRST_SLOT_MS + MINUTE_MS }],
    });
  });
});
