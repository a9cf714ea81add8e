/** What Prometheus reads: a valid text, bounded series, and nothing for strangers. */
import request from 'supertest';
import { parseMetrics } from './parse-metrics';
import { openTestService, type TestAccount, type TestService } from './test-service';

const MONITORS = 2_000;
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await openTestService();
  account = await service.newAccount();
});
afterAll(() => service.close());

async function scrape(): Promise<ReturnType<typeof parseMetrics>> {
  service.clock.nowMs += 60_000;
  const answer = await request(service.app).get('/metrics');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  return parseMetrics(answer.text);
}

async function addMonitors(count: number): Promise<void> {
  const { models } = service.database.database;
  const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  const first = await as
    .post('/v1/monitors')
    .send({ name: 'odd "name"\n\\ x', url: 'http://example.com', regions: ['eu-west'] });
  expect(first.status).toBe(201);
  const row = await models.monitors.findOne({ _id: first.body.id }).lean();
  const rows = Array.from({ length: count - 1 }, () => ({
    ...row,
    _id: service.services.newId('monitor'),
  }));
  await models.monitors.insertMany(rows);
  const regions = ['eu-west', 'us-east'].map((region) => ({
    region,
    health: 'up',
    sinceMs: 1,
    lastResponseTimeMs: 250,
  }));
  const ids = [first.body.id, ...rows.map(({ _id }) => _id)];
  await models.statuses.bulkWrite(
    ids.map((_id) => ({
      updateOne: {
        filter: { _id, accountId: account.id },
        update: { $set: { health: 'up', regionsHealth: regions, nextSlotMs: 1_000 } },
        upsert: true,
      },
    })),
  );
}

test('2,000 monitors give two series per region and no more', async () => {
  await addMonitors(MONITORS);
  const samples = await scrape();
  const of = (name: string) => samples.filter((sample) => sample.name === name);
  expect(of('probe_success')).toHaveLength(2 * MONITORS);
  expect(of('probe_duration_seconds')).toHaveLength(2 * MONITORS);
  expect(of('probe_success').every(({ value }) => value === 1)).toBe(true);
  expect(of('probe_duration_seconds')[0]?.value).toBe(0.25);
  expect(of('keepwatch_resources')).toContainEqual(
    expect.objectContaining({ labels: { health: 'up' }, value: MONITORS }),
  );
  expect(of('keepwatch_slot_lag_seconds')[0]?.value).toBeGreaterThan(1000);
  expect(of('keepwatch_metrics_truncated')[0]?.value).toBe(0);
  const names = new Set(samples.map(({ labels }) => labels['name']));
  expect(names).toContain('odd "name"\n\\ x');
});

test('requests are counted by route template, so that ids make no series', async () => {
  const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  for (let index = 0; index < 20; index += 1)
    await as.get(`/v1/monitors/${service.services.newId('monitor')}`);
  await as.get('/nonsense/1');
  const routes = new Set((await scrape()).map(({ labels }) => labels['route']));
  expect(routes).toContain('/v1/monitors/:monitorId');
  expect(routes).toContain('other');
  expect([...routes].filter((route) => route?.includes('mon_'))).toEqual([]);
});

test('a request that came through a proxy is refused without the token', async () => {
  const answer = await request(service.app).get('/metrics').set('X-Forwarded-For', '127.0.0.1');
  expect(answer.status).toBe(401);
});
