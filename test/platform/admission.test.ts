/** Which work starts, waits or is refused, with a clock that the test moves. */
import express, { type Response } from 'express';
import request from 'supertest';
import { createLoadShedding } from '../../src/api/server/shed-load';
import { type AdmissionBounds, createAdmission } from '../../src/platform/admission';
import { waitUntil } from '../support/wait-until';

const BOUNDS = { atOnce: 2, waitingMax: 3, waitMaxMs: 1_000 };

function admissionAt(start = 0, bounds: AdmissionBounds = BOUNDS) {
  const clock = { nowMs: start };
  const outcomes: (string | undefined)[] = [];
  const leaves: (() => void)[] = [];
  const admit = createAdmission(bounds, () => clock.nowMs);
  let count = 0;
  /** Outcomes in the order of requests; undefined while waiting. */
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

test('a limited number of requests runs at once, some wait in order, and the rest are refused', async () => {
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

test('a request that has waited too long is refused at its turn, and no request is admitted before', async () => {
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

test('all slots are free again once all running work has ended, even after refusals', async () => {
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

test('work that is reported as ended twice frees only one slot', async () => {
  const { ask, settle, end, outcomes } = admissionAt();
  for (let index = 0; index < 4; index += 1) ask();
  await settle();
  end(0);
  end(0);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'begun', undefined]);
});

test('groups take turns, so that a group with many waiting requests does not delay another', async () => {
  const { ask, settle, end, outcomes } = admissionAt(0, { ...BOUNDS, waitingMax: 6 });
  for (let index = 0; index < 5; index += 1) ask('flood');
  ask('other');
  await settle();
  end(0);
  await settle();
  end(1);
  await settle();
  // The first waiting request of each group began.
  expect(outcomes).toEqual(['begun', 'begun', 'begun', undefined, undefined, 'begun']);
});

test('one group never uses all slots, even if no other group waits', async () => {
  const bounds = { atOnce: 4, atOncePerGroup: 2, waitingMax: 10, waitMaxMs: 1_000 };
  const { ask, settle, end, outcomes } = admissionAt(0, bounds);
  for (let index = 0; index < 4; index += 1) ask('flood');
  ask('other');
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', undefined, undefined, 'begun']);
  end(0);
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', 'begun', undefined, 'begun']);
});

test('in a full queue, the group with the most waiting requests gives up its newest', async () => {
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

test('a late request of one group does not refuse the requests of another', async () => {
  const { clock, ask, settle, outcomes } = admissionAt();
  for (let index = 0; index < 3; index += 1) ask('flood');
  clock.nowMs = 1_001;
  ask('flood');
  ask('other');
  await settle();
  expect(outcomes).toEqual(['begun', 'begun', undefined, 'refused', undefined]);
});

test('clients of one IPv6 network share the limit of a group before they are authenticated', async () => {
  const requests = { atOnce: 9, atOncePerGroup: 1, waitingMax: 0, waitMaxMs: 1_000 };
  const { admitRequests } = createLoadShedding(
    { warn: () => undefined },
    { requests, pings: BOUNDS },
  );
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
