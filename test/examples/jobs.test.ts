/** Tests that the scripts under examples/jobs report jobs and back up data, and never prevent a job from running. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/embedded/run-command';
import { WAIT_LIMIT_MS, waitUntil } from '../support/wait-until';
import { PIPELINE_COMMAND } from './pipeline-command';

const JOBS = join(__dirname, '../../examples/jobs');
const REPORT = join(JOBS, 'report-job.sh');

interface Ping {
  readonly signal: string;
  readonly rid: string;
  readonly key: string;
  readonly text: string;
}

let folder: string;
let server: Server;
let pingUrl: string;
let pings: Ping[];
/** Number of further pings that get a 503. */
let refusals = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      refusals -= 1;
      if (refusals >= 0) {
        response.writeHead(503).end();
        return;
      }
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
      const key = String(request.headers['idempotency-key']);
      const signal = pathname.replace('/ping/token/', '');
      pings.push({ signal, rid: searchParams.get('rid') ?? '', key, text });
      response.end('OK');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  pingUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/ping/token`;
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-jobs-'));
  mkdirSync(join(folder, 'bin'));
  pings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a program on PATH. It records its arguments and then runs the line. */
function program(name: string, line: string): void {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >>'${folder}/calls'\n${line}\n`);
  chmodSync(file, 0o755);
}

function readCalls(): readonly string[] {
  const file = join(folder, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function run(command: readonly string[], environment: Record<string, string> = {}) {
  const [first = '', ...rest] = command;
  return runCommand('sh', ['-c', 'cd "$0" && exec "$@"', folder, first, ...rest], {
    environment: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      TMPDIR: folder,
      KEEPWATCH_PING_URL: pingUrl,
      ...environment,
    },
    timeoutMs: WAIT_LIMIT_MS,
  });
}

const signals = () => pings.map(({ signal }) => signal).toSorted();

test('a job is reported with its start, its exit code and its output, as one run', async () => {
  const ended = await run([REPORT, 'sh', '-c', 'echo "two words: $1"; echo fault >&2', 'x', 'a b']);
  expect(ended).toMatchObject({ code: 0, stdout: 'two words: a b\nfault\n' });
  expect(signals()).toEqual(['0', 'start']);
  expect(pings.find(({ signal }) => signal === '0')?.text).toBe('two words: a b\nfault\n');
  const [rid] = new Set(pings.map((ping) => ping.rid));
  expect(pings.map(({ key }) => key).toSorted()).toEqual([`${rid}-0`, `${rid}-start`]);
  expect(new Set(pings.map((ping) => ping.rid)).size).toBe(1);
});

test('a failing job keeps its exit code, and the exit code is reported', async () => {
  expect(await run([REPORT, 'sh', '-c', 'echo "disk full"; exit 3'])).toMatchObject({ code: 3 });
  expect(signals()).toEqual(['3', 'start']);
  expect(await run([REPORT, 'no-such-program'])).toMatchObject({ code: 127 });
  expect(signals()).toEqual(['127', '3', 'start', 'start']);
});

test('only the last 10 KiB of the output are reported', async () => {
  await run([REPORT, 'sh', '-c', 'head -c 30000 /dev/zero | tr "\\0" x; echo end']);
  const text = pings.find(({ signal }) => signal === '0')?.text ?? '';
  expect([text.length, text.slice(-4)]).toEqual([10_240, 'end\n']);
});

test('a report of a job is sent again while the service is unavailable', async () => {
  refusals = 1;
  expect(await run([REPORT, 'true'])).toMatchObject({ code: 0 });
  expect(signals()).toEqual(['0', 'start']);
});

test('a failed report does not change the job or its exit code', async () => {
  program('curl', 'cat >/dev/null; exit 7');
  for (const code of [0, 5]) {
    const ended = await run([REPORT, 'sh', '-c', `echo works; exit ${code}`]);
    expect(ended).toMatchObject({ code, stdout: 'works\n' });
    expect(ended.stderr).toContain(`the report '${code}' has failed`);
  }
});

test('without a ping URL, the job runs and says that nothing is reported', async () => {
  const ended = await run([REPORT, 'sh', '-c', 'exit 4'], { KEEPWATCH_PING_URL: '' });
  expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('is not set') });
});

