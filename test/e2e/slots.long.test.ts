/**
 * Tests monitors at the shortest interval, in two regions. steady-checks.long.test.ts runs fifty such monitors for
 * longer.
 */
import type { ApiClient } from '../support/api-client';
import { type CountingTarget, startCountingTarget } from '../support/counting-target';
import { never } from '../support/never';
import { openSharedService, type SharedService } from '../support/shared-service';
import { readSlots } from '../support/slots';
import { waitUntil } from '../support/wait-until';

const MONITORS = 10;
const SLOTS = 3;
const INTERVAL_MS = 10_000;

let service: SharedService;
let target: CountingTarget;
let api: ApiClient;

beforeAll(async () => {
  [service, target] = await Promise.all([openSharedService(), startCountingTarget()]);
  ({ api } = await service.newAccount());
});
afterAll(async () => {
  await Promise.all([service?.close(), target?.close()]);
});

test('each slot of each monitor is checked exactly once in each region', async () => {
  const { regions } = service;
  const names = Array.from({ length: MONITORS }, (_, nth) => `m${nth}`);
  const ids = await Promise.all(
    names.map((name) =>
      api.createMonitor({
        name,
        url: `${target.url}/${name}`,
        interval: INTERVAL_MS / 1_000,
        regions,
      }),
    ),
  );
  for (const [nth, id] of ids.entries()) {
    // Waits for successful checks only. If a busy machine did not start a slot in time, a gap names this slot.
    const results = await waitUntil(`${SLOTS} slots of ${names[nth]}`, async () => {
      const rows = await api.resultsOf(id);
      return rows.filter(({ status }) => status === 'up').length >= SLOTS * regions.length && rows;
    });
    const measured = results.filter(({ gap, status }) => gap === null && status !== 'unknown');
    await never(() => {
      for (const region of regions) {
        const { doubled, unnamed } = readSlots(results, { region, intervalMs: INTERVAL_MS });
        expect({ nth, region, doubled, unnamed }).toEqual({
          nth,
          region,
          doubled: [],
          unnamed: [],
        });
      }
      expect(measured.filter(({ status }) => status !== 'up')).toEqual([]);
      expect(target.countOf(`/${names[nth]}`)).toBeGreaterThanOrEqual(measured.length);
    });
  }
});
