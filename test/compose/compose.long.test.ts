/** Tests that the services of both compose files really start, check and stop as the files describe. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { createServiceClient, isReady, setUpAccount } from '../../src/demo/service-client';
import { type ShopSite, startShopSite } from '../../src/demo/shop-site';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { silentProgress } from '../../src/embedded/progress';
import { runCommand } from '../../src/embedded/run-command';
import { findTemporal } from '../../src/embedded/temporal-sources';
import { followReadme } from '../docs/follow-readme';
import { databaseUri, temporalAddress, uniqueSuite } from '../support/service';
import { waitUntil } from '../support/wait-until';
import { readCompose } from './read-compose';
import { type RunningCompose, runCompose } from './run-compose';

const SETUP_TOKEN = 'a-token-for-containers';
const VARIABLES = {
  KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
  KEEPWATCH_SETUP_TOKEN: SETUP_TOKEN,
  KEEPWATCH_PUBLIC_URL: 'https://watch.example.com',
  KEEPWATCH_TRUST_PROXY: '1',
  POSTGRES_PASSWORD: 'cd'.repeat(32),
  MONGO_PASSWORD: 'ef'.repeat(32),
  MONGO_REPLICA_KEY: '01'.repeat(32),
};

let shop: ShopSite;
let running: RunningCompose | undefined;

beforeAll(async () => {
  shop = await startShopSite();
});
afterEach(async () => {
  await running?.terminate();
});
afterAll(() => shop.close());

function read(file: string) {
  return readCompose(file, {
    ...VARIABLES,
    KEEPWATCH_ALLOWED_PRIVATE_TARGETS: `127.0.0.1/32#${shop.port}`,
  });
}

/** Starts the containers, monitors the shop from both regions, and stops them. */
async function liveThrough(
  file: string,
  setUp: (url: string) => Promise<{ readonly apiKey: string }>,
): Promise<void> {
  const mongodbUri = databaseUri(uniqueSuite());
  running = await runCompose(read(file), { mongodbUri, temporal: temporalAddress() });
  const { url } = running;
  await waitUntil('the API is ready', () => isReady(url));
  const { apiKey } = await setUp(url);
  const client = createServiceClient(url, apiKey);
  await running.whenHealthy();

  const { id } = await client.createMonitor({ name: 'Shop', url: shop.url, interval: 10 });
  const seen = await waitUntil('both regions have checked', async () => {
    const results = await client.results(id);
    return results.length >= 2 ? results : undefined;
  });
  expect(new Set(seen.map(({ region }) => region))).toEqual(new Set(['eu-west', 'us-east']));
  expect(seen.map(({ status, failure }) => ({ status, failure }))).toEqual(
    seen.map(() => ({ status: 'up', failure: null })),
  );

  for (const [name, code] of await running.terminate()) expect([name, code]).toEqual([name, 0]);
}

test('docker-compose.yml: all services start, the commands of the README work, and all stop', async () => {
  await prepareNamespace(temporalAddress(), 'default');
  await liveThrough('docker-compose.yml', (url) => followReadme(url, SETUP_TOKEN));
});

test('docker-compose.prod.yml: all services start, check and stop in order', async () => {
  const job = read('docker-compose.prod.yml').services['temporal-namespace'];
  const [shell = '', ...args] = job?.entrypoint ?? [];
  const folder = mkdtempSync(path.join(tmpdir(), 'keepwatch-tools-'));
  const search = { address: undefined, environment: process.env, progress: silentProgress };
  const found = z.object({ path: z.string() }).parse(await findTemporal(search));
  symlinkSync(found.path, path.join(folder, 'temporal'));
  const environment = {
    ...job?.environment,
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    TEMPORAL_ADDRESS: temporalAddress(),
  };
  for (let time = 1; time <= 2; time += 1) {
    const { code, stderr } = await runCommand(shell, args, { environment, timeoutMs: 60_000 });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  }
  rmSync(folder, { recursive: true });
  await liveThrough('docker-compose.prod.yml', (url) => setUpAccount(url, SETUP_TOKEN));
});
