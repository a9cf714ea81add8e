/** Tests what the command line prints and reports about failed checks and runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const REASON = 'Expected status 2xx, got 503.';
const exchange = {
  request: { method: 'GET', url: 'https://shop.example.com/orders', headers: null },
  response: { status: 503, bodyPreview: '\n  {"error":"no stock"}\nmore' },
  assertions: [{ ok: false, message: REASON }],
  failure: { code: 'assertion_failed', message: REASON },
};
const EXCHANGE = ['GET https://shop.example.com/orders → 503', '{"error":"no stock"}'];
const resource = (id: string) => ({
  id,
  name: 'Shop',
  key: 'shop',
  state: 'active',
  status: 'up',
  health: 'up',
  regions: ['eu-west'],
  tags: [],
  links: { temporal: null },
});
const failedRun = {
  id: 'run_1',
  scenarioId: 'scn_1',
  region: 'eu-west',
  status: 'failed',
  durationMs: 1_200,
  steps: [
    { name: 'log in', status: 'passed', responseTimeMs: 2.95 },
    { name: 'read order', status: 'failed', responseTimeMs: 8.4, ...exchange },
  ],
  failure: { code: 'assertion_failed', message: REASON, stepName: 'read order' },
  links: { temporal: { url: 'https://temporal.example.com/run_1' } },
};

let service: FakeService;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-runs-'));
  const runs = [{ id: 'run_1', region: 'eu-west', status: 'queued' }];
  const down = { id: 'mon_1:eu-west:1', monitorId: 'mon_1', region: 'eu-west', status: 'down' };
  const result = { ...down, ok: false, responseTimeMs: 8.4, ...exchange };
  service = await startFakeService({
    'GET /v1/scenarios/scn_1': [[200, resource('scn_1')]],
    'POST /v1/scenarios/scn_1/run': [[202, { runs }]],
    'GET /v1/scenarios/scn_1/results/run_1': [[200, failedRun]],
    'GET /v1/monitors/mon_1': [[200, resource('mon_1')]],
    'POST /v1/monitors/mon_1/run': [[202, { id: 'req_1' }]],
    'GET /v1/monitors/mon_1/results': [[200, { data: [result], nextCursor: null }]],
    'POST /v1/monitors/test': [[200, { ...result, id: null, monitorId: null }]],
  });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

function run(parameters: readonly string[], input = '') {
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  return onTerminal(parameters, { environment, isTerminal: false, input });
}

test('a failed run prints what the failed step sent and received, and the page of the run', async () => {
  const { code, stdout } = await run(['run', 'scn_1', '--wait']);
  expect([
    code,
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim()),
  ]).toEqual([
    1,
    [
      'failed    shop in eu-west, 1.2 s',
      'passed    log in',
      'failed    read order',
      REASON,
      ...EXCHANGE,
      `${service.url}/scenarios/scn_1/runs/run_1`,
    ],
  ]);
});

test('the JUnit report names request, response and page, and has times with at most 3 decimals', async () => {
  const file = join(folder, 'junit.xml');
  expect((await run(['run', 'scn_1', '--junit', file])).code).toBe(1);
  const report = readFileSync(file, 'utf8');
  const page = `${service.url}/scenarios/scn_1/runs/run_1`;
  for (const text of [...EXCHANGE, page]) expect(report).toContain(text);
  const times = [...report.matchAll(/<testcase[^>]* time="([^"]+)"/g)].map(([, time]) => time);
  expect(times).toEqual(['0.003', '0.008']);
});

test('a failed check of a monitor prints request and response, and its page if it is stored', async () => {
  const saved = await run(['monitors', 'run', 'mon_1', '--wait']);
  expect([saved.code, saved.stdout.trimEnd().split('\n').slice(2)]).toEqual([
    1,
    [
      '',
      'shop in eu-west',
      ...EXCHANGE.map((line) => `  ${line}`),
      `  ${service.url}/monitors/mon_1/results/mon_1:eu-west:1`,
    ],
  ]);
  const definition = { monitors: [{ key: 'shop', url: 'https://shop.example.com/orders' }] };
  const check = ['check', '-f', '-', '--region', 'eu-west'];
  const tested = await run(check, JSON.stringify(definition));
  expect([tested.code, tested.stdout.trimEnd().split('\n').slice(1)]).toEqual([
    1,
    [REASON, ...EXCHANGE].map((line) => `  ${line}`),
  ]);
});
