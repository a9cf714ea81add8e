/** The API as a process of its own, while what it needs is away. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { choosePort } from '../../../src/embedded/free-port';
import { waitUntil } from '../../support/wait-until';

const PROMISED_MS = 3_000;
/** Machines that run tests are busy. */
const SLACK_MS = 2_000;
const PROGRAM = path.join(__dirname, '../../../dist/main/api.js');

let api: ChildProcess;
let url: string;

function start(environment: Readonly<Record<string, string>>): void {
  api = spawn(process.execPath, [PROGRAM], {
    env: {
      ...process.env,
      KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

afterEach(async () => {
  if (api.exitCode === null && api.kill('SIGKILL')) await once(api, 'exit');
});

test('it is alive at once, not ready, answers 503, and ends cleanly on SIGTERM', async () => {
  const port = await choosePort(undefined);
  const closed = await choosePort(undefined);
  url = `http://127.0.0.1:${port}`;
  start({
    PORT: String(port),
    MONGODB_URI: `mongodb://127.0.0.1:${closed}`,
    TEMPORAL_ADDRESS: `127.0.0.1:${closed}`,
  });
  await waitUntil('the API is alive', async () => (await fetch(`${url}/healthz`)).ok);
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({
    status: 'unavailable',
    dependencies: {
      database: { status: 'down' },
      temporal: { status: 'down' },
      temporalNamespace: { status: 'down' },
    },
  });
  const beganMs = Date.now();
  const refused = await fetch(`${url}/v1/monitors`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(Date.now() - beganMs).toBeLessThan(PROMISED_MS + SLACK_MS);
  api.kill('SIGTERM');
  const [code] = await once(api, 'exit');
  expect(code).toBe(0);
});

test('it names every missing setting at once and ends with code 2', async () => {
  start({ MONGODB_URI: '', TEMPORAL_ADDRESS: '', KEEPWATCH_SECRET_KEY: '', PORT: 'x' });
  let said = '';
  api.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(api, 'exit');
  expect(code).toBe(2);
  for (const name of ['MONGODB_URI', 'TEMPORAL_ADDRESS', 'KEEPWATCH_SECRET_KEY', 'PORT'])
    expect(said).toContain(name);
});
