import { type ApiClient, createApiClient } from '../support/api-client';
import { type CountingTarget, startCountingTarget } from '../support/counting-target';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const MONITORS = 50;
const INTERVAL_MS = 10_000;
const SLOTS = testSize('slots', { ci: 4, long: 30 });
const TIME_MAX_MS = SLOTS * INTERVAL_MS + 80_000;
const REGIONS = ['eu-west', 'us-east'];

describe('50 monitors every 10 seconds', () => {
  let service: TestService;
  let target: CountingTarget;
  let api: ApiClient;

  beforeAll(async () => {
    [service, target] = await Promise.all([
      startService({ regions: REGIONS }),
      startCountingTarget(),
    ]);
    api = createApiClient(service.url, (await service.setup()).apiKey);
  });

  afterAll(async () => {
    await Promise.all([service?.stop(), target?.close()]);
  });

  it(
    '50 monitors check every slot in every region exactly once',
    async () => {
      const numbers = Array.from({ length: MONITORS }, (_, index) => index);
      const ids: string[] = [];
      // Creates the monitors one after the other, because this test is not about concurrent creation.
      for (const index of numbers) {
        const url = `${target.url}/m${index}`;
        ids.push(await api.createMonitor({ name: `m${index}`, url, interval: 10 }));
      }
      for (const [index, id] of ids.entries()) {
        const results = await waitUntil(
          `monitor ${index} has ${SLOTS} slots in both regions`,
          async () => {
            const rows = await api.resultsOf(id);
            return rows.length >= SLOTS * REGIONS.length && rows;
          },
        );
        for (const region of REGIONS) {
          const { doubled, unnamed } = readSlots(results, { region, intervalMs: INTERVAL_MS });
          expect({ index, region, doubled, unnamed }).toEqual({
            index,
            region,
            doubled: [],
            unnamed: [],
          });
        }
        expect(results.filter(({ status }) => status !== 'up')).toEqual([]);
        expect(results.filter(({ gap }) => gap !== null)).toEqual([]);
        expect(target.countOf(`/m${index}`)).toBeGreaterThanOrEqual(results.length);
        expect(target.countOf(`/m${index}`)).toBeLessThanOrEqual(results.length + REGIONS.length);
      }
    },
    TIME_MAX_MS,
  );

  it('a new monitor is checked at once, long before its first interval has passed', async () => {
    const id = await api.createMonitor({ name: 'new', url: `${target.url}/new`, interval: 3600 });
    await waitUntil('the first results', async () => (await api.resultsOf(id)).length === 2);
    expect(target.countOf('/new')).toBe(2);
  });
});
