/**
 * Tests certificate warnings. There is one for each certificate and threshold, and only for the smallest threshold
 * reached.
 */
import fc from 'fast-check';
import type { SeenCertificate, WarnedCertificate } from '../../../src/contracts/certificates';
import {
  findReachedThreshold,
  findThreshold,
  listThresholds,
  nextThresholdMs,
  nextWarnings,
} from '../../../src/domain/alerting/certificate-warnings';
import { propertyOptions } from '../../support/property-runs';

const DAY = 86_400_000;

const seen = (change: Partial<SeenCertificate> = {}): SeenCertificate => ({
  fingerprint: 'a',
  issuer: null,
  expiresAtMs: 40 * DAY,
  step: null,
  region: 'eu-west',
  warnDays: [30, 14, 3],
  ...change,
});

interface Visit {
  readonly atMs: number;
  readonly seen: readonly SeenCertificate[];
  readonly isMuted?: boolean;
}

function play(visits: readonly Visit[]) {
  let warned: readonly WarnedCertificate[] = [];
  return visits.flatMap(({ atMs, seen: certificates, isMuted = false }) => {
    const next = nextWarnings(warned, certificates, { atMs, isMuted });
    // Serialises the state as continue-as-new does.
    warned = JSON.parse(JSON.stringify(next.warned));
    return next.due.map(({ certificate: { fingerprint, step }, thresholdDays }) => ({
      fingerprint,
      step,
      rungDays: thresholdDays,
      day: atMs / DAY,
    }));
  });
}

const hourly = (days: number, certificate = seen()): Visit[] =>
  Array.from({ length: days * 24 }, (_, hour) => ({
    atMs: hour * (DAY / 24),
    seen: [certificate],
  }));

test('if several certificates expire soon, the smallest threshold that any of them has reached decides the warning', () => {
  const rungs = listThresholds([
    seen({ expiresAtMs: 20 * DAY, warnDays: [5] }),
    seen({ expiresAtMs: 40 * DAY }),
    seen({ expiresAtMs: 10 * DAY, warnDays: [] }),
  ]);
  const days = [9, 10, 15, 26, 37].map((day) => findReachedThreshold(rungs, day * DAY));
  expect(days).toEqual([null, 30, 5, 5, 3]);
});

test('each threshold of a certificate sends one warning when it is reached', () => {
  const due = play(hourly(45));
  expect(due.map(({ day, rungDays }) => [day, rungDays])).toEqual([
    [10, 30],
    [26, 14],
    [37, 3],
  ]);
});

test('if a certificate passes several thresholds at once, a single warning for the smallest threshold is sent', () => {
  const due = play([{ atMs: 38 * DAY, seen: [seen()] }]);
  expect(due.map(({ rungDays }) => rungDays)).toEqual([3]);
});

test('warnings start over for a renewed certificate, but not when an old certificate returns', () => {
  const renewed = seen({ fingerprint: 'b', expiresAtMs: 60 * DAY });
  const due = play([
    { atMs: 30 * DAY, seen: [seen()] },
    { atMs: 31 * DAY, seen: [renewed] },
    { atMs: 32 * DAY, seen: [seen()] },
    { atMs: 50 * DAY, seen: [renewed] },
  ]);
  expect(due.map(({ fingerprint, rungDays }) => [fingerprint, rungDays])).toEqual([
    ['a', 14],
    ['b', 30],
    ['b', 14],
  ]);
});

test('a certificate warning that becomes due during maintenance is sent after the maintenance', () => {
  const due = play([
    { atMs: 30 * DAY, seen: [seen()], isMuted: true },
    { atMs: 31 * DAY, seen: [seen()] },
  ]);
  expect(due.map(({ day }) => day)).toEqual([31]);
});

test('if regions see different certificates, the certificate that expires first decides about warnings', () => {
  const other = seen({ fingerprint: 'b', expiresAtMs: 39 * DAY, region: 'us-east' });
  const due = play([
    { atMs: 30 * DAY, seen: [seen(), other] },
    { atMs: 31 * DAY, seen: [other, seen()] },
  ]);
  expect(due.map(({ fingerprint }) => fingerprint)).toEqual(['b']);
});

test('each certificate sends one warning, even if several steps share it', () => {
  const at = (step: string, fingerprint: string) => seen({ step, fingerprint });
  const due = play([{ atMs: 30 * DAY, seen: [at('a', 'x'), at('b', 'x'), at('c', 'y')] }]);
  expect(due.map(({ step, fingerprint }) => [step, fingerprint])).toEqual([
    ['a', 'x'],
    ['c', 'y'],
  ]);
});

test('a monitor without warning days sends no certificate warning', () => {
  expect(play(hourly(45, seen({ warnDays: [] })))).toEqual([]);
  expect(findThreshold(0, [], 0)).toBeNull();
});

test('each threshold of a certificate sends at most one warning, even if regions and servers show different certificates', () => {
  const visits = fc.array(
    fc.record({
      hours: fc.integer({ min: 1, max: 100 }),
      isMuted: fc.boolean(),
      seen: fc.array(
        fc.record({
          fingerprint: fc.constantFrom('a', 'b', 'c'),
          issuer: fc.constant(null),
          step: fc.constantFrom(null, 'x', 'y'),
          region: fc.constantFrom('eu-west', 'us-east'),
          warnDays: fc.subarray([30, 14, 7, 3, 1]),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 60 },
  );
  const ends = { a: 40 * DAY, b: 55 * DAY, c: 100 * DAY } as const;
  fc.assert(
    fc.property(visits, (story) => {
      let atMs = 0;
      const due = play(
        story.map(({ hours, isMuted, seen: shown }) => {
          atMs += hours * (DAY / 24);
          const certificates = shown.map((one) => {
            const fingerprint = one.fingerprint === 'a' ? 'a' : one.fingerprint === 'b' ? 'b' : 'c';
            return { ...one, fingerprint, expiresAtMs: ends[fingerprint] } as const;
          });
          return { atMs, isMuted, seen: certificates };
        }),
      );
      for (const name of ['a', 'b', 'c']) {
        const rungs = due.filter((one) => one.fingerprint === name).map(({ rungDays }) => rungDays);
        expect(rungs).toEqual([...new Set(rungs)].sort((x, y) => y - x));
      }
    }),
    propertyOptions(100),
  );
});

test('if several certificates have the same threshold, the earliest expiry decides when the threshold is reached', () => {
  const rungs = listThresholds([
    { expiresAtMs: 40 * DAY, warnDays: [30] },
    { expiresAtMs: 35 * DAY, warnDays: [30] },
    { expiresAtMs: 50 * DAY, warnDays: [30] },
  ]);
  expect(rungs).toEqual([{ days: 30, atMs: 5 * DAY }]);
});

test('the next threshold of a certificate is the nearest threshold that is not yet reached, or none', () => {
  const nextAt = (nowMs: number) => nextThresholdMs(40 * DAY, [30, 14, 3], nowMs);
  expect(nextAt(10 * DAY - 1)).toBe(10 * DAY);
  expect(nextAt(10 * DAY)).toBe(26 * DAY);
  expect(nextAt(30 * DAY)).toBe(37 * DAY);
  expect(nextAt(37 * DAY)).toBeNull();
  expect(nextThresholdMs(40 * DAY, [], 0)).toBeNull();
});
