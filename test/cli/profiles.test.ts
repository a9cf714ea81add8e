/** Tests `keepwatch profiles`: the values that checks inherit. */
import { startFakeService } from './fake-service';
import { onTerminal } from './terminal';

test('the list of profiles shows the fields that each profile sets, and JSON output is complete', async () => {
  const data = [
    { id: 'prf_1', key: 'shop', name: 'Shop', set: { retries: 2, interval: 30 } },
    { id: 'prf_2', key: 'jobs', name: 'Jobs', set: {} },
  ];
  const page = [200, { data, nextCursor: null }] as const;
  const service = await startFakeService({ 'GET /v1/profiles': [page, page] });
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  const list = (...more: readonly string[]) =>
    onTerminal(['profiles', 'list', ...more], { environment, isTerminal: false });
  const { code, stdout } = await list();
  expect(code).toBe(0);
  expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['KEY', 'NAME', 'SETS'],
    ['shop', 'Shop', 'interval, retries'],
    ['jobs', 'Jobs'],
    [''],
  ]);
  expect(JSON.parse((await list('--output', 'json')).stdout)).toEqual({ data });
  await service.close();
});
