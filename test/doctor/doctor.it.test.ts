/** Tests `npm run doctor` on a working service, and on broken services. judgements.test.ts tests its thresholds. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { examineDatabase } from '../../src/doctor/examine-servers';
import { connectTo } from '../models/test-database';
import { type ApiClient, createApiClient } from '../support/api-client';
import { makeOtherBuild } from '../support/other-build';
import { startService, type TestService } from '../support/service';
import { createShiftedClock } from '../support/shifted-clock';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const PROGRAM = join(__dirname, '../../dist/main/doctor.js');
const REPORT = z.object({
  healthy: z.boolean(),
  findings: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['ok', 'warning', 'failed']),
      says: z.string(),
      advice: z.string().nullable(),
    }),
  ),
});

let service: TestService;
let api: ApiClient;
let target: SwitchableTarget;
let settings: Readonly<Record<string, string>>;
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-doctor-'));

beforeAll(async () => {
  target = await startSwitchableTarget();
  service = await startService({ regions: ['eu-west'] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  settings = {
    PORT: new URL(service.url).port,
    MONGODB_URI: service.mongodbUri,
    TEMPORAL_ADDRESS: service.temporalAddress,
    TEMPORAL_NAMESPACE: service.suite,
    KEEPWATCH_DATA_DIR: folder,
    KEEPWATCH_SECRET_KEY: randomBytes(32).toString('hex'),
    KEEPWATCH_REGIONS: 'eu-west',
  };
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function runDoctor(args: readonly string[], overrides: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, ...settings, ...overrides },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    complained += String(chunk);
  });
  const [code]: number[] = await once(child, 'close');
  expect(complained).toBe('');
  return { code, said };
}

async function examine(overrides: Record<string, string> = {}) {
  const { code, said } = await runDoctor(['--json'], overrides);
  const { healthy, findings } = REPORT.parse(JSON.parse(said));
  expect(code).toBe(healthy ? 0 : 1);
  const failures = findings.filter(({ state }) => state === 'failed');
  for (const { state, advice } of findings) expect(advice === null).toBe(state === 'ok');
  return { failures };
}

async function readWorkers(): Promise<number> {
  const shape = z.object({ data: z.array(z.object({ workers: z.number() })) });
  const { data } = await api.call({ method: 'GET', path: '/v1/regions' }, { status: 200, shape });
  return data.reduce((sum, { workers }) => sum + workers, 0);
}

test('a working service passes every check of the doctor with exit code 0', async () => {
  await waitUntil('the probe has registered', async () => (await readWorkers()) > 0);
  const { code, said } = await runDoctor([]);
  expect(code).toBe(0);
  expect(said).toContain('No problems were found.');
  // The result is `ok`. If the server did not push cancellations, it would be a warning.
  expect(said).toMatch(/^ok +Temporal +\d+\.\d+\.\d+, namespace /m);
  const names = [...said.matchAll(/^\S+ {2,}(\S.*?) {2,}\S/gm)].map(([, name]) => name);
  expect(names).toEqual([
    'Node',
    'settings',
    'mail',
    'private targets',
    'secret key',
    'disk',
    'database',
    'clock',
    'Temporal',
    'API',
    'queue orchestrator',
    'queue alerts',
    'queue letters',
    'region eu-west',
    'schedule',
    'workflows',
    'alerts',
    'records',
    'watchdog',
    'builds',
  ]);
});

test('the doctor names each server that does not respond', async () => {
  const { failures } = await examine({
    MONGODB_URI: 'mongodb://127.0.0.1:1/keepwatch',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    PORT: '1',
  });
  expect(failures.map(({ name }) => name)).toEqual(['database', 'Temporal']);
});

const HOUR_MS = 3_600_000;

/**
 * Runs the doctor on a host with a wrong clock, after setting the next slot of a check to `dueInMs` from now. Returns
 * its findings.
 */
async function examineDueIn(
  id: string,
  { dueInMs, clockOffMs }: { readonly dueInMs: number; readonly clockOffMs: number },
  overrides: Record<string, string> = {},
) {
  const opened = await connectTo(service.mongodbUri, service.suite);
  const next = { $set: { nextSlotMs: Date.now() + dueInMs } };
  expect((await opened.models.statuses.updateOne({ _id: id }, next)).matchedCount).toBe(1);
  await opened.close();
  const clock = createShiftedClock();
  clock.shift(clockOffMs);
  const { failures } = await examine({ ...clock.environment, ...overrides });
  clock.remove();
  return failures;
}

