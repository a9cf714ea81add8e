/**
 * Tests backup and restore. A backup made while the service runs restores everything on another machine, and the
 * restored service repeats no notification.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type DatabaseProcess,
  endProcesses,
  makeFolder,
  removeFolder,
  startProcess,
} from '../embedded/database/database-process';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { never } from '../support/never';
import { startService, type TestService } from '../support/service';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const ANY = z.looseObject({});
const LIST = z.looseObject({ data: z.array(ANY) });
/** Collections that contain the history of health, and the data from which this history was computed. */
const HISTORY = ['healthChanges', 'incidents', 'results', 'runs', 'summaries'];
const SCRIPTS = join(__dirname, '../../scripts');
const SECRET_KEY = randomBytes(32).toString('hex');

const folders: string[] = [];
const services: TestService[] = [];
let hook: HttpSink;
let target: LoopbackServer;
let isBroken = false;

beforeAll(async () => {
  hook = await startHttpSink();
  target = await startLoopbackServer(({ url }, response) => {
    response.statusCode = isBroken && url === '/broken' ? 500 : 200;
    response.end('ok');
  });
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await endProcesses();
  for (const folder of folders) removeFolder(folder);
  await hook?.close();
  await target?.close();
});

function newFolder(): string {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
}

async function startOn(database: DatabaseProcess): Promise<TestService> {
  const environment = { MONGODB_URI: database.uri, KEEPWATCH_SECRET_KEY: SECRET_KEY };
  const service = await startService({ regions: ['eu-west'], environment });
  services.push(service);
  return service;
}

async function run(script: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, [join(SCRIPTS, script), ...args], {
    env: { ...process.env, MONGODB_URI: '', KEEPWATCH_SECRET_KEY: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      said += String(chunk);
    });
  const [code]: number[] = await once(child, 'exit');
  return { code, said };
}

/** Returns the number of documents in each collection, and all documents with history. */
async function contentOf({ client }: DatabaseProcess) {
  const database = client.db();
  const names = (await database.listCollections().toArray()).map(({ name }) => name).sort();
  const counts = names.map(async (name) => [
    name,
    await database.collection(name).countDocuments(),
  ]);
  const history = HISTORY.map((name) =>
    database.collection(name).find().sort({ _id: 1 }).toArray(),
  );
  return { counts: await Promise.all(counts), history: await Promise.all(history) };
}

const ask = (api: ApiClient, path: string) =>
  api.call({ method: 'GET', path }, { status: 200, shape: LIST });

const post = (api: ApiClient, path: string, body: object, status: number) =>
  api.call({ method: 'POST', path, body }, { status, shape: ANY });

/** Returns the row without durations, because the durations of an open incident and its episodes still grow. */
function withoutSoFar(row: object): object {
  const text = JSON.stringify(row, (key, value: unknown) =>
    key === 'durationSeconds' ? undefined : value,
  );
  return ANY.parse(JSON.parse(text));
}

/** Reads everything that people see, without values that change all the time. */
async function everything(api: ApiClient, ids: readonly string[]) {
  const lists = ['monitors', 'scenarios', 'incidents', 'alerts', 'alert-channels'];
  const seen = lists.map(async (list) => {
    const { data } = await ask(api, `/v1/${list}`);
    return [list, data.map(withoutSoFar)] as const;
  });
  const results = ids.map(async (id) => [id, await api.resultsOf(id)] as const);
  return Object.fromEntries(await Promise.all([...seen, ...results]));
}

const alertTypes = (): readonly (string | undefined)[] =>
  hook.events.map(({ body }) => /"type":"alert\.(\w+)"/.exec(body)?.[1]);

/** Creates a scenario with a run, and monitors. The monitors are checked once and then only on request. */
async function fill(api: ApiClient): Promise<readonly string[]> {
  const { port } = target;
  const base = { interval: 3_600, retries: 0 };
  await post(api, '/v1/alert-channels', { name: 'hook', type: 'webhook', url: hook.url }, 201);
  const ids: string[] = [];
  for (const name of ['broken', 'steady', 'paused']) {
    const url = `http://127.0.0.1:${port}/${name}`;
    ids.push(await api.createMonitor({ ...base, name, url }));
  }
  for (const id of ids)
    await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0);
  await post(api, `/v1/monitors/${ids[2]}/pause`, { reason: 'for now' }, 200);
  const steps = [{ name: 'look', url: `http://127.0.0.1:${port}/steady` }];
  const journey = { name: 'journey', interval: 3_600, steps };
  const { id } = await post(api, '/v1/scenarios', journey, 201);
  await waitUntil('a run has passed', async () => {
    const { data } = await ask(api, `/v1/scenarios/${String(id)}/results`);
    return data.some(({ status }) => status === 'passed');
  });
  return ids;
}

async function checkNow(api: ApiClient, id: string): Promise<void> {
  const before = (await api.resultsOf(id)).length;
  await post(api, `/v1/monitors/${id}/run`, {}, 202);
  await waitUntil('a result', async () => (await api.resultsOf(id)).length > before);
}

