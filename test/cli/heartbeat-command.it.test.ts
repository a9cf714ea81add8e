/** Tests `keepwatch heartbeat`: what reaches the service, and that the job never depends on the service. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../support/wait-until';
import { type JobReceiver, type SentPing, startJobReceiver, takes } from './job-receiver';
import { onTerminal } from './terminal';

let folder: string;
const receivers: JobReceiver[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-job-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

async function receive(...how: Parameters<typeof startJobReceiver>): Promise<JobReceiver> {
  const receiver = await startJobReceiver(...how);
  receivers.push(receiver);
  return receiver;
}

const START = 'POST /ping/token/start';
const linesOf = ({ pings }: JobReceiver) => pings.map(({ line }) => line);
const sh = (script: string) => ['--', 'sh', '-c', script];

/** Runs the command. `words` are the arguments before `--`. */
function heartbeat(key: string, ...words: readonly string[]) {
  return onTerminal(['heartbeat', key, ...words], {
    isTerminal: false,
    environment: { PATH: process.env['PATH'] ?? '' },
  });
}

it('`heartbeat` passes through the output and the exit code of its job', async () => {
  const receiver = await receive();
  const script = 'echo made; echo warned >&2; exit 3';
  const end = await heartbeat(`${receiver.url}/ping/token`, ...sh(script));
  expect(end).toEqual({ code: 3, stdout: 'made\n', stderr: 'warned\n' });
  expect(linesOf(receiver)).toEqual([START, 'POST /ping/token/3']);
  const [start, ended] = receiver.pings;
  expect(ended?.text.split('\n').toSorted()).toEqual(['', 'made', 'warned']);
  expect(start?.text).toBe('');
  expect(start?.runId).toMatch(/^.{36}$/);
  expect(ended?.runId).toBe(start?.runId);
});

it('`heartbeat` reports a killed job with 128 plus the signal, and a job that cannot run with 127', async () => {
  const receiver = await receive();
  const killed = await heartbeat(`${receiver.url}/ping/token/`, ...sh('kill -9 $$'));
  expect(killed.code).toBe(128 + 9);
  const missing = await heartbeat(`${receiver.url}/ping/token`, '--', 'no-such-program');
  expect(missing).toMatchObject({ code: 127, stderr: expect.stringContaining('cannot be run') });
  expect(linesOf(receiver)).toEqual([START, 'POST /ping/token/137', START, 'POST /ping/token/127']);
  expect(receiver.pings[3]?.text).toContain('no-such-program cannot be run');
});

it('`heartbeat` sends the end of a long output, or no output with --no-text', async () => {
  const receiver = await receive();
  const script = `"${process.execPath}" -e "process.stdout.write('x'.repeat(3000000)); console.log('the end')"`;
  const end = await heartbeat(`${receiver.url}/ping/token`, ...sh(script));
  expect(end.code).toBe(0);
  expect(end.stdout).toHaveLength(3_000_000 + 'the end\n'.length);
  expect(receiver.pings[1]?.text).toMatch(/^x+the end\n$/);
  expect(receiver.pings[1]?.text).toHaveLength(20 * 1_024);
  const silent = await heartbeat(`${receiver.url}/ping/token`, '--no-text', ...sh('exit 4'));
  expect(silent).toEqual({ code: 4, stdout: '', stderr: '' });
  expect(receiver.pings[3]).toMatchObject({ line: 'POST /ping/token/4', text: '' });
});

it('a job runs and its end is reported, even if the report of the start hangs', async () => {
  const proof = join(folder, 'has-begun');
  const hanging = await receive((response, { line }) => {
    if (line !== START) takes(response);
  });
  const running = heartbeat(`${hanging.url}/ping/token`, ...sh(`touch ${proof}; exit 5`));
  await waitUntil('the job has begun', () => existsSync(proof));
  expect(linesOf(hanging)).not.toContain('POST /ping/token/5');
  const end = await running;
  expect(end).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('start of the job was not'),
  });
  expect(linesOf(hanging)).toEqual([START, 'POST /ping/token/5']);
});

it('a report of `heartbeat` is retried after a temporary refusal by the service or a proxy', async () => {
  const refusals = new Map<string, number[]>([
    ['POST /ping/token/start', [503]],
    ['POST /ping/token/0', [404, 429]],
  ]);
  const receiver = await receive((response, { line }) => {
    const status = refusals.get(line)?.shift();
    if (status === undefined) takes(response);
    else response.writeHead(status, { 'retry-after': '0' }).end('not now');
  });
  const end = await heartbeat(`${receiver.url}/ping/token`, ...sh('echo done'));
  expect(end).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
  const keys = new Set(receiver.pings.map(({ onceKey }) => onceKey));
  expect([...keys]).toEqual([receiver.pings[0]?.runId]);
  expect(linesOf(receiver).toSorted()).toEqual([
    ...Array(3).fill('POST /ping/token/0'),
    ...Array(2).fill(START),
  ]);
});

