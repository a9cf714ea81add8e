/** Tests notifications of the operator, on a real database. Each problem is notified once, and its end once. */
import { formatInstant } from '../../../src/domain/health/instant-words';
import { createStores } from '../../../src/models';
import { createSharedClock, startSynchronizing } from '../../../src/platform/shared-clock';
import {
  type OperationNeeds,
  watchOperation,
} from '../../../src/services/operations/watch-operation';
import type { OutgoingEmail } from '../../../src/services/ports/dependencies';
import { listRegions } from '../../../src/services/regions/regions';
import { openTestDatabase, type TestDatabase } from '../../models/test-database';

const MINUTE = 60_000;
let database: TestDatabase;
let needs: OperationNeeds;
let nowMs = Date.parse('2026-03-20T12:00:00Z');
let isMailAway = false;
const letters: OutgoingEmail[] = [];
const log: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  nowMs += 60 * MINUTE;
  isMailAway = false;
  letters.length = 0;
  log.length = 0;
  await database.database.models.operatorEvents.deleteMany({});
  await database.database.models.regionProbes.deleteMany({});
  const clock = { now: () => nowMs };
  needs = {
    stores: createStores(database.database, clock),
    clock,
    configuredRegions: ['eu-west', 'never-seen'],
    notifyOperator: (_facts, sentence) => log.push(sentence),
    operatorMail: {
      to: 'operator@example.com',
      mailer: {
        sendMail: async (letter) => {
          if (isMailAway) throw new Error('the mail server said no');
          letters.push(letter);
        },
      },
    },
  };
});

const hello = (region = 'eu-west') =>
  needs.stores.regions.hello(region, 'probe', needs.clock.now());

/** Moves the clock by a minute and runs a pass, `times` times. */
async function look(times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    nowMs += MINUTE;
    await watchOperation(needs, { sinceMs: nowMs - MINUTE, beganAtMs: nowMs });
  }
}

test('a region without workers is reported once, and so is the return of a worker', async () => {
  await hello();
  await look(10);
  expect(log).toEqual(['region eu-west has no worker']);
  expect(letters).toHaveLength(1);
  expect(letters[0]).toMatchObject({
    to: 'operator@example.com',
    subject: 'Keepwatch: region eu-west has no worker',
  });
  await hello();
  await look();
  expect(log).toEqual(['region eu-west has no worker', 'region eu-west has workers again']);
  expect(letters).toHaveLength(2);
  nowMs -= MINUTE;
  await hello();
  await look();
  expect(log).toHaveLength(2);
});

test('a region is not reported as lost if its workers are back at the next pass, or if it never had workers', async () => {
  await hello();
  nowMs += 2 * MINUTE;
  await look();
  await hello();
  await look();
  expect(log).toEqual([]);
  expect(await needs.stores.operatorEvents.list()).toEqual([]);
});

test('two passes of housekeeping that are far apart do not count as consecutive', async () => {
  await hello();
  nowMs += 2 * MINUTE;
  await look();
  nowMs += 8 * MINUTE;
  await look();
  expect(log).toEqual([]);
});

test('a suspect network is reported at once and shown with its region, and its end is reported', async () => {
  await hello();
  await needs.stores.regions.noteFacts('eu-west', 'probe', {
    networkSuspectSinceMs: nowMs,
    release: null,
  });
  const [region] = await listRegions(needs);
  expect(region).toMatchObject({
    id: 'eu-west',
    networkSuspectSince: new Date(nowMs).toISOString(),
  });
  await look();
  await hello();
  await look();
  expect(log).toHaveLength(1);
  expect(log[0]).toContain('eu-west is suspect');
  await needs.stores.regions.noteFacts('eu-west', 'probe', {
    networkSuspectSinceMs: null,
    release: null,
  });
  await look();
  expect(log[1]).toBe('the network of region eu-west works again');
  expect(letters).toHaveLength(2);
});

test('a region has a suspect network only if all its workers report it', async () => {
  await hello();
  await needs.stores.regions.hello('eu-west', 'other', nowMs);
  await needs.stores.regions.noteFacts('eu-west', 'probe', {
    networkSuspectSinceMs: nowMs,
    release: null,
  });
  expect((await listRegions(needs))[0]).toMatchObject({ networkSuspectSince: null });
});

test('a clock that is an hour ahead does not make a lost probe look online for an hour', async () => {
  await needs.stores.regions.hello('eu-west', 'probe', nowMs + 60 * MINUTE);
  expect((await listRegions(needs))[0]).toMatchObject({
    id: 'eu-west',
    status: 'offline',
    lastSeenAt: new Date(nowMs).toISOString(),
  });
});

test('a period without checks is reported once, with its start and end', async () => {
  await hello();
  await watchOperation(needs, { sinceMs: nowMs - 45 * MINUTE, beganAtMs: nowMs });
  await look();
  expect(log).toEqual(['the service could not check for a while']);
  expect(letters[0]?.text).toContain(`Since: ${formatInstant(nowMs - 46 * MINUTE)}`);
  expect(await needs.stores.operatorEvents.list()).toEqual([]);
});

test.each([60, -60, 7 * 24 * 60])(
  'a host clock that is %d minutes off does not cause or hide reports',
  async (offByMinutes) => {
    const trueMs = () => nowMs;
    const wrong = createSharedClock({
      wallNow: () => nowMs + offByMinutes * MINUTE,
      steadyNow: () => nowMs,
    });
    (await startSynchronizing(wrong, async () => trueMs()))();
    needs = { ...needs, clock: wrong };
    await hello();
    await look();
    await hello();
    await look();
    expect(log).toEqual([]);
    await look(3);
    expect(log).toEqual(['region eu-west has no worker']);
    await hello();
    await watchOperation(needs, { sinceMs: nowMs - 45 * MINUTE, beganAtMs: nowMs });
    expect(log.slice(1).toSorted()).toEqual([
      'region eu-west has workers again',
      'the service could not check for a while',
    ]);
  },
);

test('an email to the operator that failed is sent at a later pass, and its failure is logged once', async () => {
  isMailAway = true;
  await hello();
  await look(6);
  expect(log).toHaveLength(1);
  isMailAway = false;
  await look(2);
  expect(log).toHaveLength(1);
  expect(letters).toHaveLength(1);
});

test('if the operator has no email address, changes are only logged', async () => {
  needs = { ...needs, operatorMail: null };
  await hello();
  await look(5);
  await hello();
  await look();
  expect(log).toHaveLength(2);
});
