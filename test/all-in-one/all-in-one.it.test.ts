import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { choosePort } from '../../src/embedded/free-port';
import { isAlive, type NotedProcess } from '../../src/embedded/process-identity';
import { openServerRecord } from '../../src/embedded/server-record';
import { never } from '../support/never';
import { noteStart } from '../support/note-start';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const root = join(__dirname, '..', '..');
const run = promisify(execFile);
const READY = 'Ctrl-C stops everything in order.';
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-all-in-one-'));

interface Start {
  readonly child: ChildProcess;
  readonly output: () => string;
}

/** `npm start` with its own data folder, a free port and its embedded servers. */
function npmStart(): Start {
  noteStart('all-in-one');
  let output = '';
  // bash replaces itself with the single command, so npm's signal reaches the service.
  const child = spawn('npm', ['start', '--script-shell=bash'], {
    cwd: root,
    env: {
      ...process.env,
      KEEPWATCH_DATA_DIR: folder,
      KEEPWATCH_RATE_LIMITS: 'off',
      PORT: '0',
      MONGODB_URI: '',
      TEMPORAL_ADDRESS: '',
      TOKEN_OF_ANOTHER_PROGRAM: 'a-secret-of-somebody-else',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  return { child, output: () => output };
}

async function whenReady({ child, output }: Start): Promise<void> {
  await waitUntil('the service is ready or has ended', () => {
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${output()}`);
    return output().includes(READY);
  });
}

async function notedProcesses(): Promise<(NotedProcess & { readonly name: string })[]> {
  return (await openServerRecord(folder)).current().processes;
}

async function apiUrl(): Promise<string> {
  return `http://127.0.0.1:${(await openServerRecord(folder)).current().api?.port}`;
}

/** The process id of all-in-one itself. */
function ownPid(): number {
  const note: { pid: number } = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8'));
  return note.pid;
}

async function hasAllEnded(processes: readonly NotedProcess[]): Promise<boolean> {
  const alive = await Promise.all(processes.map(isAlive));
  return !alive.includes(true);
}

/** Returns the commands of the banner, as a user would paste them. */
function pastedCommands(banner: string): string {
  const from = banner.indexOf('KEY=$(');
  return banner.slice(from, banner.indexOf('; echo\n', from) + '; echo\n'.length);
}

let current: Start;
let key = '';

beforeAll(async () => {
  // Sets permissions that a folder created by another program may have.
  chmodSync(folder, 0o755);
  current = npmStart();
  await whenReady(current);
});

afterAll(async () => {
  const noted = await notedProcesses();
  if (current.child.exitCode === null) {
    const ended = once(current.child, 'exit');
    current.child.kill('SIGTERM');
    await ended;
  }
  for (const { pid } of noted) if (pid > 0) await run('kill', ['-9', String(pid)]).catch(String);
  rmSync(folder, { recursive: true, force: true });
});

async function countResults(): Promise<number> {
  const url = `${await apiUrl()}/v1/monitors`;
  const headers = { authorization: `Bearer ${key}` };
  const monitors = await (await fetch(url, { headers })).text();
  const id = /mon_[0-9a-z]{26}/.exec(monitors)?.[0];
  const results = await (await fetch(`${url}/${id}/results`, { headers })).text();
  return results.split('"slot":').length - 1;
}

describe('npm start', () => {
  test('npm start gives the database file of Temporal a page size of 1 KiB, so that a check writes little', () => {
    const [file = ''] = readdirSync(folder).filter((name) => /^temporal-[\d.]+\.db$/.test(name));
    // The header of a SQLite file contains the page size at offset 16.
    expect(readFileSync(join(folder, file)).readUInt16BE(16)).toBe(1_024);
  });

  test('npm start prints a final banner with the URLs, the database and the data folder', () => {
    const banner = current.output();
    expect(banner).toMatch(/Dashboard\s+http:\/\/localhost:\d+\n/);
    expect(banner).toMatch(/API docs\s+http:\/\/localhost:\d+\/docs/);
    expect(banner).toMatch(/Temporal UI\s+http:\/\/localhost:\d+\/temporal/);
    expect(banner).toMatch(/Database\s+(embedded|MongoDB \d)/);
    expect(banner).toContain(folder);
  });

  test('npm start keeps its files private, and prints the ports that other users can reach', async () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const open = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const entry = lstatSync(join(folder, name));
      // The mode of a symbolic link has no effect.
      return !entry.isSymbolicLink() && (entry.mode & 0o077) !== 0;
    });
    expect(open).toEqual([]);
    expect(statSync(join(folder, 'database.sock')).isSocket()).toBe(true);
    expect((await openServerRecord(folder)).current().database).not.toHaveProperty('port');
    expect(current.output()).toMatch(/Unprotected\s+Temporal at 127\.0\.0\.1:\d+/);
  });

  test('npm start passes no environment variables of other programs to its child processes', async () => {
    const children = (await notedProcesses()).map(({ pid }) => pid);
    const environments = children.map((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1'));
    expect(environments.length).toBeGreaterThan(4);
    for (const environment of environments) {
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain('a-secret-of-somebody-else');
    }
    const holdersOf = (name: string) => environments.filter((text) => text.includes(`${name}=`));
    // The API and the orchestrator have the secret key. The probe has only the keys of its regions.
    expect(holdersOf('KEEPWATCH_SECRET_KEY')).toHaveLength(2);
    expect(holdersOf('KEEPWATCH_PROBE_KEY')).toHaveLength(1);
    expect(holdersOf('KEEPWATCH_PROBE_KEY')[0]).not.toContain('KEEPWATCH_SECRET_KEY=');
  });

  test('npm start prints curl commands that create an account and a monitor, and show its results', async () => {
    const commands = pastedCommands(current.output());
    const { stdout } = await run('bash', ['-c', `${commands}\necho "KEY:$KEY"`]);
    key = /KEY:(kw_[0-9A-Za-z]{38})/.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain('{"data":[');
    expect(key).not.toBe('');
    await waitUntil('a result of each region', async () => (await countResults()) >= 2);
  });

  test('npm start lets a check reach this machine, except for the servers of this installation', async () => {
    const test = async (port: number): Promise<string> => {
      const response = await fetch(`${await apiUrl()}/v1/monitors/test`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'own', url: `http://127.0.0.1:${port}/`, region: 'eu-west' }),
      });
      return response.text();
    };
    const targetPort = await choosePort(undefined);
    const target = createServer((_request, response) => response.end('ok'));
    await once(target.listen(targetPort, '127.0.0.1'), 'listening');
    expect(await test(targetPort)).toContain('"ok":true');
    target.close();
    target.closeAllConnections();
    const { api, temporal } = (await openServerRecord(folder)).current();
    const [pid] = (await notedProcesses()).flatMap((one) =>
      one.name === 'temporal' ? one.pid : [],
    );
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const httpPort = Number(/--http-port\0(\d+)/.exec(commandLine)?.[1]);
    for (const port of [api?.port, temporal?.port, temporal?.uiPort, httpPort])
      expect(await test(port ?? 0)).toContain('blocked_target');
  });

  test('npm start refuses to start while another all-in-one uses the data folder', async () => {
    const second = npmStart();
    const [code] = await once(second.child, 'exit');
    expect(code).toBe(1);
    expect(second.output()).toContain(`Keepwatch already runs on the data folder ${folder}`);
  });

  // The next two tests run only in the long form, because test/embedded/supervision.it.test.ts tests the same for each
  // process.
  if (isLongForm) {
    test('npm start restarts a child process that was killed', async () => {
      const before = (await notedProcesses()).find(({ name }) => name === 'api');
      process.kill(before?.pid ?? 0, 'SIGKILL');
      await waitUntil('another API process', async () => {
        const now = (await notedProcesses()).find(({ name }) => name === 'api');
        return now?.pid !== before?.pid;
      });
      await waitUntil('it serves', async () => (await fetch(`${await apiUrl()}/readyz`)).ok);
      expect(current.output()).toContain('api has died (ended by SIGKILL)');
    });

    test('npm start ends all its processes when only its main process is killed', async () => {
      const noted = await notedProcesses();
      process.kill(ownPid(), 'SIGKILL');
      await waitUntil('everything has ended', () => hasAllEnded(noted));
      current = npmStart();
      await whenReady(current);
    });
  }

  test('npm start keeps its data and ports after kill -9 of every process', async () => {
    const url = await apiUrl();
    const results = await countResults();
    const everything = [ownPid(), ...(await notedProcesses()).map(({ pid }) => pid)];
    for (const pid of everything) process.kill(pid, 'SIGKILL');
    current = npmStart();
    await whenReady(current);
    expect(await apiUrl()).toBe(url);
    const kept = await countResults();
    await never(() => expect(kept).toBeGreaterThanOrEqual(results));
    expect(current.output()).not.toContain('KEY=$(');
  });

  test('npm start stops everything on SIGTERM, in order and with exit code 0', async () => {
    const noted = await notedProcesses();
    const ended = once(current.child, 'exit');
    current.child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await hasAllEnded(noted)).toBe(true);
    expect(await notedProcesses()).toEqual([]);
    expect(current.output()).toContain('Stopping in order');
  });
});
