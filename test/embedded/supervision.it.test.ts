import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildLog } from '../../src/embedded/child-log';
import { claimDataFolder, ensureSecret } from '../../src/embedded/data-folder';
import { choosePort, claimPort } from '../../src/embedded/free-port';
import { callForeignProgram } from '../../src/embedded/own-program';
import {
  endProcess,
  identifyProcess,
  isAlive,
  noteProcess,
} from '../../src/embedded/process-identity';
import { silentProgress } from '../../src/embedded/progress';
import { openServerRecord } from '../../src/embedded/server-record';
import {
  type ProcessPlan,
  type SupervisedProcess,
  superviseProcess,
} from '../../src/embedded/supervised-process';
import { createSupervisor, endLeftovers } from '../../src/embedded/supervisor';
import { isLongForm } from '../support/test-size';
import { WAIT_LIMIT_MS, waitUntil } from '../support/wait-until';

const root = join(__dirname, '..', '..');
/**
 * Node options that end a child when this process ends, even if jest is killed. The child needs an `ipc` channel to
 * this process.
 */
const FOLLOW = ['--require', join(root, 'dist', 'embedded', 'follow-parent.js')];
const cleanUps: (() => unknown)[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-supervision-'));
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Starts a program, and resolves when it has printed its first output. The program is stopped after its test at the
 * latest.
 */
async function startProgram(program: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...FOLLOW, '-e', program, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  cleanUps.push(() => child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('no output');
  await once(child.stdout, 'data');
  return child;
}

/** Returns the plan of a program that appends its process id to `pids` and keeps running. `code` runs first. */
function plan(code = '', overrides: Partial<ProcessPlan> = {}): ProcessPlan {
  const program = `${code};
    require('node:fs').appendFileSync(process.argv[1], process.pid + '\\n');
    setInterval(() => undefined, 1000);`;
  return {
    name: 'child',
    stage: 'api',
    command: process.execPath,
    args: [...FOLLOW, '-e', program, join(folder, 'pids')],
    environment: process.env,
    isReady: async () => livesSoFar().length > 0,
    ...overrides,
  };
}

function livesSoFar(): number[] {
  const file = join(folder, 'pids');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

function supervise(childPlan: ProcessPlan, news: string[] = []): SupervisedProcess {
  const log = openChildLog({ folder, name: childPlan.name });
  const child = superviseProcess(childPlan, log, {
    onStarted: () => undefined,
    onEvent: (sentence) => news.push(sentence),
  });
  child.ready.catch(() => undefined);
  cleanUps.push(() => child.stop(1_000));
  return child;
}

async function hasGone(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) === undefined;
}

describe('a supervised process', () => {
  test('a supervised process restarts about a second after it was killed, and its exit is reported', async () => {
    const news: string[] = [];
    await supervise(plan('console.log("the last words")'), news).ready;
    process.kill(livesSoFar()[0] ?? 0, 'SIGKILL');
    await waitUntil('a second life', () => livesSoFar().length === 2);
    expect(news.join('\n')).toMatch(/child has died \(ended by SIGKILL\)[\s\S]*the last words/);
    expect(news.join('\n')).toContain('started again in 1 s');
  });

  test('if a supervised process exits before it is ready, the start fails with its exit code and last lines', async () => {
    const child = supervise(plan('console.error("no such file"); process.exit(3)'));
    await expect(child.ready).rejects.toThrow(/child has died \(exit code 3\)[\s\S]*no such file/);
  });

  test('a supervised process that cannot start makes the start of the service fail', async () => {
    const child = supervise(plan('', { command: join(folder, 'nothing-here') }));
    await expect(child.ready).rejects.toThrow('child has died');
  });

  test('a supervised process that ignores SIGTERM is killed after its time limit', async () => {
    const child = supervise(plan('process.on("SIGTERM", () => undefined)'));
    await child.ready;
    await child.stop(300);
    expect(await hasGone(livesSoFar()[0] ?? 0)).toBe(true);
  });

  test('a supervised process that was stopped is not started again', async () => {
    const news: string[] = [];
    const child = supervise(plan(), news);
    await child.ready;
    await child.stop(2_000);
    expect(livesSoFar()).toHaveLength(1);
    expect(news).toEqual([]);
  });
});

describe('a third-party program', () => {
  const foreign = () =>
    plan('', callForeignProgram(process.execPath, plan().args as readonly string[]));

  test('a third-party program is stopped with its runner', async () => {
    const child = supervise(foreign());
    await child.ready;
    await child.stop(WAIT_LIMIT_MS);
    expect(await hasGone(livesSoFar()[0] ?? 0)).toBe(true);
  });

  test('a third-party program whose runner was killed is stopped before its next start', async () => {
    const pids: [string, number][] = [];
    const log = openChildLog({ folder, name: 'foreign' });
    const child = superviseProcess(foreign(), log, {
      onStarted: (name, pid) => pids.push([name, pid]),
      onEvent: () => undefined,
    });
    cleanUps.push(() => child.stop(1_000));
    await child.ready;
    expect(pids.map(([name]) => name)).toEqual(['child', 'child program']);
    process.kill(pids[0]?.[1] ?? 0, 'SIGKILL');
    await waitUntil('the next life', () => livesSoFar().length === 2);
    expect(await hasGone(pids[1]?.[1] ?? 0)).toBe(true);
  });
});

describe('the death of a parent process', () => {
  /** Starts a process that supervises one third-party program on the data folder, as all-in-one does. */
  function startParent(code = ''): Promise<ChildProcess> {
    const program = `
      const from = (name) => require('./dist/embedded/' + name + '.js');
      const { silentProgress } = from('progress');
      from('data-folder').claimDataFolder(process.argv[1]).then(async (folder) => {
        const supervisor = from('supervisor').createSupervisor(folder, silentProgress);
        await supervisor.start([{ ...JSON.parse(process.argv[2]), environment: process.env,
          isReady: async () => require('node:fs').existsSync(process.argv[3]) }]);
        console.log('up');
      });`;
    const { name, stage } = plan();
    const call = callForeignProgram(process.execPath, plan(code).args);
    const given = JSON.stringify({ name, stage, ...call });
    return startProgram(program, folder, given, join(folder, 'pids'));
  }

  test('the death of a parent process also ends its child processes', async () => {
    const parent = await startParent();
    parent.kill('SIGKILL');
    await waitUntil('the child is gone', () => hasGone(livesSoFar()[0] ?? 0));
  });

  if (isLongForm)
    test('the death of a parent process ends a third-party program that ignores SIGTERM', async () => {
      const parent = await startParent('process.on("SIGTERM", () => undefined)');
      parent.kill('SIGKILL');
      await waitUntil('the program is gone', () => hasGone(livesSoFar()[0] ?? 0));
    });

  test('a third-party program whose parent and runner die is stopped at the next start', async () => {
    const parent = await startParent();
    const noted = await waitUntil('both are noted', async () => {
      const { processes } = (await openServerRecord(folder)).current();
      return processes.length === 2 && processes;
    });
    const runner = noted.find(({ name }) => name === 'child')?.pid ?? 0;
    // Suspends the runner, so that it cannot notice the end of its parent before it is killed, too.
    process.kill(runner, 'SIGSTOP');
    const isOver = once(parent, 'exit');
    parent.kill('SIGKILL');
    process.kill(runner, 'SIGKILL');
    await isOver;
    const program = noted.find(({ name }) => name === 'child program');
    if (program === undefined) throw new Error('the program was not noted');
    cleanUps.push(() => endProcess(program, 0));
    expect(await isAlive(program)).toBe(true);
    const claimed = await claimDataFolder(folder);
    await endLeftovers(claimed, silentProgress);
    expect(await isAlive(program)).toBe(false);
    expect(claimed.record.current().processes).toEqual([]);
  });
});

describe('a data folder', () => {
  test('a second process cannot use the data folder while the first process runs', async () => {
    const holder = await startProgram(
      `require('./dist/embedded/data-folder.js').claimDataFolder(process.argv[1])
        .then(() => { console.log('claimed'); setInterval(() => undefined, 1000); });`,
      folder,
    );
    await expect(claimDataFolder(folder)).rejects.toThrow(
      `Keepwatch already runs on the data folder ${folder} (process ${holder.pid}).`,
    );
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    await (await claimDataFolder(folder)).release();
  });

  test('a data folder keeps its secret readable by its owner only', async () => {
    const claimed = await claimDataFolder(folder);
    const secret = await ensureSecret(claimed, 'secret-key', 32);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await ensureSecret(claimed, 'secret-key', 32)).toBe(secret);
    expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600);
  });

  test('a data folder starts with an empty server record if the old record is damaged', async () => {
    writeFileSync(join(folder, 'servers.json'), '{"database": {"port": "x"');
    expect((await openServerRecord(folder)).current()).toEqual({ processes: [] });
  });

  test('a data folder of a dead process is free, even if another process now has the same id', async () => {
    const own = await noteProcess(process.pid);
    expect(own).toBeDefined();
    expect(await isAlive({ pid: process.pid, identity: 'another start' })).toBe(false);
  });
});

