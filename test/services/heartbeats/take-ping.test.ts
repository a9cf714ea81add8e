/** Tests that the text of a ping is processed after the response was sent. */
import { findPingedJob, takePing } from '../../../src/services/heartbeats/take-ping';
import { createTextPool } from '../../../src/text/text-pool';
import { BUSY, type RunTextJob } from '../../../src/text/text-task';

const pool = createTextPool();
afterAll(() => pool.close());

type Needs = Parameters<typeof takePing>[0];
const PATTERN = { matches: 'FAIL(ED|URE)' } as const;

function openPings({ runTextJob = pool.run }: { readonly runTextJob?: RunTextJob } = {}) {
  const stored: { readonly text: string | null; readonly failedOn: string | null }[] = [];
  // Contains only the stores that the test uses.
  const needs = {
    stores: {
      // Counts this request as the first try of its network, which is not delayed.
      failedSignIns: { countFree: async () => ({ tries: 1 }) },
      monitors: { findByPing: async () => null },
      pings: {
        insert: async (_account: string, ping: (typeof stored)[number]) => stored.push(ping),
      },
    },
    clock: { now: () => 1 },
    newId: () => 'ping_1',
    runTextJob,
    readSecretValues: async () => ({ id: 'one', values: ['hunter2hunter2'] }),
  } as unknown as Needs;
  return { needs, stored };
}

const JOB = {
  accountId: 'acc_1',
  monitorId: 'mon_1',
  failOn: [PATTERN, { contains: 'boom' }],
  atMs: 1,
};

function pingWith(text: string) {
  return { kind: 'success', exitCode: null, runId: '', onceKey: null, text } as const;
}

test('a ping with an unknown token is refused', async () => {
  const { needs } = openPings();
  const asked = findPingedJob(needs, { token: 't', address: '192.0.2.1' });
  await expect(asked).rejects.toMatchObject({ code: 'not_found' });
});

test('the text of a ping is searched for secrets and patterns in worker threads', async () => {
  const kinds: string[] = [];
  const runTextJob: RunTextJob = (job) => {
    kinds.push(...job.tasks.map(({ kind }) => kind));
    return pool.run(job);
  };
  const { needs, stored } = openPings({ runTextJob });
  const taken = await takePing(needs, JOB, pingWith('FAILED with hunter2hunter2'));
  expect(taken.isFailure).toBe(true);
  expect(stored).toMatchObject([{ text: 'FAILED with ***', failedOn: 'matches "FAIL(ED|URE)"' }]);
  expect(kinds).toEqual(['redaction', 'pattern']);
});

test('a failure pattern that takes too long counts as a match', async () => {
  const runTextJob: RunTextJob = async ({ tasks }) =>
    tasks.map(({ kind }) => ({ problem: `${kind}_too_slow: it took longer than 100 ms` }));
  const { needs, stored } = openPings({ runTextJob });
  await takePing(needs, JOB, pingWith('fine'));
  const failedOn = 'could not be searched for "FAIL(ED|URE)" in time';
  expect(stored).toMatchObject([{ text: null, failedOn }]);
});

test('an overloaded service stores nothing and asks the job to resend its ping', async () => {
  const runTextJob: RunTextJob = async ({ tasks }) => tasks.map(() => BUSY);
  const { needs, stored } = openPings({ runTextJob });
  await expect(takePing(needs, JOB, pingWith('fine'))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 5,
  });
  expect(stored).toEqual([]);
});
