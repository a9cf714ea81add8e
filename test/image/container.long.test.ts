/**
 * Tests the image with KEEPWATCH_ROLE=all, as `docker run` starts it: one volume, one port, no internet for its
 * servers, `kill -9` of process 1, and a stop in order. test/image/run-image.ts describes how close this is to a
 * container.
 */

import { createServiceClient, setUpAccount } from '../../src/demo/service-client';
import { type ShopSite, startShopSite } from '../../src/demo/shop-site';
import { choosePort } from '../../src/embedded/free-port';
import { never } from '../support/never';
import { noteStart } from '../support/note-start';
import { waitUntil } from '../support/wait-until';
import { buildImageFolder, type ImageFolder } from './image-folder';
import { type Container, runContainer } from './run-image';

const READY = 'Ctrl-C stops everything in order.';
const INTERVAL_SECONDS = 10;

let image: ImageFolder;
let shop: ShopSite;
let volume: string;
let port: number;
let container: Container | undefined;

beforeAll(async () => {
  image = await buildImageFolder();
  shop = await startShopSite();
  volume = image.newVolume();
  port = await choosePort(undefined);
});
afterAll(async () => {
  await container?.signal('SIGKILL').catch(String);
  await shop?.close();
  image?.remove();
});

async function start(): Promise<Container> {
  noteStart('all-in-one');
  const started = runContainer(image, {
    volume,
    environment: {
      PORT: String(port),
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: `127.0.0.1/32#${shop.port}`,
    },
  });
  container = started;
  await waitUntil('the container is ready', () => started.output().includes(READY));
  return started;
}

const url = (): string => `http://127.0.0.1:${port}`;

test('one container survives kill -9 of process 1 without an unrecorded gap, and stops in order', async () => {
  const first = await start();
  const token = /\/setup#token=([0-9a-f]+)/.exec(first.output())?.[1] ?? '';
  expect(await first.checkHealth()).toMatchObject({ code: 0, stdout: 'healthy\n' });

  const { apiKey } = await setUpAccount(url(), token);
  const client = createServiceClient(url(), apiKey);
  const monitor = { name: 'Shop', url: shop.url, interval: INTERVAL_SECONDS };
  const { id } = await client.createMonitor(monitor);
  await waitUntil('both regions have checked', async () => (await client.results(id)).length >= 2);

  await first.signal('SIGKILL');
  await first.ended;
  const second = await start();
  await waitUntil('it is healthy', async () => (await second.checkHealth()).code === 0);
  await waitUntil('slots after the restart', async () => (await client.results(id)).length >= 8);
  const slots = await readSlots(apiKey, id);
  await never(() => expect(findUnnamed(slots)).toEqual([]));
  // The account still exists, so the output does not offer the set-up.
  expect(second.output()).not.toContain('/setup#token=');

  const backup = ['node', 'scripts/backup.mjs', '/data/backup.gz'];
  if (second.isolation !== 'on the root of the host')
    expect(await second.execute(backup)).toMatchObject({ code: 0 });

  await second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(second.output()).toContain('Stopping in order');
});

test('if another program uses the port of a container, the error of the container names the port', async () => {
  const busy = await start();
  const environment = { PORT: String(port) };
  const other = runContainer(image, { volume: image.newVolume(), environment });
  expect(await other.ended).toBe(1);
  expect(other.output()).toContain(`PORT ${port} is taken by another program.`);
  await busy.signal('SIGTERM');
  expect(await busy.ended).toBe(0);
});

interface Slot {
  readonly region: string;
  readonly slot: string;
  readonly gap?: { readonly from: string; readonly to: string; readonly slots: number } | null;
}

async function readSlots(apiKey: string, id: string): Promise<readonly Slot[]> {
  const response = await fetch(`${url()}/v1/monitors/${id}/results?limit=200`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { data }: { data: readonly Slot[] } = JSON.parse(await response.text());
  return data;
}

/**
 * Returns the slots that neither a result nor a gap names. Searches between the first and the last slot of each region.
 */
function findUnnamed(results: readonly Slot[]): readonly string[] {
  return [...new Set(results.map(({ region }) => region))].flatMap((region) => {
    const own = results.filter((one) => one.region === region);
    const named = new Set(
      own.flatMap(({ slot, gap }) => (gap ? listGap(gap) : [Date.parse(slot)])),
    );
    const [from, to] = [Math.min(...named), Math.max(...named)];
    const stepMs = INTERVAL_SECONDS * 1_000;
    const due = Array.from({ length: (to - from) / stepMs }, (_, at) => from + at * stepMs);
    return due
      .filter((at) => !named.has(at))
      .map((at) => `${region} ${new Date(at).toISOString()}`);
  });
}

function listGap({ from, slots }: NonNullable<Slot['gap']>): readonly number[] {
  return Array.from({ length: slots }, (_, at) => Date.parse(from) + at * INTERVAL_SECONDS * 1_000);
}
