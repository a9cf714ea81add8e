/** Tests uptime buckets as lines, shaded spans and days. */

import {
  bandRows,
  bandTable,
  countMarks,
  findIsolatedRows,
  listLines,
  type Mark,
  maintenanceMarks,
  marksWithin,
} from '../../../src/dashboard/shared/charts/band';
import {
  chooseDayTone,
  dayText,
  listLegend,
  stripText,
  toDays,
} from '../../../src/dashboard/shared/charts/days';
import { heatRows, heatText, isEmptyCell } from '../../../src/dashboard/shared/charts/heatmap';
import {
  emptyWords,
  latencyRows,
  listShades,
  tableRows,
} from '../../../src/dashboard/shared/charts/latency';
import { minuteBars } from '../../../src/dashboard/shared/charts/spark-bars';
import {
  computeMean,
  countCodes,
  partNames,
  stackRuns,
} from '../../../src/dashboard/shared/charts/stacked';
import {
  computeMarks,
  extendOutage,
  markText,
  readShownWindow,
  readWindow,
  uptimePath,
  windowTiles,
} from '../../../src/dashboard/shared/charts/windows';
import {
  buildSearch,
  moved,
  readSpan,
  SPAN_MIN_MS,
  spanBetween,
} from '../../../src/dashboard/shared/charts/zoom';
import type { Result, Run, Uptime } from '../../../src/dashboard/shared/data/api-types';

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
  it('lines of response times have one row per time, with a gap where a region measured nothing', () => {
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

  it('lines of response times become a table with the newest row first and no empty rows', () => {
    const lines = [{ region: 'a', buckets: [bucket(0, 10), bucket(1, null), bucket(2, 30)] }];
    expect(tableRows(latencyRows(lines, 'p95')).map(({ values }) => values)).toEqual([[30], [10]]);
  });
});

describe('shaded spans', () => {
  it('shaded spans merge adjacent periods, and leave out the time between two outages', () => {
    const spans = listShades([
      bucket(0, 10, { up: 60 }),
      bucket(1, null, { down: 20, up: 40 }),
      bucket(2, null, { down: 60 }),
      bucket(3, 10, { down: 3, up: 57 }),
      bucket(4, 10, { down: 30, up: 30 }),
      bucket(5, null, { down: 60 }),
      bucket(6, 10, { up: 60 }),
      bucket(7, null, { down: 5, paused: 55 }),
    ]);
    const at = (seconds: number): number => START_MS + seconds * 1_000;
    expect(spans).toEqual([
      { kind: 'down', fromMs: at(100), toMs: at(183), seconds: 83 },
      { kind: 'down', fromMs: at(270), toMs: at(360), seconds: 90 },
      { kind: 'down', fromMs: at(420), toMs: at(480), seconds: 5 },
      { kind: 'paused', fromMs: at(420), toMs: at(480), seconds: 55 },
    ]);
  });
});

describe('days', () => {
  const days = toDays([
    bucket(0, null),
    bucket(1, 10, { up: 60 }),
    bucket(2, 10, { up: 30, down: 30 }),
  ]);

  it('days are described in words by their uptime and their downtime', () => {
    expect(days.map(dayText)).toEqual(['no data', '100% up', '50.0% up, down 30 s']);
    const [none] = toDays([bucket(0, 10, { down: 60 })]).map(dayText);
    expect(none).toBe('0% up, down 1 min');
  });

  it('a day is orange if it was down for less than an hour, and red from an hour on', () => {
    const tones = [null, 0, 1, 3_599, 3_600, 86_400].map(chooseDayTone);
    expect(tones).toEqual(['none', 'up', 'brief', 'brief', 'down', 'down']);
    // A day that was only degraded had no downtime.
    expect(toDays([bucket(0, 10, { up: 30, degraded: 30 })])[0]?.tone).toBe('up');
  });

  it('the legend of days explains days without data only if there are some', () => {
    const words = (tones: Parameters<typeof listLegend>[0]) =>
      listLegend(tones).map((entry) => entry.words);
    expect(words(['up', 'none'])).toEqual([...words(['up']), 'No data']);
  });

  it('days are summarized in one sentence', () => {
    expect(stripText(days)).toBe('Last 3 days: downtime on 1 day, 1 day without data');
    const up = days.filter(({ tone }) => tone === 'up');
    expect(stripText(up)).toBe(`Last ${up.length} days: no downtime`);
  });
});

