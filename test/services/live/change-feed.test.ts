/** Tests the feed of live changes, on a fake database. */
import { setImmediate } from 'node:timers/promises';
import type { LiveChange, StoredChange } from '../../../src/models/operations/changes';
import { createChangeFeed, LISTENERS_MAX } from '../../../src/services/live/change-feed';

const ACCOUNT = 'acc_1';
const START_MS = 1_000_000;

function changed(id: string, atMs: number, mark = `${atMs}`): StoredChange {
  return { change: { kind: 'incident', id }, atMs, mark };
}

/** Opens a feed. The test runs its polling rounds. */
function openFeed() {
  const asked: { readonly accountId: string; readonly fromMs: number }[] = [];
  const troubles: unknown[] = [];
  const clock = { nowMs: START_MS };
  const database = { isAway: false, stored: [] as StoredChange[] };
  const sleepers: (() => void)[] = [];
  const feed = createChangeFeed({
    changes: {
      since: async (accountId, fromMs) => {
        asked.push({ accountId, fromMs });
        if (database.isAway) throw new Error('away');
        return database.stored.filter(({ atMs }) => atMs >= fromMs);
      },
    },
    clock: { now: () => clock.nowMs },
    sleep: () =>
      new Promise((resolve) => {
        sleepers.push(resolve);
      }),
    onTrouble: (error) => troubles.push(error),
  });
  const nextRound = async (afterMs = 1_000): Promise<void> => {
    clock.nowMs += afterMs;
    for (const wake of sleepers.splice(0)) wake();
    await setImmediate();
  };
  const listen = async (accountId = ACCOUNT) => {
    const told: string[] = [];
    const ends: string[] = [];
    const onChange = (change: LiveChange) => told.push(change.id);
    const stop = feed.listen(accountId, { onChange, onEnd: () => ends.push(accountId) });
    await setImmediate();
    return { told, ends, stop };
  };
  return { feed, asked, troubles, clock, database, nextRound, listen };
}

it('the change feed does not query the database while it has no listeners', async () => {
  const { asked, nextRound, listen } = openFeed();
  await nextRound();
  expect(asked).toHaveLength(0);
  const { stop } = await listen();
  expect(asked).toHaveLength(1);
  stop();
  await nextRound();
  await nextRound();
  expect(asked).toHaveLength(1);
  await listen();
  expect(asked).toHaveLength(2);
});

it('the change feed sends one query per round and account, for any number of listeners', async () => {
  const { asked, nextRound, listen } = openFeed();
  for (const account of [ACCOUNT, ACCOUNT, ACCOUNT, 'acc_2']) await listen(account);
  asked.length = 0;
  await nextRound();
  expect(asked.map(({ accountId }) => accountId)).toEqual([ACCOUNT, 'acc_2']);
});

it('the change feed sends each change once, even a change with a time some seconds in the past', async () => {
  const { database, nextRound, listen } = openFeed();
  database.stored = [changed('a', START_MS)];
  const { told } = await listen();
  await nextRound();
  expect(told).toEqual(['a']);
  database.stored.push(changed('late', START_MS - 4_000), changed('early', START_MS + 60_000));
  await nextRound();
  await nextRound();
  expect(told).toEqual(['a', 'late', 'early']);
  database.stored.push(changed('a', START_MS + 2_000, 'again'));
  database.stored.shift();
  await nextRound();
  expect(told).toEqual(['a', 'late', 'early', 'a']);
});

it('a new listener of the change feed gets the changes of the last seconds', async () => {
  const { database, listen } = openFeed();
  database.stored = [changed('just-before', START_MS - 1_000), changed('old', START_MS - 30_000)];
  await listen();
  expect((await listen()).told).toEqual(['just-before']);
});

it('the change feed misses no change while the database is away, and logs the problem once', async () => {
  const { database, troubles, nextRound, listen } = openFeed();
  const { told } = await listen();
  database.isAway = true;
  for (let round = 0; round < 30; round += 1) await nextRound();
  database.stored = [changed('meanwhile', START_MS + 3_000)];
  database.isAway = false;
  await nextRound();
  expect(told).toEqual(['meanwhile']);
  expect(troubles).toHaveLength(1);
});

it('the 51st listener of an account to the change feed is refused until another listener has left', async () => {
  const { feed, listen } = openFeed();
  const { stop } = await listen();
  for (let count = 1; count < LISTENERS_MAX; count += 1) await listen();
  const nobody = { onChange: () => undefined, onEnd: () => undefined };
  expect(() => feed.listen(ACCOUNT, nobody)).toThrow('50 streams');
  expect(() => feed.listen('acc_2', nobody)).not.toThrow();
  stop();
  expect(() => feed.listen(ACCOUNT, nobody)).not.toThrow();
});

it('a closed change feed ends all listeners and accepts no new listeners', async () => {
  const { feed, nextRound, asked, listen } = openFeed();
  const { ends } = await listen();
  feed.close();
  expect(ends).toEqual([ACCOUNT]);
  asked.length = 0;
  await nextRound();
  expect(asked).toHaveLength(0);
  await expect(listen()).rejects.toThrow('stopping');
});
