/** Uptime buckets as lines, shaded spans and days. */

import { daysOf, dayText, stripText } from '../../../src/dashboard/shared/charts/days';
import { heatRows, heatText, isEmptyCell } from '../../../src/dashboard/shared/charts/heatmap';
import { latencyRows, shadesOf, tableRows } from '../../../src/dashboard/shared/charts/latency';
import {
  collectingText,
  marksOf,
  uptimePath,
  windowOf,
} from '../../../src/dashboard/shared/charts/windows';
import type { Uptime } from '../../../src/dashboard/shared/data/api-types';

type Bucket = Uptime['buckets'][number];
type Seconds = Bucket['seconds'];

const NO_LATENCY = {
  avg: null,
  min: null,
  max: null,
  p50: null,
  p75: null,
  p90: null,
  p95: null,
  p99: null,
};
const NO_SECONDS = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, unknown: 0 };
const START_MS = Date.parse('2026-01-01T00:00:00.000Z');

function bucket(minute: number, p95: number | null, seconds: Partial<Seconds> = {}): Bucket {
  const observed = (seconds.up ?? 0) + (seconds.degraded ?? 0) + (seconds.down ?? 0);
  return {
    from: new Date(START_MS + minute * 60_000).toISOString(),
    to: new Date(START_MS + (minute + 1) * 60_000).toISOString(),
    availability: observed === 0 ? null : (100 * (observed - (seconds.down ?? 0))) / observed,
    successRatio: null,
    seconds: { ...NO_SECONDS, ...seconds },
    checks: { total: 0, ok: 0, failed: 0, unknown: 0, missed: 0 },
    responseTimeMs: { ...NO_LATENCY, p95 },
  };
}

const OLD = { ms: 86_400_000 };

describe('lines of response times', () => {
  it('hold one row for each time, with nothing where a region measured nothing', () => {
    const rows = latencyRows(
      [
        { region: 'a', buckets: [bucket(0, 10), bucket(1, null)] },
        { region: 'b', buckets: [bucket(1, 20), bucket(2, 30)] },
      ],
      'p95',
    );
    expect(rows.map(({ values }) => values)).toEqual([
      [10, null],
      [null, 20],
      [null, 30],
    ]);
  });

  it('are a table with the newest first and without empty rows', () => {
    const lines = [{ region: 'a', buckets: [bucket(0, 10), bucket(1, null), bucket(2, 30)] }];
    expect(tableRows(latencyRows(lines, 'p95')).map(({ values }) => values)).toEqual([[30], [10]]);
  });
});

describe('shaded spans', () => {
  it('join neighbours of the same kind and add up their time', () => {
    const spans = shadesOf([
      bucket(0, 10, { up: 60 }),
      bucket(1, null, { down: 20, up: 40 }),
      bucket(2, null, { down: 60 }),
      bucket(3, 10, { up: 60 }),
      bucket(4, null, { down: 5, paused: 55 }),
    ]);
    expect(spans).toEqual([
      { kind: 'down', fromMs: START_MS + 60_000, toMs: START_MS + 180_000, seconds: 80 },
      { kind: 'down', fromMs: START_MS + 240_000, toMs: START_MS + 300_000, seconds: 5 },
      { kind: 'paused', fromMs: START_MS + 240_000, toMs: START_MS + 300_000, seconds: 55 },
    ]);
  });
});

describe('days', () => {
  const days = daysOf([
    bucket(0, null),
    bucket(1, 10, { up: 60 }),
    bucket(2, 10, { up: 30, down: 30 }),
  ]);

  it('say in words what their colour says', () => {
    expect(days.map(dayText)).toEqual(['no data', '100% up', '50.000% up, down 30 s']);
  });

  it('are summed up in one sentence', () => {
    expect(stripText(days)).toBe('Last 3 days: downtime on 1 day, 1 day without data');
  });
});

describe('windows', () => {
  it('ask for the last hour from a full minute, so that the path stays for a minute', () => {
    const nowMs = START_MS + 3_600_000 + 59_000;
    expect(uptimePath('/u', { window: '1h', region: 'a', nowMs })).toBe(
      '/u?from=2026-01-01T00%3A00%3A00.000Z&region=a',
    );
  });

  it('ask for the others by name, and for a day when the address names none', () => {
    expect(uptimePath('/u', { window: windowOf('7d', OLD), nowMs: 0 })).toBe('/u?window=7d');
    expect(windowOf('1 year', OLD)).toBe('24h');
    expect(windowOf(undefined, OLD)).toBe('24h');
    expect(windowOf(undefined, { ms: 60_000 })).toBe('1h');
    expect(windowOf('24h', { ms: 60_000 })).toBe('24h');
  });

  it('are marked on round times of the zone', () => {
    const hour = 3_600_000;
    expect(marksOf(START_MS + 60_000, START_MS + hour, 0).length).toBe(6);
    const [first = 0] = marksOf(START_MS, START_MS + 168 * hour, 2 * hour);
    expect(new Date(first).toISOString()).toBe('2026-01-01T22:00:00.000Z');
    expect(marksOf(START_MS, START_MS + 720 * hour, 0).length).toBeLessThanOrEqual(7);
  });
});

describe('hours of a week', () => {
  it('are cells by day and hour, with what was slowest and how long something was down', () => {
    const rows = heatRows([bucket(0, 10, { up: 60 }), bucket(60, 30, { down: 20, up: 40 })]);
    const cells = rows.flatMap(({ cells: own }) => own).filter((cell) => !isEmptyCell(cell));
    expect(rows.every(({ cells: own }) => own.length === 24)).toBe(true);
    expect(cells.map(({ p95Ms, downSeconds }) => [p95Ms, downSeconds])).toEqual([
      [10, 0],
      [30, 20],
    ]);
    expect(heatText(rows)).toMatch(
      /^Last 7 days by hour: downtime in 1 hour\. Slowest: .* p95 30 ms/,
    );
  });
});

describe('a window that began before there was anything', () => {
  it('says since when data is collected', () => {
    const from = '2026-03-01T00:00:00Z';
    expect(collectingText(from, '2026-02-01T00:00:00Z')).toBeNull();
    expect(collectingText(from, '2026-03-05T12:00:00Z')).toBe('collecting since 5 Mar');
    expect(collectingText(from, new Date().toISOString())).toMatch(/^collecting since \d\d:\d\d$/);
  });
});
