/** Regions without a worker, and targets that hang: neither is held against anybody else. */
import { z } from 'zod';
import { PROBE_HELLO_EVERY_MS } from '../../src/contracts/probe-protocol';
import { connectTo } from '../models/test-database';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const regionPage = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      workers: z.number(),
      lastSeenAt: z.string().nullable(),
    }),
  ),
});
const monitorShape = z.object({
  health: z.string(),
  currentIncidentId: z.string().nullable(),
  regionsHealth: z.record(z.string(), z.object({ health: z.string() })),
});

let service: TestService;
let target: SwitchableTarget;
let api: ApiClient;

beforeAll(async () => {
  target = await startSwitchableTarget();
  service = await startService({
    regions: ['eu-west', 'us-east'],
    environment: { KEEPWATCH_REGIONS: 'eu-west,us-east,ap-south' },
  });
  api = createApiClient(service.url, (await service.setup()).apiKey);
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
});

async function readRegions() {
  const { data } = await api.call(
    { method: 'GET', path: '/v1/regions' },
    { status: 200, shape: regionPage },
  );
  return Object.fromEntries(data.map(({ id, ...region }) => [id, region]));
}

test('a region tells its workers and when one was last seen; one that never had any says so', async () => {
  const regions = await waitUntil('both probes have said hello', async () => {
    const seen = await readRegions();
    return seen['eu-west']?.workers === 1 && seen['us-east']?.workers === 1 && seen;
  });
  expect(Object.keys(regions)).toEqual(['ap-south', 'eu-west', 'us-east']);
  expect(regions['ap-south']).toEqual({ status: 'offline', workers: 0, lastSeenAt: null });
  expect(regions['eu-west']).toMatchObject({ status: 'online', lastSeenAt: expect.any(String) });
});

test('a check in a region without a worker is region_unavailable and never down', async () => {
  await service.kill('probe-us-east');
  const body = { name: 'two of three', url: `${target.url}/here`, interval: 10 };
  const id = await api.createMonitor({ ...body, regions: ['eu-west', 'us-east', 'ap-south'] });
  const results = await waitUntil('two slots', async () => {
    const rows = await api.resultsOf(id);
    return rows.length >= 6 && rows;
  });
  for (const region of ['us-east', 'ap-south']) {
    for (const result of results.filter((row) => row.region === region))
      expect(result).toMatchObject({
        status: 'unknown',
        failure: { code: 'region_unavailable' },
      });
  }
  expect(results.filter(({ status }) => status === 'down')).toEqual([]);
  const monitor = await api.call(
    { method: 'GET', path: `/v1/monitors/${id}` },
    { status: 200, shape: monitorShape },
  );
  expect(monitor).toMatchObject({
    health: 'up',
    currentIncidentId: null,
    regionsHealth: { 'eu-west': { health: 'up' }, 'us-east': { health: 'unknown' } },
  });
}, 90_000);

/** As if the region had been silent for three more hellos. */
async function moveLastHello(region: string): Promise<void> {
  const database = await connectTo(service.mongodbUri, service.suite);
  const earlier = { $inc: { lastSeenAtMs: -3 * PROBE_HELLO_EVERY_MS } };
  await database.models.regionProbes.updateMany({ region }, earlier);
  await database.close();
}

test('a region that fell silent goes offline, and keeps when it was last seen', async () => {
  await moveLastHello('us-east');
  const region = await waitUntil('us-east is offline', async () => {
    const seen = (await readRegions())['us-east'];
    return seen?.status === 'offline' && seen;
  });
  expect(region).toMatchObject({ workers: 0, lastSeenAt: expect.any(String) });
  await service.start('probe-us-east');
  await waitUntil('it is back', async () => (await readRegions())['us-east']?.workers === 1);
}, 120_000);