const nameOf = ({ name }: { readonly name: string }): string => name;

test('a host clock that is an hour off does not change the findings of the doctor', async () => {
  const id = await api.createMonitor({ name: 'weekly', url: target.url, interval: 604_800 });
  await waitUntil('its first check', async () => (await api.resultsOf(id)).length > 0);
  // The clock of the host is ahead. By this clock, the check would be overdue.
  const ahead = { dueInMs: HOUR_MS / 2, clockOffMs: HOUR_MS };
  const failures = await examineDueIn(id, ahead, { KEEPWATCH_REGIONS: 'eu-west,moon' });
  expect(failures.map(nameOf)).toEqual(['clock', 'region moon']);
  expect(failures[1]?.advice).toContain('keepwatch regions add-probe moon');
  const behind = { dueInMs: -HOUR_MS / 2, clockOffMs: -HOUR_MS };
  expect((await examineDueIn(id, behind)).map(nameOf)).toEqual(['clock', 'schedule']);
  await api.call(
    { method: 'DELETE', path: `/v1/monitors/${id}` },
    { status: 204, shape: z.unknown() },
  );
});

test('the doctor reports a data folder that no service has used, and creates no secret key there', async () => {
  const away = { MONGODB_URI: '', TEMPORAL_ADDRESS: '', KEEPWATCH_SECRET_KEY: '' };
  const { failures } = await examine(away);
  expect(failures.map(({ name }) => name)).toEqual(['secret key', 'database', 'Temporal']);
});

if (isLongForm) {
  test('the doctor reports a missing namespace as a failure', async () => {
    const { failures } = await examine({ TEMPORAL_NAMESPACE: 'nowhere' });
    expect(failures[0]).toMatchObject({
      name: 'Temporal',
      advice: expect.stringContaining('NAMESPACE'),
    });
  });

  test('the doctor names every unusable setting at once', async () => {
    const { failures } = await examine({ PORT: 'x', KEEPWATCH_TRUST_PROXY: 'everybody' });
    expect(failures[0]?.says).toMatch(/PORT .*KEEPWATCH_TRUST_PROXY /);
  });
}

test('the doctor reports a database that refuses access as one problem, and continues with the other checks', async () => {
  const opened = await connectTo(service.mongodbUri, 'gone');
  await opened.close();
  expect(await examineDatabase(opened)).toEqual([
    expect.objectContaining({
      name: 'database',
      state: 'failed',
      says: expect.stringContaining('could not be examined'),
    }),
  ]);
});

if (isLongForm)
  test('the doctor, metrics and overview show a workflow that keeps failing, and how to restart it', async () => {
    const broken = makeOtherBuild('99.0.0', "throw new TypeError('broken on purpose')");
    await service.kill('orchestrator');
    await service.startOrchestrator('orchestrator', broken.folder);
    const id = await api.createMonitor({ name: 'stuck', url: target.url, interval: 60 });
    const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
    await waitUntil('Temporal reports it', async () =>
      /^keepwatch_stuck_workflows\{workflow_type="monitorWorkflow",cause="\w+"\} 1$/m.test(
        await metrics(),
      ),
    );
    const { failures } = await examine();
    expect(failures).toEqual([
      expect.objectContaining({
        name: 'workflows',
        says: expect.stringContaining(`monitor-${id}`),
        advice: expect.stringContaining('temporal workflow terminate --workflow-id'),
      }),
    ]);
    const line = service
      .logOf('orchestrator')
      .split('\n')
      .find((text) => text.includes('Failing workflow task'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      workflowId: `monitor-${id}`,
      workflowType: 'monitorWorkflow',
      runId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cause: 'TypeError: broken on purpose',
      at: expect.stringContaining('runCheck'),
    });
    const shape = z.object({ stuck: z.array(z.object({ id: z.string() })) });
    const overview = await api.call(
      { method: 'GET', path: '/v1/overview' },
      { status: 200, shape },
    );
    expect(overview.stuck).toEqual([{ id }]);

    await service.kill('orchestrator');
    broken.remove();
    const connection = Connection.lazy({ address: service.temporalAddress });
    const client = new Client({ connection, namespace: service.suite });
    await client.workflow.getHandle(`monitor-${id}`).terminate('as the doctor says');
    await connection.close();
    await service.startOrchestrator('mended');
    await waitUntil('it is checked', async () => (await api.resultsOf(id)).length > 0);
    await waitUntil(
      'nothing is stuck',
      async () => !(await metrics()).includes('keepwatch_stuck_workflows{'),
    );
  });
