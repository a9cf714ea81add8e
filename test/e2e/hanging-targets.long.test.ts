/**
 * Tests a region in which one in five targets hangs. The other targets are still checked at each slot. `npm run bench`
 * measures how punctual these checks are.
 */
import { type ApiClient, createApiClient } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const MONITORS = 30;
const HANGING_EVERY = 5;
const INTERVAL_MS = 10_000;
const SLOTS = 3;
const REGION = 'eu-west';

let service: TestService;
let target: SwitchableTarget;
let api: ApiClient;

beforeAll(async () => {
  target = await startSwitchableTarget();
  service = await startService({ regions: [REGION] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
});

/** Waits until each monitor has measured results of this many slots after the instant. */
async function whenMeasured(ids: readonly string[], sinceMs: number, slots: number): Promise<void> {
  for (const id of ids)
    await waitUntil(`${slots} slots`, async () => {
      const rows = await api.resultsOf(id);
      const later = rows.filter(
        ({ slot, status }) => Date.parse(slot) > sinceMs && status !== 'unknown',
      );
      return later.length >= slots;
    });
}

async function expectOnlyUp(id: string): Promise<void> {
  const results = await api.resultsOf(id);
  const { doubled, unnamed } = readSlots(results, { region: REGION, intervalMs: INTERVAL_MS });
  expect({ doubled, unnamed }).toEqual({ doubled: [], unnamed: [] });
  // Ignores slots that are named as not measured, because the machine may have been too busy.
  const measured = results.filter(({ status }) => status !== 'unknown');
  expect(measured.filter(({ status }) => status !== 'up')).toEqual([]);
}

test('if a fifth of all targets hang, all other monitors stay up and no slot is lost', async () => {
  const paths = Array.from({ length: MONITORS }, (_, index) => `/m${index}`);
  const ids = await Promise.all(
    paths.map((path) =>
      api.createMonitor({ name: path, url: target.url + path, interval: 10, timeoutMs: 4_000 }),
    ),
  );
  const isHanging = (_: unknown, index: number) => index % HANGING_EVERY === 0;
  const stuck = ids.filter(isHanging);
  const healthy = ids.filter((id) => !stuck.includes(id));
  // Targets begin to hang only after each monitor was up at a slot.
  await whenMeasured(ids, Date.now(), 1);
  for (const path of paths.filter(isHanging)) target.hanging.add(path);
  await whenMeasured(healthy, Date.now(), SLOTS);
  for (const id of healthy) await expectOnlyUp(id);
  for (const id of stuck) {
    const failures = (await api.resultsOf(id)).flatMap(({ failure }) => failure?.code ?? []);
    expect(new Set(failures)).toContain('timeout');
  }
});
