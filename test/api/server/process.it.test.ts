/** Tests the API as its own process, while its dependencies are unavailable. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { choosePort } from '../../../src/embedded/free-port';
import { noteStart } from '../../support/note-start';
import { waitUntil } from '../../support/wait-until';

const PROGRAM = path.join(__dirname, '../../../dist/main/api.js');

let api: ChildProcess;
let url: string;

function start(
  environment: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): void {
  noteStart('process');
  api = spawn(process.execPath, [...options, PROGRAM], {
    env: {
      ...process.env,
      KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Collects the standard error of the process. `read` returns the text so far. */
function readErrors(): { readonly read: () => string } {
  let said = '';
  api.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { read: () => said };
}

afterEach(async () => {
  if (api.exitCode === null && api.kill('SIGKILL')) await once(api, 'exit');
});

test('without the database and Temporal, the API is alive but not ready, and ends cleanly on SIGTERM', async () => {
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
  const refused = await fetch(`${url}/v1/monitors`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(await refused.json()).toMatchObject({ code: 'unavailable' });
  api.kill('SIGTERM');
  const [code] = await once(api, 'exit');
  expect(code).toBe(0);
});

test('the API names every missing setting at once and ends with code 2', async () => {
  start({ MONGODB_URI: '', TEMPORAL_ADDRESS: '', KEEPWATCH_SECRET_KEY: '', PORT: 'x' });
  const { read } = readErrors();
  const [code] = await once(api, 'exit');
  expect(code).toBe(2);
  for (const name of ['MONGODB_URI', 'TEMPORAL_ADDRESS', 'KEEPWATCH_SECRET_KEY', 'PORT'])
    expect(read()).toContain(name);
});

test('the API logs an unhandled error, closes in order and ends with code 1', async () => {
  const port = await choosePort(undefined);
  const closed = await choosePort(undefined);
  const preloaded = path.join(__dirname, '../../support/reject-on-signal.cjs');
  const servers = {
    MONGODB_URI: `mongodb://127.0.0.1:${closed}`,
    TEMPORAL_ADDRESS: `127.0.0.1:${closed}`,
  };
  start({ PORT: String(port), ...servers }, ['--require', preloaded]);
  const { read } = readErrors();
  await waitUntil('the API is alive', async () => {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  });
  api.kill('SIGUSR2');
  const [code] = await once(api, 'exit');
  expect(code).toBe(1);
  expect(read()).toContain('"origin":"unhandledRejection"');
  expect(read()).toContain('"message":"nobody waits for this promise"');
  expect(read()).toContain('"unhandledErrors":1');
  expect(read()).not.toContain('could not close cleanly');
});
