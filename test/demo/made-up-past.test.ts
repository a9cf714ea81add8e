/** Tests the generated history of the demo, and its counter of lost checks. */
import { USUAL_MS } from '../../src/demo/demo-resources';
import { createLostChecks } from '../../src/demo/lost-checks';
import { makeUpChecks, makeUpPast } from '../../src/demo/made-up-past';
import { computeWait } from '../../src/demo/shop-load';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 31, 12, 34);

test.each(['Storefront', 'Checkout', 'Stock count', ''])(
  'the made-up history of “%s” covers 90 whole days up to the current hour, and ends healthy',
  (name) => {
    const subject = { name, usualMs: 12, isJob: name === 'Stock count', everySeconds: 10 };
    const past = makeUpPast(subject, NOW_MS);
    expect(JSON.stringify(makeUpPast(subject, NOW_MS))).toBe(JSON.stringify(past));
    const endMs = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
    expect(past.hours).toHaveLength(90 * 24);
    expect(past.fromMs + past.hours.length * HOUR_MS).toBe(endMs);
    const spans = past.outages.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
    expect(spans).toEqual(spans.toSorted((a, b) => a - b));
    for (const atMs of spans) expect(atMs).toBeGreaterThanOrEqual(past.fromMs);
    expect(spans.at(-1) ?? 0).toBeLessThan(endMs);
    const isWhole = (times: (typeof past.hours)[number]) =>
      times.length === 60 && times.every((ms) => ms > 0);
    expect(past.hours.every(isWhole)).toBe(true);
    const isOfJob = past.outages.map(({ cause }) => /^(?:Job|The run) /.test(cause.message));
    expect(isOfJob.every((is) => is === subject.isJob)).toBe(true);
  },
);

test('the history has as many checks as the interval of a resource promises', () => {
  const spanMs = 24 * HOUR_MS;
  for (const everySeconds of [10, 15, 30, 60]) {
    const subject = { name: 'Storefront', usualMs: 120, isJob: false, everySeconds };
    const perHour = 3_600 / everySeconds;
    const { hours, weight } = makeUpPast(subject, NOW_MS);
    for (const times of hours) expect(times.length * weight).toBe(perHour);
    const checks = makeUpChecks(subject, { fromMs: NOW_MS - spanMs, toMs: NOW_MS }, []);
    const slots = checks.map(({ slotMs }) => slotMs);
    expect(slots).toEqual(
      Array.from({ length: 24 * perHour }, (_, at) => NOW_MS - spanMs + at * 1_000 * everySeconds),
    );
    const times = checks.map(({ responseTimeMs }) => responseTimeMs);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(subject.usualMs);
    expect(Math.max(...times)).toBeLessThan(subject.usualMs * 2.1);
  }
});

test('exactly the checks during an outage fail, with its cause', () => {
  const subject = { name: 'Storefront', usualMs: 120, isJob: false, everySeconds: 10 };
  const { outages } = makeUpPast(subject, NOW_MS);
  for (const { fromMs, toMs, cause } of outages) {
    const span = { fromMs: fromMs - HOUR_MS, toMs: toMs + HOUR_MS };
    const failed = makeUpChecks(subject, span, outages).filter(({ failure }) => failure !== null);
    expect(failed.map(({ slotMs }) => slotMs)).toEqual(
      Array.from({ length: (toMs - fromMs) / 10_000 }, (_, at) => fromMs + at * 10_000),
    );
    expect(failed.every(({ failure }) => failure === cause)).toBe(true);
  }
});

test('the shop takes as long as its history says', () => {
  for (const [name, request] of [
    ['Storefront', 'GET /'],
    ['Login', 'POST /login'],
  ] as const) {
    const usualMs = USUAL_MS.get(name) ?? 0;
    const subject = { name, usualMs, isJob: false, everySeconds: 10 };
    const times = makeUpPast(subject, NOW_MS).hours.at(-1) ?? [];
    const waitMs = computeWait(request, NOW_MS - HOUR_MS);
    expect(waitMs).toBeGreaterThan(0.9 * Math.min(...times));
    expect(waitMs).toBeLessThan(1.1 * Math.max(...times));
  }
});

const SLOT_MS = 10_000;

function result(second: number, code?: string, kind = 'scheduled') {
  return {
    id: `r${second}`,
    slot: new Date(second * 1_000).toISOString(),
    kind,
    region: 'local',
    status: code === undefined ? 'up' : 'unknown',
    failure: code === undefined ? null : { code, message: code },
  };
}

test('a slot of the demo counts as lost if it has no measured result and a later slot was checked', () => {
  const lost = createLostChecks(SLOT_MS);
  expect(lost.count()).toEqual({ made: 0, lost: 0 });
  lost.observe('a', [result(50), result(40), result(20), result(10)]);
  expect(lost.count()).toEqual({ made: 4, lost: 0 });
  lost.observe('a', [result(60)]);
  expect(lost.count()).toEqual({ made: 5, lost: 1 });
  lost.observe('a', [result(30)]);
  expect(lost.count()).toEqual({ made: 6, lost: 0 });
  lost.observe('b', [
    result(80),
    result(13, undefined, 'manual'),
    result(20, 'missed'),
    result(10),
  ]);
  expect(lost.count()).toEqual({ made: 8, lost: 4 });
});