describe('windows', () => {
  it('windows of uptime are requested by name, default to a day, and all end at the same instant', () => {
    expect(uptimePath('/u', { window: readWindow('7d', OLD) })).toBe('/u?window=7d');
    expect(uptimePath('/u', { window: '1h', region: 'a', to: '2026-01-01T00:00:00.000Z' })).toBe(
      '/u?window=1h&to=2026-01-01T00%3A00%3A00.000Z&region=a',
    );
    expect(readWindow('1 year', OLD)).toBe('24h');
    expect(readWindow(undefined, OLD)).toBe('24h');
    expect(readWindow(undefined, { ms: 60_000 })).toBe('1h');
    expect(readWindow('24h', { ms: 60_000 })).toBe('24h');
  });

  it('windows of uptime are read from the URL, unless the URL names a custom range', () => {
    const createdAt = new Date(START_MS).toISOString();
    const shown = { createdAt, nowMs: START_MS + 60_000 };
    const span = { fromMs: START_MS, toMs: START_MS + 60_000 };
    expect(uptimePath('/u', readShownWindow({}, shown))).toBe('/u?window=1h');
    expect(uptimePath('/u', readShownWindow({ window: '7d' }, shown))).toBe('/u?window=7d');
    expect(readShownWindow(buildSearch(span), shown)).toEqual({ window: '1h', span });
  });

  it('windows of uptime with the same data share one tile, which says when the data begins', () => {
    const createdAt = '2026-03-05T12:00:00Z';
    const labelsAfter = (hours: number) =>
      windowTiles(createdAt, Date.parse(createdAt) + hours * 3_600_000).map(({ label }) => label);
    expect(labelsAfter(0.5)).toEqual([expect.stringMatching(/^Uptime since \d\d:\d\d$/)]);
    expect(labelsAfter(48)).toEqual(['Uptime, 1 hour', 'Uptime, 24 hours', 'Uptime since 5 Mar']);
    expect(labelsAfter(100 * 24)).toHaveLength(5);
    const [last] = windowTiles(createdAt, Date.parse(createdAt) + 48 * 3_600_000).slice(-1);
    expect(last).toMatchObject({ window: '7d', covers: ['7d', '30d', '90d'] });
  });

  it('the figures of an open outage grow until now, as in the rest of the page', () => {
    const at = (minute: number): string => new Date(START_MS + minute * 60_000).toISOString();
    const uptime: Uptime = {
      monitorId: 'mon_1',
      from: at(0),
      to: at(60),
      availability: 90,
      successRatio: null,
      seconds: NO_SECONDS,
      checks: { total: 0, ok: 0, failed: 0, unknown: 0, missed: 0 },
      responseTimeMs: NO_LATENCY,
      incidents: { count: 1, outages: 2, downSeconds: 420, longestSeconds: 300, mttrSeconds: 300 },
      byRegion: [],
      buckets: [],
    };
    const figures = (downSince: string | null) => {
      const nowMs = Date.parse(at(64));
      const { downSeconds, longestSeconds } = extendOutage(uptime, { downSince, nowMs }).incidents;
      return [downSeconds, longestSeconds];
    };
    expect(figures(null)).toEqual([420, 300]);
    expect(figures(at(58))).toEqual([420 + 240, 360]);
    expect(figures(at(62))).toEqual([420 + 120, 300]);
  });

  it('windows of uptime have ticks at round local times', () => {
    const hour = 3_600_000;
    expect(computeMarks(START_MS + 60_000, START_MS + hour, 0).length).toBe(6);
    const [first = 0] = computeMarks(START_MS, START_MS + 168 * hour, 2 * hour);
    expect(new Date(first).toISOString()).toBe('2026-01-01T22:00:00.000Z');
    expect(computeMarks(START_MS, START_MS + 720 * hour, 0).length).toBeLessThanOrEqual(7);
  });

  it('each window of up to 90 days has four to eight ticks, and a tick at midnight shows the date', () => {
    const hour = 3_600_000;
    for (const hours of [1 / 6, 1 / 3, 1, 3, 6, 12, 24, 48, 72, 168, 720, 2160]) {
      const { length } = computeMarks(START_MS, START_MS + hours * hour, 0);
      expect({ hours, isReadable: length >= 4 && length <= 8 }).toEqual({
        hours,
        isReadable: true,
      });
    }
    const midnight = new Date(2026, 2, 5).getTime();
    expect(markText(midnight)).toBe('5 Mar');
    expect(markText(midnight + 16 * hour)).toBe('16:00');
  });
});

