/**
 * Tests that uptime in /v1 equals a naive recomputation from the observations. This holds for any order in which the
 * slots were recorded, and for any point at which recording was interrupted.
 *
 * Covers:
 * - services/resources/resource-uptime
 */
import fc from 'fast-check';
import { createRecordWrites, createStores } from '../../../src/models';
import type { RecordWrites } from '../../../src/models/results/record-writes';
import type { Dependencies } from '../../../src/services/ports/dependencies';
import { getUptime } from '../../../src/services/resources/get-uptime';
import { createMonitorPort } from '../../../src/services/resources/resource-port';
import { createCheckRecorder } from '../../../src/services/results/record-check';
import { monitorRow, newId, pendingStatus } from '../../models/example-records';
import { openTestDatabase, type TestDatabase } from '../../models/test-database';
import { propertyOptions } from '../../support/property-runs';
import { createFakeGateway } from '../fake-gateway';
import { type History, histories, naiveUptime } from './uptime-history';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened?.close());

class Crash extends Error {}

/**
 * Returns the steps of recording. The calls with the given numbers, counted over all steps, fail before or after the
 * write.
 */
function crashing(steps: RecordWrites, crashes: readonly number[]): RecordWrites {
  let calls = 0;
  return new Proxy(steps, {
    get(target, name, receiver) {
      const step: unknown = Reflect.get(target, name, receiver);
      if (typeof step !== 'function') return step;
      return async (...given: unknown[]) => {
        calls += 1;
        if (crashes.includes(2 * calls)) throw new Crash('before');
        const answer: unknown = await Reflect.apply(step, target, given);
        if (crashes.includes(2 * calls + 1)) throw new Crash('after');
        return answer;
      };
    },
  });
}

async function play(
  history: History,
): Promise<{ needs: Dependencies; accountId: string; id: string }> {
  const accountId = newId('account');
  const row = monitorRow(accountId, {
    createdAtMs: history.createdAtMs,
    anchorMs: history.createdAtMs,
    intervalSeconds: history.intervalMs / 1000,
  });
  const stores = createStores(opened.database);
  await stores.monitors.create(accountId, row);
  await stores.statuses.create(accountId, {
    ...pendingStatus(accountId, row.id),
    healthSinceMs: history.createdAtMs,
  });
  const recorder = createCheckRecorder(
    crashing(createRecordWrites(opened.database), history.crashes),
  );
  for (const delivered of history.deliveries) {
    const record = { ...delivered, accountId, monitorId: row.id };
    for (let isSettled = false; !isSettled; )
      isSettled = await recorder.recordMonitorCheck(record).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Crash) return false;
          throw error;
        },
      );
  }
  const needs = {
    stores,
    gateway: createFakeGateway(),
    clock: { now: () => history.nowMs },
    configuredRegions: ['eu-west', 'us-east'],
  } as unknown as Dependencies;
  return { needs, accountId, id: row.id };
}

test('the uptime equals the uptime recomputed from every single result', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const { needs, accountId, id } = await play(history);
      for (const { fromMs, toMs, region } of history.questions) {
        const request = {
          accountId,
          id,
          from: fromMs,
          to: toMs,
          windowMs: 0,
          region: region ?? undefined,
        };
        const answer = await getUptime(needs, createMonitorPort(needs), request);
        const expected = naiveUptime(history, { fromMs, toMs, region });
        expect(answer.checks).toEqual(expected.checks);
        for (const [state, seconds] of Object.entries(expected.seconds))
          expect([state, answer.seconds[state as 'up']]).toEqual([
            state,
            expect.closeTo(seconds, 3),
          ]);
        expect(answer.availability).toEqual(
          expected.availability === null ? null : expect.closeTo(expected.availability, 6),
        );
        const { p50, p99, min, max, avg } = answer.responseTimeMs;
        expect({ min, max }).toEqual({ min: expected.min, max: expected.max });
        if (expected.avg !== null) expect(avg).toBeCloseTo(expected.avg, 1);
        for (const [found, exact] of [
          [p50, expected.p50],
          [p99, expected.p99],
        ] as const)
          if (exact !== null && found !== null)
            expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.0201 + 0.01);
        const sum = answer.buckets.reduce((total, { checks }) => total + checks.total, 0);
        expect(sum).toBe(expected.checks.total);
        expect(answer.buckets.length).toBeLessThanOrEqual(300);
      }
    }),
    propertyOptions(8),
  );
});

test('when several writers store the same slot, one result is stored and summaries agree with that result', async () => {
  const [history] = fc.sample(histories, { numRuns: 1, seed: 7 });
  if (history === undefined) throw new Error('no history');
  const deliveries = history.deliveries.flatMap((record) =>
    Array.from({ length: 3 }, () => record),
  );
  const accountId = newId('account');
  const row = monitorRow(accountId, { createdAtMs: history.createdAtMs });
  const stores = createStores(opened.database);
  await stores.monitors.create(accountId, row);
  await stores.statuses.create(accountId, {
    ...pendingStatus(accountId, row.id),
    healthSinceMs: history.createdAtMs,
  });
  const recorder = createCheckRecorder(createRecordWrites(opened.database));
  for (let start = 0; start < deliveries.length; start += 20)
    await Promise.all(
      deliveries
        .slice(start, start + 20)
        .map((record) => recorder.recordMonitorCheck({ ...record, accountId, monitorId: row.id })),
    );
  const needs = {
    stores,
    gateway: createFakeGateway(),
    clock: { now: () => history.nowMs },
    configuredRegions: ['eu-west', 'us-east'],
  } as unknown as Dependencies;
  const whole = { fromMs: history.createdAtMs, toMs: history.nowMs, region: null };
  const answer = await getUptime(needs, createMonitorPort(needs), {
    accountId,
    id: row.id,
    from: whole.fromMs,
    to: whole.toMs,
    windowMs: 0,
  });
  expect(answer.checks).toEqual(naiveUptime(history, whole).checks);
});