test('a signal ends the job, and the end of the job is reported', async () => {
  const job = `echo $PPID >'${folder}/pid'; exec sleep 600`;
  const running = run([REPORT, 'sh', '-c', job]);
  await waitUntil('the job runs', () => existsSync(join(folder, 'pid')));
  await waitUntil('its start was reported', () => signals().includes('start'));
  process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGTERM');
  expect(await running).toMatchObject({ code: 143 });
  expect(signals()).toEqual(['143', 'start']);
});

test('the ping URL is not in the list of processes', async () => {
  program('curl', 'cat >/dev/null');
  await run([REPORT, 'true']);
  expect(readCalls()).toHaveLength(2);
  expect(readCalls().join('\n')).not.toContain('/ping/token');
});

describe('a backup with restic', () => {
  const BACKUP = join(JOBS, 'backup-restic.sh');
  const environment = { RESTIC_REPOSITORY: '/backups' };

  test('a backup with restic stores, removes old snapshots and reads back', async () => {
    program('restic', 'true');
    const ended = await run([REPORT, BACKUP, '/srv', '/etc'], environment);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(readCalls()).toEqual([
      'restic backup --tag nightly /srv /etc',
      'restic forget --tag nightly --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --prune',
      'restic check --read-data-subset=1%',
    ]);
    expect(signals()).toEqual(['0', 'start']);
  });

  test.each(['backup', 'forget', 'check'])(
    'a failing restic %s is reported and ends the backup',
    async (step) => {
      program('restic', `[ "$1" != ${step} ] || { echo "no ${step}"; exit 3; }`);
      expect(await run([REPORT, BACKUP, '/srv'], environment)).toMatchObject({ code: 3 });
      expect(readCalls().at(-1)).toContain(`restic ${step} `);
      expect(pings.find(({ signal }) => signal === '3')?.text).toBe(`no ${step}\n`);
    },
  );

  test('a backup with restic runs nothing if a setting or a folder is missing', async () => {
    program('restic', 'true');
    expect((await run([BACKUP, '/srv'])).stderr).toContain('RESTIC_REPOSITORY');
    expect(await run([BACKUP], environment)).toMatchObject({ code: 64 });
    expect(readCalls()).toEqual([]);
  });
});

describe('a backup with pg_dump', () => {
  const BACKUP = join(JOBS, 'backup-postgres.sh');
  const WRITE =
    'for each in "$@"; do case $each in --file=*) echo dump >"${each#--file=}" ;; esac; done';
  const listDumps = () => readdirSync(join(folder, 'dumps'));
  let environment: Record<string, string>;
  beforeEach(() => {
    environment = { PGDATABASE: 'shop', BACKUP_FOLDER: join(folder, 'dumps') };
    mkdirSync(join(folder, 'dumps'));
    program('pg_dump', WRITE);
    program('pg_restore', 'true');
  });

  test('a backup with pg_dump writes a readable dump, and deletes only old dumps of the same database', async () => {
    await run(['touch', '-d', '30 days ago', 'dumps/shop-old.dump', 'dumps/other-old.dump']);
    expect(await run([REPORT, BACKUP], environment)).toMatchObject({ code: 0, stderr: '' });
    const [other, dump] = listDumps().toSorted();
    expect(other).toBe('other-old.dump');
    expect(dump).toMatch(/^shop-\d{8}T\d{6}Z\.dump$/);
    expect(listDumps()).toHaveLength(2);
    expect(signals()).toEqual(['0', 'start']);
  });

  test.each([
    ['pg_dump', `${WRITE}; echo "no connection"; exit 1`],
    ['pg_restore', 'echo "no connection" >&2; exit 1'],
  ])('a failing %s is reported, leaves no file and deletes nothing', async (name, line) => {
    program(name, line);
    await run(['touch', '-d', '30 days ago', 'dumps/shop-old.dump']);
    expect(await run([REPORT, BACKUP], environment)).toMatchObject({ code: 1 });
    expect(listDumps()).toEqual(['shop-old.dump']);
    expect(pings.find(({ signal }) => signal === '1')?.text).toBe('no connection\n');
  });
});

test.each([0, 9])(
  'the command in the example pipelines reports exit code %i of the nightly script, and exits with that code',
  async (code) => {
    mkdirSync(join(folder, 'ci'));
    cpSync(REPORT, join(folder, 'ci', 'report-job.sh'));
    writeFileSync(join(folder, 'nightly.sh'), `#!/bin/sh\nexit ${code}\n`);
    chmodSync(join(folder, 'nightly.sh'), 0o755);
    expect(await run(PIPELINE_COMMAND.split(' '))).toMatchObject({ code });
    expect(signals()).toEqual([`${code}`, 'start']);
  },
);
