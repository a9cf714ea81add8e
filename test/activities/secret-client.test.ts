/** Tests how a probe reads secrets while the API goes down and comes back. The test moves the clock. */
import { createSecretClient, SecretsUnavailableError } from '../../src/activities/secret-client';
import type { NamedValue } from '../../src/contracts/definition';
import type { DefinitionReference } from '../../src/contracts/probe-protocol';

const MINUTE_MS = 60_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The definition that names the secrets; any definition of the account will do. */
function of(accountId: string): DefinitionReference {
  return { accountId, kind: 'monitor', id: 'mon_1', revision: 1 };
}

function clientOf(values: Map<string, string>) {
  const state = { nowMs: 0, isAway: false, asked: [] as (readonly string[])[] };
  const fetchSecrets = async ({ accountId }: DefinitionReference, names: readonly string[]) => {
    state.asked.push(names);
    if (state.isAway) throw new Error('away');
    return names.flatMap((name): NamedValue[] => {
      const value = values.get(`${accountId}:${name}`);
      return value === undefined ? [] : [{ name, value }];
    });
  };
  const client = createSecretClient({ internalApi: { fetchSecrets }, now: () => state.nowMs });
  return { state, client };
}

test('a probe reads a secret from the API at most once a minute, even for many concurrent checks', async () => {
  const values = new Map([['acc:a', 'one']]);
  const { state, client } = clientOf(values);
  const all = await Promise.all(Array.from({ length: 20 }, () => client.read(of('acc'), ['a'])));
  expect(all).toEqual(Array(20).fill([{ name: 'a', value: 'one' }]));
  values.set('acc:a', 'two');
  state.nowMs = MINUTE_MS - 1;
  expect(await client.read(of('acc'), ['a'])).toEqual([{ name: 'a', value: 'one' }]);
  state.nowMs = MINUTE_MS;
  expect(await client.read(of('acc'), ['a'])).toEqual([{ name: 'a', value: 'two' }]);
  expect(state.asked).toEqual([['a'], ['a']]);
});

test('each account has its own cached secrets, and deleted secrets leave the cache', async () => {
  const values = new Map([['acc:a', 'one']]);
  const { state, client } = clientOf(values);
  expect(await client.read(of('acc'), ['a', 'b'])).toEqual([{ name: 'a', value: 'one' }]);
  expect(await client.read(of('other'), ['a'])).toEqual([]);
  values.clear();
  state.nowMs = MINUTE_MS;
  expect(await client.read(of('acc'), ['a'])).toEqual([]);
});

test('secrets cached by a probe stay usable for 15 minutes while the API is away', async () => {
  const { state, client } = clientOf(new Map([['acc:a', 'one']]));
  await client.read(of('acc'), ['a']);
  state.isAway = true;
  for (const nowMs of [MINUTE_MS, MINUTE_MS + 1_000, 15 * MINUTE_MS - 1]) {
    state.nowMs = nowMs;
    expect(await client.read(of('acc'), ['a'])).toEqual([{ name: 'a', value: 'one' }]);
  }
  expect(state.asked).toHaveLength(3);
  state.nowMs = 15 * MINUTE_MS;
  const reading = client.read(of('acc'), ['a']).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(await reading).toBeInstanceOf(SecretsUnavailableError);
});

test('a read of a secret that is not cached waits while the API restarts', async () => {
  const { state, client } = clientOf(new Map([['acc:a', 'one']]));
  state.isAway = true;
  const reading = client.read(of('acc'), ['a']);
  await jest.advanceTimersByTimeAsync(300);
  state.isAway = false;
  await jest.advanceTimersByTimeAsync(300);
  expect(await reading).toEqual([{ name: 'a', value: 'one' }]);
});

test('the values of many secrets are requested in batches', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const { state, client } = clientOf(new Map(names.map((name) => [`acc:${name}`, name])));
  expect(await client.read(of('acc'), names)).toHaveLength(100);
  expect(state.asked.map(({ length }) => length)).toEqual([40, 40, 20]);
});
