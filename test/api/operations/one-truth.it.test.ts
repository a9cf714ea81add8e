/**
 * Tests that every view shows the same state of a monitor after random histories. The views are the list of checks, the
 * page of the monitor, the overview, incidents, the explanation, the public page, metrics and the command line.
 *
 * Covers:
 * - domain/health/outage-figures
 */
import fc from 'fast-check';
import request from 'supertest';
import { formatMilliseconds, formatPercent } from '../../../src/domain/text/figures';
import { onTerminal } from '../../cli/terminal';
import { propertyOptions } from '../../support/property-runs';
import { parseMetrics } from '../operator/parse-metrics';
import { METRICS_TOKEN, suiteService, type TestAccount } from '../test-service';
import { anyLife, INTERRUPTED, type Lived, live, REGIONS } from './random-life';

const DAY_MS = 86_400_000;
const WINDOWS = [
  { window: '24h', days: 1 },
  { window: '7d', days: 7 },
  { window: '30d', days: 30 },
  { window: '90d', days: 90 },
] as const;
/**
 * The instant at which histories start. It is late in the day, so histories cross midnight no matter when the test
 * runs.
 */
const START_MS = Date.UTC(2026, 0, 5, 22, 17);

const service = suiteService({ configuredRegions: [...REGIONS] });
beforeAll(() => {
  service.clock.nowMs = START_MS;
});

/** The value in metrics for each health. A region with unknown health has no series. */
const PASSED: Readonly<Record<string, number>> = { up: 1, degraded: 1, down: 0 };

interface Sentence {
  readonly at: string;
  readonly text: string;
}

interface ListedIncident {
  readonly id: string;
  readonly episodeCount: number;
  readonly episodes: readonly { readonly startedAt: string; readonly resolvedAt: string | null }[];
}

