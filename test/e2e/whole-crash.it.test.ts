import { type ApiClient, createApiClient } from '../support/api-client';
import { type CountingTarget, startCountingTarget } from '../support/counting-target';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { waitUntil } from '../support/wait-until';

const INTERVAL_MS = 10_000;
const MONITORS = 5;
const SLOW_ANSWER_MS = 1_500;

describe('kill -9 of every process while checks are under way', () => {
  let service: TestService;
  let target: CountingTarget;
  let api: ApiClient;

  beforeAll(async () => {
    target = await startCountingTarget(SLOW_ANSWER_MS);
    const environment = { KEEPWATCH_QUIET_CHECKS: 'off' };
    service = await startService({ regions: ['eu-west'], environment });
    api = createApiClient(service.url, (await service.setup()).apiKey);
  });

  afterAll(async () => {
    await service?.stop();
    await target?.close();
  });

  it('leaves no slot with two results, names the slots that were missed, and calls nothing down', async () => {
    const names = Array.from({ length: MONITORS }, (_, index) => `m${index}`);
    const ids = await Promise.all(
      names.map((name) =>
        api.createMonitor({ name, url: `${target.url}/${name}`, interval: 10, timeoutMs: 3000 }),
      ),
    );
    for (const id of ids) {
      await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0);
    }
    const before = target.total();
    await waitUntil('the next check is under way', () => target.total() > before, 15_000);
    await Promise.all([...service.processes.keys()].map((name) => service.kill(name)));
    const killedAt = Date.now();
    await waitUntil(
      'three slots have passed',
      () => Date.now() > killedAt + 3 * INTERVAL_MS,
      40_000,
    );

    for (const name of ['api', 'orchestrator', 'probe-eu-west']) await service.start(name);
    const restartedAt = Date.now();
    for (const id of ids) {
      const results = await waitUntil(
        'two results after the restart',
        async () => {
          const rows = await api.resultsOf(id);
          const later = rows.filter(
            ({ slot, status }) => Date.parse(slot) > restartedAt - INTERVAL_MS && status === 'up',
          );
          return later.length >= 2 && rows;
        },
        60_000,
      );
      const { doubled, unnamed } = readSlots(results, {
        region: 'eu-west',
        intervalMs: INTERVAL_MS,
      });
      expect({ doubled, unnamed }).toEqual({ doubled: [], unnamed: [] });
      expect(results.filter(({ gap }) => gap?.reason === 'missed')).toHaveLength(1);
      expect(results.filter(({ status }) => status === 'down')).toEqual([]);
    }
  }, 180_000);
});