it.each([
  ['no such heartbeat', 'application/problem+json', '404'],
  ['not a Keepwatch service', 'text/html', 'not that of a Keepwatch service'],
])(
  "if a report is refused, `heartbeat` keeps the job's exit code and prints the reason: %s",
  async (_case, type, reason) => {
    const receiver = await receive((response) => {
      response.writeHead(type === 'text/html' ? 200 : 404, { 'content-type': type }).end('{}');
    });
    const end = await heartbeat(`${receiver.url}/ping/token`, '--try-for', '1s', ...sh('exit 6'));
    expect(end.code).toBe(6);
    expect(end.stderr).toContain(`end of the job was not reported to ${receiver.url}: `);
    expect(end.stderr).toContain(reason);
    expect(end.stderr).not.toContain('token');
  },
);

it("if the service does not respond, `heartbeat` keeps the job's exit code and reports the timeout", async () => {
  const away = await receive();
  await away.close();
  const end = await heartbeat(`${away.url}/ping/token`, '--try-for', '1s', ...sh('exit 7'));
  expect(end).toMatchObject({ code: 7, stderr: expect.stringContaining('ECONNREFUSED') });
});

it('without a ping URL, `heartbeat` runs the job and names the missing setting', async () => {
  const end = await heartbeat('backup', '--try-for', '1s', ...sh('echo ran; exit 8'));
  expect(end).toMatchObject({ code: 8, stdout: 'ran\n' });
  expect(end.stderr).toContain('not reported to backup: No server configured');
});

it("the ping URL is found by the monitor's key after the job has started", async () => {
  const proof = join(folder, 'began-before-the-lookup');
  let before: boolean | null = null;
  const answer = (response: Parameters<typeof takes>[0], ping: SentPing): void => {
    if (ping.line !== 'GET /v1/monitors') {
      takes(response);
      return;
    }
    void waitUntil('the job has begun', () => existsSync(proof)).then(() => {
      before = true;
      const others = [{ id: 'mon_1', key: 'backup-2', pingUrl: `${receiver.url}/ping/other` }];
      const data = [
        ...others,
        { id: 'mon_2', key: 'backup', pingUrl: `${receiver.url}/ping/token` },
      ];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
  };
  const receiver = await receive(answer);
  const environment = {
    PATH: process.env['PATH'] ?? '',
    KEEPWATCH_URL: receiver.url,
    KEEPWATCH_API_KEY: 'a key',
  };
  const end = await onTerminal(['heartbeat', 'backup', ...sh(`touch ${proof}`)], { environment });
  expect({ ...end, before }).toEqual({ code: 0, stdout: '', stderr: '', before: true });
  expect(linesOf(receiver)).toEqual(['GET /v1/monitors', START, 'POST /ping/token/0']);
  const unknown = await onTerminal(['heartbeat', 'nothing', ...sh('exit 9')], { environment });
  expect(unknown).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('There is no monitor with the key nothing'),
  });
});

it('`heartbeat` does not wait for the output of a daemon that the job started', async () => {
  const receiver = await receive();
  const end = await heartbeat(`${receiver.url}/ping/token`, ...sh('sleep 60 & echo $!'));
  expect(end).toMatchObject({ code: 0, stderr: '' });
  process.kill(Number(end.stdout), 'SIGKILL');
  expect(linesOf(receiver)).toEqual([START, 'POST /ping/token/0']);
});

it('`heartbeat` runs nothing if its command line is wrong', async () => {
  const proof = join(folder, 'never');
  expect((await heartbeat('backup')).code).toBe(2);
  expect((await heartbeat('ftp://x/ping/y', ...sh(`touch ${proof}`))).code).toBe(2);
  expect((await heartbeat('backup', '--try-for', 'soon', ...sh(`touch ${proof}`))).code).toBe(2);
  expect(existsSync(proof)).toBe(false);
});

it('the list of monitors shows a heartbeat without an interval and regions', async () => {
  const row = {
    id: 'mon_1',
    name: 'Backup',
    key: 'backup',
    type: 'heartbeat',
    tags: [],
    links: {},
    state: 'active',
    status: 'up',
    health: 'up',
    schedule: { everySeconds: 3_600 },
    lastPingAt: '2026-01-31T11:00:00Z',
    nextDueAt: '2026-01-31T12:01:30Z',
  };
  const service = await receive((response, { line }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const isOne = line.endsWith('/mon_1');
    response.end(JSON.stringify(isOne ? row : { data: [row], nextCursor: null }));
  });
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'a key' };
  const list = await onTerminal(['monitors', 'list'], { environment, isTerminal: false });
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(list.stdout).toMatch(/up +backup +Backup +heartbeat/);
  const shown = await onTerminal(['monitors', 'get', 'mon_1'], { environment, isTerminal: false });
  expect(shown.stdout).toContain('reported  60 min ago, due in 90 s');
  expect(shown.stdout).toContain('everySeconds: 3600');
});