test('the processes of the service stop one after the other, probes first and the database last', async () => {
  const claimed = await claimDataFolder(folder);
  const supervisor = createSupervisor(claimed, silentProgress);
  cleanUps.push(supervisor.stop);
  const order = join(folder, 'order');
  const stages = ['database', 'temporal', 'api', 'orchestrator', 'probe'] as const;
  const say = (stage: string) =>
    `process.on('SIGTERM', () => { require('node:fs').appendFileSync('${order}', '${stage} '); process.exit(0); })`;
  await supervisor.start(
    stages.map((stage) =>
      plan(say(stage), { name: stage, stage, isReady: async () => livesSoFar().length === 5 }),
    ),
  );
  await supervisor.stop();
  expect(readFileSync(order, 'utf8')).toBe('probe orchestrator api temporal database ');
});

test('the port of the previous start is used again if the port is free, and otherwise another port', async () => {
  const first = await choosePort(undefined);
  expect(await choosePort(first)).toBe(first);
  await startProgram(
    `require('node:net').createServer().listen(${first}, '127.0.0.1', () => console.log('on'))`,
  );
  expect(await claimPort(first)).toBeUndefined();
  expect(await choosePort(first)).not.toBe(first);
  expect(await choosePort(0)).toBeGreaterThan(0);
});
