/** What becomes of a ping's text: nobody waits for it, and nothing of it is read for a token that nobody has. */
import { takePing } from '../../../src/services/heartbeats/take-ping';
import { createTextPool } from '../../../src/text/text-pool';
import { BUSY, type RunTexts } from '../../../src/text/text-task';

const pool = createTextPool();
afterAll(() => pool.close());

type Needs = Parameters<typeof takePing>[0];
const PATTERN = { matches: 'FAIL(ED|URE)' } as const;

function houseOf({
  isKnown = true,
  runTexts = pool.run,
}: {
  isKnown?: boolean;
  runTexts?: RunTexts;
} = {}) {
  const stored: { readonly text: string | null; readonly failedOn: string | null }[] = [];
  const target = {
    accountId: 'acc_1',
    monitorId: 'mon_1',
    failOn: [PATTERN, { contains: 'boom' }],
  };
  // A part of the stores is all that is asked.
  const needs = {
    stores: {
      // Counted as the first free try.
      failedSignIns: { countFree: async () => ({ tries: 1 }) },
      monitors: { findByPing: async () => (isKnown ? target : null) },
      pings: {
        insert: async (_account: string, ping: (typeof stored)[number]) => stored.push(ping),
      },
    },
    clock: { now: () => 1 },
    newId: () => 'ping_1',
    runTexts,
    readSecretValues: async () => ({ id: 'one', values: ['hunter2hunter2'] }),
  } as unknown as Needs;
  return { needs, stored };
}

function pingWith(text: string, onRead: () => void = () => undefined) {
  const readText = async () => {
    onRead();
    return text;
  };
  return {
    address: '192.0.2.1',
    token: 't',
    kind: 'success',
    exitCode: null,
    runId: '',
    onceKey: null,
    readText,
  } as const;
}

test('the text of a ping with an unknown token is never read', async () => {
  const { needs } = houseOf({ isKnown: false });
  let reads = 0;
  const sent = pingWith('text', () => {
    reads += 1;
  });
  await expect(takePing(needs, sent)).rejects.toMatchObject({ code: 'not_found' });
  expect(reads).toBe(0);
});

test('secrets and patterns are looked for in worker threads', async () => {
  const kinds: string[] = [];
  const runTexts: RunTexts = (job) => {
    kinds.push(...job.tasks.map(({ kind }) => kind));
    return pool.run(job);
  };
  const { needs, stored } = houseOf({ runTexts });
  const taken = await takePing(needs, pingWith('FAILED with hunter2hunter2'));
  expect(taken.isFailure).toBe(true);
  expect(stored).toMatchObject([{ text: 'FAILED with ***', failedOn: 'matches "FAIL(ED|URE)"' }]);
  expect(kinds).toEqual(['redaction', 'pattern']);
});

test('a pattern that takes too long counts as met, and a text that could not be searched is not kept', async () => {
  const runTexts: RunTexts = async ({ tasks }) =>
    tasks.map(({ kind }) => ({ problem: `${kind}_too_slow: it took longer than 100 ms` }));
  const { needs, stored } = houseOf({ runTexts });
  await takePing(needs, pingWith('fine'));
  const failedOn = 'could not be searched for "FAIL(ED|URE)" in time';
  expect(stored).toMatchObject([{ text: null, failedOn }]);
});

test('while too much is waiting the job is asked to send its ping again, and nothing is stored', async () => {
  const runTexts: RunTexts = async ({ tasks }) => tasks.map(() => BUSY);
  const { needs, stored } = houseOf({ runTexts });
  await expect(takePing(needs, pingWith('fine'))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 5,
  });
  expect(stored).toEqual([]);
});
