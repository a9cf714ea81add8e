/**
 * Tests public figures of status pages: uptime of groups and of the page, response times, the format of Statuspage, and
 * encodings.
 *
 * Covers:
 * - services/status-pages/public-outages
 * - services/status-pages/response-times
 */
import request from 'supertest';
import { formatMilliseconds } from '../../../src/domain/text/figures';
import { monitorRecord, passingOutcome } from '../../models/example-records';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);
let slugs = 0;

beforeEach(() => {
  service.clock.nowMs = Math.ceil(service.clock.nowMs / DAY_MS) * DAY_MS + DAY_MS / 3;
});

const newMonitor = async () =>
  (await arranged(as().post('/v1/monitors').send({ name: 'm', url: 'http://example.com' }))).id;

async function newPage(ids: readonly string[], fields: object = {}) {
  slugs += 1;
  const slug = `figures-${slugs}`;
  const items = ids.map((id, at) => ({ id, name: `Item ${at}` }));
  const groups = [{ name: 'Customers', items }];
  const body = { slug, title: 'Shop', isPublic: true, showBadges: true, groups, ...fields };
  await arranged(as().post('/v1/status-pages').send(body));
  return slug;
}

async function record(monitorId: string, changes: object) {
  await service.recorder.recordMonitorCheck(
    monitorRecord({ accountId: account.id, monitorId, ...changes }),
  );
}

const visit = (path: string) => request(service.app).get(path).buffer(true);

it('the uptime of a group and of the page is computed from the observed time of all items', async () => {
  const [steady, broken] = [await newMonitor(), await newMonitor()];
  const startMs = service.clock.nowMs;
  await record(steady, { slotMs: startMs });
  await record(broken, { slotMs: startMs, health: 'down' });
  service.clock.nowMs = startMs + HOUR_MS;
  for (const id of [steady, broken])
    await record(id, {
      slotMs: startMs + HOUR_MS,
      health: id === steady ? 'up' : 'down',
      healthSinceMs: startMs,
    });
  const slug = await newPage([steady, broken]);
  const { text } = await visit(`/status/${slug}`);
  expect(text.match(/Uptime over 90 days: 50\.0%/g)).toHaveLength(2);
});

it('an outage that the status page no longer lists is on the page of its month', async () => {
  const monitorId = await newMonitor();
  const openedAtMs = service.clock.nowMs;
  const cause = { code: 'timeout', message: 'slow' } as const;
  const incident = { openedAtMs, cause, regions: ['eu-west'], firstRunId: null };
  const own = { ...incident, id: service.services.newId('incident') };
  const closedAtMs = openedAtMs + HOUR_MS;
  const down = { health: 'down', healthSinceMs: openedAtMs, currentIncidentId: own.id };
  await record(monitorId, { slotMs: openedAtMs, ...down, incident: { ...own, closedAtMs: null } });
  await record(monitorId, { slotMs: closedAtMs, health: 'up', incident: { ...own, closedAtMs } });
  service.clock.nowMs += 20 * DAY_MS;
  const slug = await newPage([monitorId]);
  expect((await visit(`/status/${slug}`)).text).not.toContain('was down for');
  const month = new Date(openedAtMs).toISOString().slice(0, 7);
  const { text } = await visit(`/status/${slug}/history/${month}`);
  expect(text).toContain('Item 0</bdi> was down for 1 h');
});

it('response times and their badge are shown only on status pages whose settings enable them', async () => {
  const monitorId = await newMonitor();
  const startMs = service.clock.nowMs;
  for (const [at, responseTimeMs] of [100, 200, 300].entries()) {
    service.clock.nowMs = startMs + at * HOUR_MS;
    const outcome = { ...passingOutcome(), responseTimeMs };
    const outcomes = [{ region: 'eu-west', outcome }];
    await record(monitorId, { slotMs: service.clock.nowMs, outcomes, healthSinceMs: startMs });
  }
  service.clock.nowMs += 1_000;
  const plain = await newPage([monitorId]);
  expect((await visit(`/status/${plain}`)).text).not.toContain('Response time');
  expect((await visit(`/badges/${plain}/${monitorId}.svg?metric=response`)).status).toBe(404);

  const shown = await newPage([monitorId], { showResponseTimes: true });
  const { text } = await visit(`/status/${shown}`);
  // The pattern allows several values, because percentiles come from a histogram with an error of a few percent.
  expect(text).toMatch(/Median response time: (?:19|20)\d ms<\/summary>/);
  expect(text).toMatch(/role="img" aria-label="Response time, last 24 hours: .* from .* to .* ms"/);
  const badge = await visit(`/badges/${shown}/${monitorId}.svg?metric=response`);
  expect(String(badge.body)).toMatch(/Item 0: (?:19|20)\d ms/);
  expect((await visit(`/badges/${shown}/overall.svg?metric=response`)).status).toBe(404);
  const whole = await visit(`/badges/${shown}/overall.svg?metric=uptime`);
  expect(String(whole.body)).toContain('Shop: 100%');
});