if (isLongForm)
  test('a restore on another machine brings back everything after kill -9, and repeats no alert', async () => {
    const source = await startProcess(newFolder());
    const old = await startOn(source);
    const { apiKey } = await old.setup();
    const oldApi = createApiClient(old.url, apiKey);
    const ids = await fill(oldApi);
    const [broken = ''] = ids;
    isBroken = true;
    await checkNow(oldApi, broken);
    await waitUntil('people are notified', () => alertTypes().length === 1);
    await waitUntil('every delivery is recorded as sent', async () =>
      (await ask(oldApi, '/v1/alerts')).data.every(({ status }) => status === 'sent'),
    );
    const before = await everything(oldApi, ids);
    const content = await contentOf(source);

    const file = join(newFolder(), 'backup');
    const backup = await run('backup.mjs', [file, '--uri', source.uri]);
    expect(backup).toMatchObject({ code: 0 });
    for (const name of old.processes.keys()) await old.kill(name);
    await source.end('SIGKILL');

    const dataFolder = newFolder();
    const restore = await run('restore.mjs', [file], { KEEPWATCH_DATA_DIR: dataFolder });
    expect(restore).toMatchObject({ code: 0 });
    const restored = await startProcess(join(dataFolder, 'database-embedded'));
    const [changes = [], incidents = [], results = [], runs = []] = content.history;
    expect([incidents.length, runs.length]).toEqual([1, 1]);
    expect(Math.min(changes.length, results.length)).toBeGreaterThan(3);
    const restoredContent = await contentOf(restored);
    await never(() => expect(restoredContent).toEqual(content));
    const fresh = await startOn(restored);
    const api = createApiClient(fresh.url, apiKey);
    await waitUntil('the workflows are started', () =>
      fresh.logOf('orchestrator').includes('reconcile: done'),
    );
    const after = await everything(api, ids);
    await never(() => expect(after).toEqual(before));

    await checkNow(api, broken);
    const { data: opened } = await ask(api, '/v1/incidents');
    await never(() => expect(opened).toHaveLength(1));
    isBroken = false;
    await checkNow(api, broken);
    await waitUntil('people are notified of the recovery', () => alertTypes().length > 1);
    await never(() => expect(alertTypes()).toEqual(['failure', 'recovery']));
    const [incident] = (await ask(api, '/v1/incidents')).data;
    expect(incident).toMatchObject({
      state: 'resolved',
      openedAt: before['incidents']?.[0]?.openedAt,
    });
  });

test('a backup includes the secret key of the data folder, and a restore puts the key back', async () => {
  const source = newFolder();
  const database = await startProcess(newFolder());
  await database.client.db().collection('rows').insertOne({ n: 1 });
  writeFileSync(join(source, 'servers.json'), JSON.stringify({ database: { uri: database.uri } }));
  writeFileSync(join(source, 'secret-key'), `${SECRET_KEY}\n`);
  const file = join(newFolder(), 'backup');
  expect(await run('backup.mjs', [file], { KEEPWATCH_DATA_DIR: source })).toMatchObject({
    code: 0,
  });
  const again = await run('backup.mjs', [file], { KEEPWATCH_DATA_DIR: source });
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('already exists') });

  const place = newFolder();
  const into = { KEEPWATCH_DATA_DIR: place };
  expect(await run('restore.mjs', [file], into)).toMatchObject({ code: 0 });
  expect(readFileSync(join(place, 'secret-key'), 'utf8').trim()).toBe(SECRET_KEY);
  const restored = await startProcess(join(place, 'database-embedded'));
  expect(await restored.client.db().collection('rows').countDocuments()).toBe(1);
  const twice = await run('restore.mjs', [file], into);
  expect(twice).toMatchObject({ code: 1, said: expect.stringContaining('already contains data') });
});

test('a restore refuses a file that is not a backup and leaves nothing behind', async () => {
  const file = join(newFolder(), 'text');
  writeFileSync(file, 'this is a text that is long enough to be read as a page');
  const place = join(newFolder(), 'data');
  const refused = await run('restore.mjs', [file], { KEEPWATCH_DATA_DIR: place });
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('is not a backup') });
  expect(existsSync(place)).toBe(false);
});

test('mongorestore restores a dump only into an empty database', async () => {
  const [tools, database] = [newFolder(), await startProcess(newFolder())];
  const tool = join(tools, 'mongorestore');
  const note = `echo "$@" > '${tools}/arguments'; cat "\${1#--config=}" > '${tools}/config'`;
  writeFileSync(tool, `#!/bin/sh\n${note}\n`);
  chmodSync(tool, 0o755);
  const dump = join(tools, 'dump');
  writeFileSync(dump, Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(64)]));
  const path = { PATH: `${tools}:${process.env['PATH']}` };

  const empty = await run('restore.mjs', [dump, '--uri', database.uri], path);
  expect(empty).toMatchObject({ code: 1, said: expect.stringContaining('Nothing was restored') });
  expect(readFileSync(join(tools, 'config'), 'utf8')).toContain(database.uri);
  const seen = readFileSync(join(tools, 'arguments'), 'utf8');
  expect(seen).toMatch(new RegExp(`^--config=\\S+ --archive=${dump} --gzip\\n$`));

  await database.client.db().collection('rows').insertOne({ n: 1 });
  const full = await run('restore.mjs', [dump, '--uri', database.uri], path);
  expect(full).toMatchObject({ code: 1, said: expect.stringContaining('already contains data') });
  const nowhere = await run('restore.mjs', [dump], { KEEPWATCH_DATA_DIR: newFolder() });
  expect(nowhere).toMatchObject({ code: 1, said: expect.stringContaining('set --uri') });
});
