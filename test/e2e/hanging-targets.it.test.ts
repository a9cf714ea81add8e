/**
 * One target in five of a region hangs: the checks of the others begin as punctually as those of a region
 * in which none hangs, at the same time on the same machine.
 */
import { z } from 'zod';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const MONITORS = 30;
const HANGING_EVERY = 5;
const INTERVAL_MS = 10_000;
const SLOTS_COMPARED = 3;
/** Until a machine with too much to do has begun; what is promised is compared, not timed. */
const SLOWEST_MACHINE_MS = 90_000;
const REGION = 'eu-west';
const CALM_REGION = 'us-east';

const measuredPage = z.object({
  // Of a slot that was not measured there is no start.
  data: z.array(z.object({ slot: z.string(), startedAt: z.string().nullable() })),
});

let service: TestService;
let target: SwitchableTarget;
let api: ApiClient;

beforeAll(async () => {
  target = await startSwitchableTarget();
  service = await startService({ regions: [REGION, CALM_REGION] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
});

/**
 * How long after its slot each check began, for slots in the span, and an interval for one that was not
 * measured; the first check is on saving.
 */
async function lagsOf(id: string, [fromMs, toMs]: readonly [number, number]) {
  const { data } = await api.call(
    { method: 'GET', path: `/v1/monitors/${id}/results?limit=200` },
    { status: 200, shape: measuredPage },
  );
  return data
    .map(({ slot, startedAt }) => {
      const slotMs = Date.parse(slot);
      return { slotMs, lagMs: startedAt === null ? INTERVAL_MS : Date.parse(startedAt) - slotMs };
    })
    .filter(({ slotMs }) => slotMs > fromMs && slotMs <= toMs)
    .map(({ lagMs }) => lagMs);
}

/** Waits until each has so many slots after the instant; the span that they lie in. */
async function whenChecked(ids: readonly string[], fromMs: number, slots: number) {
  for (const id of ids) {
    await waitUntil(
      `${slots} slots`,
      async () => {
        const rows = await api.resultsOf(id);
        const later = rows.filter(({ slot }) => Date.parse(slot) > fromMs);
        return later.length >= slots;
      },
      slots * INTERVAL_MS + SLOWEST_MACHINE_MS,
    );
  }
  return [fromMs, Date.now()] as const;
}

const isHanging = (index: number) => index % HANGING_EVERY === 0;

const createMonitors = (region: string, paths: readonly string[]) =>
  Promise.all(
    paths.map((path) => {
      const url = target.url + path;
      const times = { interval: INTERVAL_MS / 1_000, timeoutMs: 4_000 };
      return api.createMonitor({ name: path, url, regions: [region], ...times });
    }),
  );

async function expectOnlyUp(id: string, region: string) {
  const results = await api.resultsOf(id);
  const { doubled, unnamed } = readSlots(results, { region, intervalMs: INTERVAL_MS });
  expect({ doubled, unnamed }).toEqual({ doubled: [], unnamed: [] });
  // A machine with too much to do may name a slot as not measured: that counts as lag.
  const measured = results.filter(({ status }) => status !== 'unknown');
  expect(measured.filter(({ status }) => status !== 'up')).toEqual([]);
}

test('20 % hanging targets do not delay the others', async () => {
  const paths = Array.from({ length: MONITORS }, (_, index) => `/m${index}`);
  const ids = await createMonitors(REGION, paths);
  const healthy = ids.filter((_, index) => !isHanging(index));
  const healthyPaths = paths.filter((_, index) => !isHanging(index));
  const calm = await createMonitors(CALM_REGION, healthyPaths);
  // Each was up at a slot before anything hangs.
  await whenChecked([...healthy, ...calm], Date.now(), 1);
  for (const path of paths.filter((_, index) => isHanging(index))) target.hanging.add(path);
  const span = await whenChecked([...healthy, ...calm], Date.now(), SLOTS_COMPARED);

  const lagsIn = (compared: readonly string[]) =>
    Promise.all(compared.map((id) => lagsOf(id, span)));
  const lags = await lagsIn(healthy);
  for (const each of lags) expect(each.length).toBeGreaterThanOrEqual(SLOTS_COMPARED);
  // A target that hangs hangs at each slot. A machine that was busy for a moment delays all checks of that
  // moment, in one region and not in the other: it says nothing of targets, so the least lag counts.
  const leastLags = lags.map((each) => Math.min(...each));
  const calmLags = (await lagsIn(calm)).flat();
  expect(Math.max(...leastLags)).toBeLessThanOrEqual(2 * Math.max(...calmLags));
  for (const id of healthy) await expectOnlyUp(id, REGION);
  for (const id of calm) await expectOnlyUp(id, CALM_REGION);
  const stuck = ids.filter((_, index) => isHanging(index));
  for (const id of stuck) {
    const measured = (await api.resultsOf(id)).filter(({ status }) => status !== 'unknown');
    const failures = measured.flatMap(({ failure }) => failure?.code ?? []);
    expect(new Set(failures)).toEqual(new Set(['timeout']));
  }
}, 300_000);
