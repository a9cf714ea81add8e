/** Tests which requests start, wait or are refused, with a clock that the test moves. */
import express, { type Response } from 'express';
import request from 'supertest';
import { createLoadShedding } from '../../../src/api/server/shed-load';
import { type AdmissionBounds, createAdmission } from '../../../src/platform/admission/admission';
import { createRandom } from '../../support/random';
import { waitUntil } from '../../support/wait-until';

const BOUNDS = { atOnce: 2, waitingMax: 3, waitMaxMs: 1_000 };

function admissionAt(start = 0, bounds: AdmissionBounds = BOUNDS) {
  const clock = { nowMs: start };
  const outcomes: (string | undefined)[] = [];
  const leaves: (() => void)[] = [];
  const admit = createAdmission(bounds, () => clock.nowMs);
  let count = 0;
  /**
   * Sends a request. `outcomes` contains its outcome in the order of requests. The outcome is undefined while the
   * request waits.
   */
  const ask = (group?: string): void => {
    const index = count;
    count += 1;
    outcomes[index] = undefined;
    void admit(group).then((leave) => {
      outcomes[index] = leave === null ? 'refused' : 'begun';
      if (leave !== null) leaves[index] = leave;
    });
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { clock, outcomes, ask, settle, end: (index: number) => leaves[index]?.() };
}

test('a limited number of requests runs at the same time, some further requests wait in order, and the rest are refused', async () => {
  const { ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 6; index += 1) ask();
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', undefined, undefined, undefined, 'refused']);
  end(0);
  await settle();
  expect(outcomes.slice(2, 5)).toEqual(['begun', undefined, undefined]);
  ask();
  await settle();
  expect(outcomes[6]).toBeUndefined();
});

test('a request that has waited too long for a slot is refused when its turn comes', async () => {
  const { clock, ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 4; index += 1) ask();
  clock.nowMs = 1_000;
  ask();
  clock.nowMs = 1_001;
  ask();
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', undefined, undefined, undefined, 'refused']);
  end(1);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'refused', 'refused', 'begun', 'refused']);
});

test('all slots are free again once all admitted requests have ended, even after refusals', async () => {
  const { clock, ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 6; index += 1) ask();
  await settle();
  clock.nowMs = 5_000;
  end(0);
  end(1);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'refused', 'refused', 'refused', 'refused']);
  for (let index = 6; index < 9; index += 1) ask();
  await settle();
  expect(outcomes.slice(6)).toEqual(['begun', 'begun', undefined]);
});

test('a request whose end is reported twice frees only one slot', async () => {
  const { ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 4; index += 1) ask();
  await settle();
  end(0);
  end(0);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'begun', undefined]);
});

const SHARED = { atOnce: 8, shareOfFree: 1 / 2, waitingMax: 20, waitMaxMs: 1_000 };

test('a group that is alone gets only a share of the free slots, so a request of another group can begin at once', async () => {
  const { ask, settle, end, outcomes } = admissionAt(0, SHARED);
  for (let index = 0; index < 5; index += 1) ask('flood');
  ask('other');
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'begun', undefined, undefined, 'begun']);
  end(0);
  await settle();
  expect(outcomes.slice(3)).toEqual(['begun', undefined, 'begun']);
});

test('the more groups have running requests, the fewer slots each group gets', async () => {
  const { ask, settle, outcomes } = admissionAt(0, SHARED);
  const groups = ['a', 'b', 'c', 'd'];
  for (const group of groups) for (let index = 0; index < 3; index += 1) ask(group);
  await settle();
  const begun = groups.map(
    (_, index) => outcomes.slice(3 * index, 3 * index + 3).filter((one) => one === 'begun').length,
  );
  expect(begun).toEqual([3, 2, 1, 1]);
});

test('the group with the fewest running requests is next, however long requests of other groups have waited', async () => {
  const { ask, clock, settle, end, outcomes } = admissionAt(0, { ...BOUNDS, atOnce: 3 });
  for (let index = 0; index < 4; index += 1) ask('flood');
  clock.nowMs = 100;
  ask('other');
  await settle();
  end(0);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'begun', undefined, 'begun']);
});

test('in a full queue, the group with the most waiting requests gives up its newest request', async () => {
  const { ask, settle, outcomes } = admissionAt();
  for (let index = 0; index < 5; index += 1) ask('flood');
  ask('other');
  ask('other');
  ask('flood');
  await settle();
  const [flooded, others] = [outcomes.slice(2, 5), outcomes.slice(5, 7)];
  expect(flooded).toEqual([undefined, undefined, 'refused']);
  expect(others).toEqual([undefined, 'refused']);
  expect(outcomes[7]).toBe('refused');
});

test('while requests of one group are refused because they would wait too long, another group may still wait', async () => {
  const { clock, ask, settle, outcomes } = admissionAt();
  for (let index = 0; index < 3; index += 1) ask('flood');
  clock.nowMs = 1_001;
  ask('flood');
  ask('other');
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', undefined, 'refused', undefined]);
});

test.each([1, 2, 3])(
  'random requests never exceed the slots, and no slot stays free while a group that may use it waits (seed %i)',
  async (seed) => {
    const random = createRandom(seed);
    const { ask, settle, end, outcomes } = admissionAt(0, { ...SHARED, waitingMax: 1_000 });
    const groupsAsked: string[] = [];
    const ended = new Set<number>();
    for (let step = 0; step < 200; step += 1) {
      const running = outcomes.flatMap((one, index) =>
        one === 'begun' && !ended.has(index) ? [index] : [],
      );
      if (random() < 0.6 || running.length === 0) {
        const group = random() < 0.7 ? 'flood' : `g${Math.floor(random() * 5)}`;
        groupsAsked.push(group);
        ask(group);
      } else {
        const index = running[Math.floor(random() * running.length)] ?? 0;
        ended.add(index);
        end(index);
      }
      await settle();
      const now = outcomes.flatMap((one, index) =>
        one === 'begun' && !ended.has(index) ? [groupsAsked[index]] : [],
      );
      const free = SHARED.atOnce - now.length;
      expect(free).toBeGreaterThanOrEqual(0);
      const idle = outcomes.filter((one, index) => {
        const runs = now.filter((group) => group === groupsAsked[index]).length;
        return one === undefined && free > 0 && (runs === 0 || runs < free * SHARED.shareOfFree);
      });
      expect([step, idle]).toEqual([step, []]);
    }
  },
);

test('clients of one IPv6 network share the limit of a group before they are authenticated', async () => {
  const requests = { atOnce: 9, shareOfFree: 0.1, waitingMax: 0, waitMaxMs: 1_000 };
  const { admitRequests } = createLoadShedding({
    logger: { warn: () => undefined },
    publicUrl: 'http://localhost',
    bounds: { requests, pings: BOUNDS },
  });
  const begun: Response[] = [];
  const app = express()
    .set('trust proxy', true)
    .use(admitRequests, (_request, response) => {
      begun.push(response);
    });
  const ask = (from: string) => request(app).get('/v1/setup').set('X-Forwarded-For', from);
  const first = ask('2001:db8::1').then(({ status }) => status);
  await waitUntil('the first request has begun', () => begun.length === 1);
  expect((await ask('2001:db8::2')).status).toBe(503);
  const other = ask('2001:db8:0:1::1').then(({ status }) => status);
  await waitUntil('the request of another network has begun', () => begun.length === 2);
  for (const response of begun) response.end();
  expect(await Promise.all([first, other])).toEqual([200, 200]);
});