it('a status page and a monitor have the same median of the response time in the last 24 hours', async () => {
  const monitorId = await newMonitor();
  const startMs = service.clock.nowMs + HOUR_MS / 2;
  for (const [at, responseTimeMs] of [900, 900, 100, 100, 100].entries()) {
    service.clock.nowMs = startMs + at * 10 * 60_000;
    const outcomes = [{ region: 'eu-west', outcome: { ...passingOutcome(), responseTimeMs } }];
    await record(monitorId, { slotMs: service.clock.nowMs, outcomes, healthSinceMs: startMs });
  }
  const slug = await newPage([monitorId], { showResponseTimes: true });
  for (const minutes of [1, 15, 25, 35]) {
    service.clock.nowMs = startMs + DAY_MS + minutes * 60_000;
    const { body } = await as().get(`/v1/monitors/${monitorId}/uptime?window=24h`);
    const badge = await visit(`/badges/${slug}/${monitorId}.svg?metric=response`);
    expect(String(badge.body)).toContain(`Item 0: ${formatMilliseconds(body.responseTimeMs.p50)}`);
  }
});

it('a page serves the Statuspage files about itself, and no other files of that API', async () => {
  const monitorId = await newMonitor();
  await record(monitorId, { slotMs: service.clock.nowMs, health: 'down' });
  const slug = await newPage([monitorId]);
  const summary = await request(service.app).get(`/status/${slug}/api/v2/summary.json`);
  expect(summary.body).toMatchObject({
    page: { name: 'Shop', url: `http://keepwatch.test/status/${slug}` },
    status: { indicator: 'critical' },
    components: [{ group: true }, { id: monitorId, name: 'Item 0', status: 'major_outage' }],
    incidents: [],
    scheduled_maintenances: [],
  });
  expect(summary.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=30',
  });
  expect((await request(service.app).get(`/status/${slug}/api/v2/users.json`)).status).toBe(404);
  expect((await request(service.app).get('/status/none/api/v2/summary.json')).status).toBe(404);
});

it('figures and texts of a status page are in its language', async () => {
  const monitorId = await newMonitor();
  await record(monitorId, { slotMs: service.clock.nowMs });
  const slug = await newPage([monitorId], { language: 'de' });
  const { text } = await visit(`/status/${slug}`);
  expect(text).toContain('<html lang="de">');
  expect(text).toContain('Alle Systeme verfügbar');
  const badge = await visit(`/badges/${slug}/${monitorId}.svg`);
  expect(String(badge.body)).toContain('Verfügbar');
  const unknown = await as()
    .post('/v1/status-pages')
    .send({ slug: 'tlh', title: 't', language: 'tlh' });
  expect(unknown.body.errors).toMatchObject([{ path: 'language' }]);
});

it('a status page is exported completely, and applying the export changes nothing', async () => {
  const monitorId = await newMonitor();
  const fields = {
    access: { type: 'ips', ranges: ['203.0.113.0/24'] },
    domains: ['figures.example.com'],
    language: 'ja',
    showResponseTimes: true,
  };
  await newPage([monitorId], fields);
  await newPage([monitorId], { access: { type: 'password', password: 'open sesame' } });
  const { statusPages } = (await as().get('/v1/export')).body;
  expect(statusPages).toHaveLength(2);
  expect(statusPages).toEqual(
    expect.arrayContaining([
      expect.objectContaining(fields),
      expect.objectContaining({ access: { type: 'password' } }),
    ]),
  );
  const applied = await as().post('/v1/apply').send({ statusPages });
  const actions = applied.body.objects.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(['unchanged', 'unchanged']);
});

it('a status page responds to a cached ETag with 304 only for the same encoding', async () => {
  const path = `/status/${await newPage([await newMonitor()])}`;
  const ask = (encodings: string, tag: string) =>
    request(service.app).head(path).set({ 'Accept-Encoding': encodings, 'If-None-Match': tag });
  for (const [encodings, encoding, other] of [
    ['gzip, deflate, br', 'br', 'gzip'],
    ['gzip', 'gzip', 'br'],
    ['deflate', 'deflate', 'identity'],
    ['identity', undefined, 'deflate'],
  ] as const) {
    const { headers } = await ask(encodings, '');
    expect(headers['content-encoding']).toBe(encoding);
    const tag = headers['etag'] ?? '';
    expect((await ask(encodings, tag)).status).toBe(304);
    expect((await ask(other, tag)).status).toBe(200);
  }
});