describe('hours of a week', () => {
  it('hours of a week are cells by day and hour, with the slowest response and the downtime', () => {
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

describe('the band of response times', () => {
  it('the legend names p99 only if its line is apart from p95', () => {
    const kinds = (p99: number) =>
      listLines([{ fromMs: 0, p50: 1, p95: 2, p99, before: null }]).map(({ kind }) => kind);
    expect(kinds(3)).toEqual(['band', 'p99']);
    expect(kinds(2)).toEqual(['band']);
  });

  it('the band of response times compares each bucket with the same time one window earlier', () => {
    const now = [bucket(60, 10), bucket(61, 20), bucket(62, null)];
    const earlier = [bucket(0, 1), bucket(2, 3)];
    const rows = bandRows(now, earlier, 3_600_000);
    expect(rows.map(({ p95, before }) => [p95, before])).toEqual([
      [10, 1],
      [20, null],
      [null, 3],
    ]);
    expect(bandTable(rows)[0]?.values).toEqual([null, 10, null, 1]);
  });

  it('the band of response times draws an isolated value as a point', () => {
    const rows = [null, 5, null, 7, 8, null].map((p95, at) => ({
      fromMs: at,
      p50: p95,
      p95,
      p99: p95,
      before: null,
    }));
    expect([...findIsolatedRows(rows)]).toEqual([1]);
    expect([...findIsolatedRows(rows.slice(1, 2))]).toEqual([0]);
  });

  it('the response time band leaves out the previous window if it has hardly any values', () => {
    const rows = Array.from({ length: 20 }, (_, minute) => bucket(minute, 10));
    const countBefore = (count: number) =>
      bandRows(rows, rows.slice(0, count), 0).filter((row) => row.before !== null).length;
    expect([countBefore(1), countBefore(2), countBefore(20)]).toEqual([0, 2, 20]);
  });

  it('the events of the response time band are counted by kind', () => {
    const marks = (['edit', 'incident', 'incident'] as const).map((kind) => ({ kind }));
    expect(countMarks(marks)).toBe('2 outages, 1 edit');
  });

  it('the response time band shows the events inside the window, oldest first', () => {
    const mark = (atMs: number): Mark => ({
      id: String(atMs),
      kind: 'edit',
      atMs,
      text: '',
      to: null,
    });
    const shown = marksWithin([mark(30), mark(5), mark(20), mark(41)], 10, 40);
    expect(shown.map(({ atMs }) => atMs)).toEqual([20, 30]);
  });

  it('the response time band shows the start of maintenance, but not of other shaded spans', () => {
    const shade = { fromMs: 10, toMs: 40, seconds: 1_800 };
    const kinds = ['down', 'maintenance', 'paused'] as const;
    expect(maintenanceMarks(kinds.map((kind) => ({ ...shade, kind })))).toMatchObject([
      { kind: 'maintenance', atMs: 10, text: 'for 30 min', to: '/maintenance' },
    ]);
  });
});

describe('zooming', () => {
  const HOUR_MS = 3_600_000;
  const span = { fromMs: START_MS, toMs: START_MS + HOUR_MS };

  it('zooming keeps its range in the URL, and ignores an invalid range', () => {
    expect(readSpan(buildSearch(span))).toEqual(span);
    for (const to of ['', 'yesterday', '2020-01-01T00:00:00.000Z'])
      expect(readSpan({ ...buildSearch(span), to })).toBeNull();
  });

  it('zooming never gives a range shorter than the minimum of a chart, in either drag direction', () => {
    const dragged = spanBetween(START_MS + 60_000, START_MS);
    expect(dragged.toMs - dragged.fromMs).toBe(SPAN_MIN_MS);
    expect(moved(dragged, 'Zoom in', START_MS + HOUR_MS)).toEqual(dragged);
    expect(spanBetween(span.toMs, span.fromMs)).toEqual(span);
  });

  it('zooming never reaches beyond the present, and zooming out and in again gives the same range', () => {
    const later = moved(span, 'Later', span.toMs + 60_000);
    expect(later.toMs).toBe(span.toMs + 60_000);
    expect(later.toMs - later.fromMs).toBe(HOUR_MS);
    const far = span.toMs + 24 * HOUR_MS;
    expect(moved(moved(span, 'Zoom out', far), 'Zoom in', far)).toEqual(span);
  });

  it('zooming into a range that ends now keeps its end', () => {
    const nowMs = span.toMs + 60_000;
    const first = moved(span, 'Zoom in', nowMs);
    expect(first).toEqual({ fromMs: span.toMs - HOUR_MS / 2, toMs: span.toMs });
    expect(moved(first, 'Zoom in', nowMs).toMs).toBe(span.toMs);
  });
});

describe('the bars of the last hour', () => {
  it('a shorter first bucket has no bar, and a bar shows which share of its bucket was down', () => {
    const shorter = { ...bucket(0, 10), to: new Date(START_MS + 10_000).toISOString() };
    const bars = minuteBars([
      shorter,
      bucket(1, 10),
      bucket(2, 10, { up: 45, down: 15 }),
      bucket(3, null, { down: 60 }),
    ]);
    expect(bars).toEqual([
      { height: expect.closeTo(0.85), tone: 'up' },
      { height: 1, tone: 'down', downShare: 0.25 },
      { height: 1, tone: 'down' },
    ]);
  });
});

describe('stacked bars', () => {
  const step = (name: string, responseTimeMs: number | null) => ({ name, responseTimeMs });
  const run = (slot: string, status: string, steps: readonly object[]) =>
    ({ id: slot, slot, status, steps }) as unknown as Run;

  it('stacked bars show the time of each step, oldest run first, and the mean over passed runs', () => {
    const stacks = stackRuns([
      run('2026-01-02', 'failed', [step('a', 1_000), step('b', null)]),
      run('2026-01-01', 'passed', [step('a', 10), step('b', 20)]),
      run('2025-12-31', 'queued', [step('a', null)]),
    ]);
    expect(stacks.map(({ totalMs }) => totalMs)).toEqual([30, 1_000]);
    expect(partNames(stacks, 8)).toEqual(['a', 'b']);
    expect([computeMean(stacks, 'a'), computeMean(stacks, 'b')]).toEqual([10, 20]);
  });

  it('stacked bars count status codes, failed connections and checks that were not run, but no gaps', () => {
    const result = (code: number | null, rest: object = {}) =>
      ({
        response: code === null ? null : { status: code },
        gap: null,
        ...rest,
      }) as unknown as Result;
    const given = [
      ...[200, 503, 200, null].map((code) => result(code)),
      result(null, { status: 'unknown' }),
      result(null, { status: 'up' }),
      result(null, { gap: {} }),
    ];
    expect(countCodes(given)).toEqual([
      { code: '200', count: 2 },
      { code: '503', count: 1 },
      { code: 'No response', count: 1 },
      { code: 'Not run', count: 1 },
    ]);
  });
});

test('a chart without a line says that nothing was measured, or that no check passed', () => {
  const counts = { total: 3, ok: 0, failed: 0, unknown: 3, missed: 0 };
  expect(emptyWords(counts, 'check')).toBe('Nothing measured in this window.');
  const failed = { ...counts, failed: 2, unknown: 1 };
  expect(emptyWords(failed, 'run')).toBe(
    'No run passed in this window, so there are no times to show.',
  );
});