interface ShownMonitor {
  readonly id: string;
  readonly status: string;
  readonly regionsHealth: Readonly<
    Record<string, { readonly health: string; readonly lastResponseTimeMs: number | null }>
  >;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Reads everything that the views of the account show at this instant. */
async function readViews(account: TestAccount, lives: readonly Lived[]) {
  const get = async (path: string) => {
    const answer = await request(service.app)
      .get(path)
      .set('Authorization', `Bearer ${account.key}`);
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return answer.body;
  };
  const slug = `page-${account.id.slice(4).toLowerCase()}`;
  const items = lives.map(({ id }) => ({ id, name: id }));
  await request(service.app)
    .post('/v1/status-pages')
    .set('Authorization', `Bearer ${account.key}`)
    .send({
      slug,
      title: 'All',
      isPublic: true,
      showBadges: true,
      showResponseTimes: true,
      groups: [{ name: 'All', items }],
    })
    .expect(201);
  const cli = await onTerminal(['status', '--output', 'json'], {
    environment: { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: account.key },
  });
  return {
    get,
    list: await get('/v1/checks?include=figures'),
    overview: await get('/v1/overview'),
    trends: await get('/v1/overview/trends'),
    incidents: await get('/v1/incidents?limit=500'),
    unresolved: await get('/v1/incidents?state=unresolved&limit=500'),
    feed: JSON.parse((await request(service.app).get(`/status/${slug}/feed.json`)).text),
    badge: async (id: string, metric: 'uptime' | 'response') =>
      String((await request(service.app).get(`/badges/${slug}/${id}.svg?metric=${metric}`)).body),
    cli: JSON.parse(cli.stdout),
  };
}

type Views = Awaited<ReturnType<typeof readViews>>;

async function expectOneTruth(views: Views, { id, statusAt, outages }: Lived): Promise<void> {
  const status = statusAt(service.clock.nowMs);
  const own = ({ resourceId }: { resourceId: string }) => resourceId === id;
  const monitor = await views.get(`/v1/monitors/${id}`);
  const row = views.list.data.find((one: { id: string }) => one.id === id);
  const incidents = views.incidents.data.filter(own);
  const open = views.unresolved.data.find(own);
  const openSince = outages.at(-1)?.toMs === null ? iso(outages.at(-1)?.fromMs ?? 0) : null;

  expect({ list: row.status, page: monitor.status }).toEqual({ list: status, page: status });
  const attention = views.cli.attention.find((one: { id: string }) => one.id === id);
  const isQuiet = ['up', 'paused', 'maintenance'].includes(status);
  expect(attention?.status ?? null).toBe(isQuiet ? null : status);

  // Every view shows the same start of the outage.
  expect({
    list: row.failure?.since ?? null,
    incident: open?.episodes.at(-1)?.startedAt ?? null,
  }).toEqual({
    list: openSince,
    incident: openSince,
  });
  if (attention !== undefined && openSince !== null) expect(attention.since).toBe(openSince);
  expect(monitor.currentIncidentId === null).toBe(openSince === null);

  // Uptime windows, outages and incidents agree.
  const to = iso(service.clock.nowMs);
  const uptimes = await Promise.all(
    WINDOWS.map(({ window }) =>
      views.get(`/v1/monitors/${id}/uptime?window=${window}&to=${encodeURIComponent(to)}`),
    ),
  );
  const [day, week, month, quarter] = uptimes;
  for (const [index, uptime] of uptimes.entries()) {
    const fromMs = service.clock.nowMs - (WINDOWS[index]?.days ?? 0) * DAY_MS;
    const within = outages.filter(({ toMs }) => toMs === null || toMs > fromMs);
    expect(uptime.incidents.outages).toBe(within.length);
    const listed = incidents.filter(({ episodes }: { episodes: { resolvedAt: string | null }[] }) =>
      episodes.some(({ resolvedAt }) => resolvedAt === null || Date.parse(resolvedAt) > fromMs),
    );
    expect(uptime.incidents.count).toBe(listed.length);
    const { downSeconds, longestSeconds } = uptime.incidents;
    expect(longestSeconds ?? 0).toBeLessThanOrEqual(downSeconds);
    expect(uptime.seconds.down).toBeLessThanOrEqual(downSeconds);
    const lengths = within.map(
      (one) => (one.toMs ?? service.clock.nowMs) - Math.max(one.fromMs, fromMs),
    );
    const outageMs = lengths.reduce((sum, ms) => sum + ms, 0);
    if (uptime.seconds.maintenance + uptime.seconds.paused === 0)
      expect(downSeconds).toBeCloseTo(outageMs / 1_000, 3);
  }
  const counts = incidents.map(({ episodeCount }: { episodeCount: number }) => episodeCount);
  expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(outages.length);
  if (open !== undefined) {
    const whole = await views.get(`/v1/incidents/${open.id}`);
    expect(whole.episodes).toEqual(open.episodes);
  }
  for (const incident of incidents) await expectExplained(views, incident);

  // The list and the public page show the same uptime as the page of the monitor.
  expect(row.figures.uptime).toEqual({
    '24h': day.availability,
    '7d': week.availability,
    '30d': month.availability,
  });
  const shown = views.feed._keepwatch.groups[0].items.find(
    (item: { name: string }) => item.name === id,
  );
  expect(shown.availability).toBe(quarter.availability);
  expect(shown.state).toBe(status === 'paused' || status === 'pending' ? 'unknown' : status);
  if (quarter.availability !== null)
    expect(await views.badge(id, 'uptime')).toContain(formatPercent(quarter.availability));
  const { p50 } = day.responseTimeMs;
  expect(await views.badge(id, 'response')).toContain(p50 === null ? '–' : formatMilliseconds(p50));
  const outageEntries = views.feed.items.filter(
    (item: { _keepwatch: { kind: string; names: string[]; to: string | null } }) =>
      item._keepwatch.kind === 'outage' &&
      item._keepwatch.names.includes(id) &&
      item._keepwatch.to === null,
  );
  expect(outageEntries).toHaveLength(openSince === null ? 0 : 1);
}

/**
 * Moves the clock by five seconds. Expects that the list and the page of each check that is down still show the same
 * uptime.
 */
async function expectOneUptimeLater({ get }: Views): Promise<void> {
  service.clock.nowMs += 5_000;
  const { data } = await get('/v1/checks?include=figures');
  for (const { id, status, figures } of data) {
    if (status !== 'down') continue;
    const { availability } = await get(`/v1/monitors/${id}/uptime?window=24h`);
    expect(figures.uptime['24h']).toBe(availability);
  }
}

/** Expects that an explanation starts with its incident, counts all outages, and ends with the open outage. */
async function expectExplained({ get }: Views, incident: ListedIncident): Promise<void> {
  const { id, episodes, episodeCount } = incident;
  const { incidentId, sentences } = await get(`/v1/incidents/${id}/explain`);
  const failed = sentences.filter(({ text }: Sentence) => /^Failed( in|:|\.)/.test(text));
  const folded = sentences.map(({ text }: Sentence) =>
    Number(/: (\d+) outages sent nothing\.$/.exec(text)?.[1] ?? 0),
  );
  const outages = folded.reduce((sum: number, count: number) => sum + count, failed.length);
  expect({ incidentId, outages, from: sentences[0].at }).toEqual({
    incidentId: id,
    outages: episodeCount,
    from: episodes[0]?.startedAt,
  });
  const last = episodes.at(-1);
  if (last?.resolvedAt === null) expect(failed.at(-1).at).toBe(last.startedAt);
}

/** Expects that metrics and the page of a monitor show the same values for each region. */
function expectMeasured(metrics: Metrics, monitor: ShownMonitor): void {
  const { id, status, regionsHealth } = monitor;
  const own = metrics.filter(({ labels }) => labels['monitor'] === id);
  const ofRegion = (name: string, region: string) =>
    own.find((one) => one.name === name && one.labels['region'] === region)?.value;
  const regions = Object.entries(regionsHealth);
  expect(
    regions.map(([region]) => ({
      region,
      passed: ofRegion('probe_success', region),
      seconds: ofRegion('probe_duration_seconds', region),
    })),
  ).toEqual(
    regions.map(([region, { health, lastResponseTimeMs }]) => ({
      region,
      passed: PASSED[health],
      seconds: lastResponseTimeMs === null ? undefined : lastResponseTimeMs / 1000,
    })),
  );
  const paused = own.filter(({ name }) => name === 'keepwatch_monitor_paused');
  expect(paused).toHaveLength(status === 'paused' ? 1 : 0);
}

async function readMetrics() {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return parseMetrics(await (await fetch(`${service.url}/metrics`, { headers })).text());
}

type Metrics = Awaited<ReturnType<typeof readMetrics>>;

/** Counts the open incidents of all accounts, because metrics do not name accounts. */
function countOpenInAll(metrics: Metrics): number {
  return metrics.find(({ name }) => name === 'keepwatch_open_incidents')?.value ?? 0;
}

function expectOneSum(views: Views, lives: readonly Lived[]): void {
  const { overview, trends, unresolved, cli, list } = views;
  const statuses = lives.map(({ statusAt }) => statusAt(service.clock.nowMs)).toSorted();
  const counted = (byStatus: Record<string, number>) =>
    Object.entries(byStatus)
      .filter(([name]) => name !== 'total')
      .flatMap(([name, count]) => Array.from({ length: count }, () => name))
      .toSorted();
  expect(counted(overview.monitors.byStatus)).toEqual(statuses);
  expect(counted(cli.monitors)).toEqual(statuses);
  expect(overview.openIncidents).toBe(unresolved.data.length);
  expect(cli.openIncidents).toHaveLength(unresolved.data.length);

  const dayAgoMs = service.clock.nowMs - DAY_MS;
  const ofDay = lives.flatMap(({ outages }) =>
    outages.filter(({ toMs }) => toMs === null || toMs > dayAgoMs),
  );
  expect(trends.current.outages).toBe(ofDay.length);
  const listed = views.incidents.data.filter(
    ({ episodes }: { episodes: { resolvedAt: string | null }[] }) =>
      episodes.some(({ resolvedAt }) => resolvedAt === null || Date.parse(resolvedAt) > dayAgoMs),
  );
  expect(trends.current.incidents).toBe(listed.length);
  if (lives.length === 1)
    expect(trends.current.availability).toBe(list.data[0].figures.uptime['24h']);
}

test('lists, pages, incidents, public pages, metrics and the command line show the same state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyLife, { minLength: 1, maxLength: 2 }), async (lives) => {
      const account = await service.newAccount();
      const openBefore = countOpenInAll(await readMetrics());
      const lived: Lived[] = [];
      for (const [index, life] of lives.entries())
        lived.push(await live({ service, account, name: `Life ${index}` }, life));
      // Read the views only now. If a check has a shorter history than the others, it may be overdue by now, and its
      // maintenance may have ended.
      const views = await readViews(account, lived);
      for (const one of lived) await expectOneTruth(views, one);
      expectOneSum(views, lived);
      const metrics = await readMetrics();
      for (const { id } of lived) expectMeasured(metrics, await views.get(`/v1/monitors/${id}`));
      expect(countOpenInAll(metrics)).toBe(openBefore + views.unresolved.data.length);
      await expectOneUptimeLater(views);
    }),
    { ...propertyOptions(5), examples: [[[INTERRUPTED]]] },
  );
});
