/** `npm run demo` as a newcomer sees it: real servers, a minute's worth of lines, nothing left. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitUntil } from '../support/wait-until';

const PROGRAM = path.join(__dirname, '../../dist/main/demo.js');

let folder: string;
let output: string;
let demo: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keepwatch-demo-test-'));
  output = '';
});
afterEach(() => {
  if (demo?.exitCode === null) demo.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function startDemo(...args: string[]): ChildProcess {
  // Settings of one's own must not reach the demo: it would fill somebody's real service.
  const env = { ...process.env, TMPDIR: folder, MONGODB_URI: 'mongodb://127.0.0.1:1/never' };
  demo = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [demo.stdout, demo.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  return demo;
}

function linesOf(pattern: RegExp): string[] {
  return output.split('\n').filter((line) => pattern.test(line));
}

/** What a minute of it shows. */
function expectWholeShow(): void {
  const jobs = linesOf(/ check {4}up .* heartbeat Stock count$/);
  expect(jobs.length).toBeGreaterThan(1);
  for (const name of ['Storefront', 'Search', 'Checkout', 'Health', 'Catalogue', 'Login']) {
    const checks = linesOf(new RegExp(`^\\d\\d:\\d\\d:\\d\\d check .* ${name}(:|$)`));
    expect([name, checks.length >= 4]).toEqual([name, true]);
  }
  expect(linesOf(/ run {6}passed .*Order journey: 4 of 4 steps passed/).length).toBeGreaterThan(1);
  expect(
    linesOf(/ run {6}passed .*Sign in with a form: 4 of 4 steps passed/).length,
  ).toBeGreaterThan(1);
  expect(linesOf(/ incident opened .*Checkout: .*503/)).toHaveLength(1);
  expect(linesOf(/ alert {4}failure {3}chat .*Checkout/)).toHaveLength(1);
  expect(linesOf(/ incident acknowledged .*Checkout: by chat/)).toHaveLength(1);
  expect(linesOf(/^ +API +http:\/\/127\.0\.0\.1:\d+\/v1$/)).toHaveLength(1);
  expect(linesOf(/ down /).filter((line) => !line.includes('Checkout'))).toEqual([]);
  expect(output).not.toContain('Set-up');
  expect(output).not.toContain('\u001b');
}

test('it shows checks, a job, runs, an incident and its alert; its link signs in as owner any number of times, also for the Temporal UI; Ctrl-C ends it cleanly', async () => {
  const child = startDemo('--verbose');
  await waitUntil('all of it is shown', () => {
    expectWholeShow();
    return true;
  });
  const addressOf = (label: string): URL => {
    const [, address = ''] = new RegExp(`^ +${label} +(http\\S+)$`, 'm').exec(output) ?? [];
    return new URL(address);
  };
  const link = addressOf('Dashboard');
  const enter = () => fetch(link, { redirect: 'manual' });
  await enter();
  const entered = await enter();
  const dashboard = new URL(entered.headers.get('location') ?? '');
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
  const session = await fetch(new URL('/v1/session', dashboard), { headers: { cookie } });
  expect(await session.json()).toMatchObject({ user: { role: 'owner' } });
  for (const address of [dashboard, addressOf('Temporal UI')]) {
    const page = await fetch(address, { headers: { cookie, accept: 'text/html' } });
    const { status, headers } = page;
    await page.body?.cancel();
    expect([address.pathname, status]).toEqual([address.pathname, 200]);
    expect(headers.get('content-type')).toContain('text/html');
  }
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  expect(readdirSync(folder)).toEqual([]);
});

/** What was checked or run and where, and its status. */
function readStatus(line: string): readonly [name: string, status: string] {
  const pattern = /^\S+ (\w+) +(\w+) +\S+ (?:ms )?(\S+) +([^:]+)/;
  const [, kind = '', status = '', region = '', name = ''] = pattern.exec(line) ?? [];
  return [`${kind} ${region} ${name.trim()}`, status];
}

test('without --verbose it prints a check or run only if its status has changed, ends by itself after its time, and leaves nothing behind', async () => {
  const child = startDemo('--for', '32');
  const [code] = await once(child, 'exit');
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  const last = new Map<string, string>();
  const printed = linesOf(/^\d\d:\d\d:\d\d (?:check|run) /).map(readStatus);
  for (const [name, status] of printed) {
    expect([name, status]).not.toEqual([name, last.get(name)]);
    last.set(name, status);
  }
  expect([...last.keys()].join('\n')).toMatch(/check \S+ Storefront/);
  expect(linesOf(/ incident opened .*Checkout: .*503/)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);
});

const NOT_UNDERSTOOD = [
  ['--for', 'ever'],
  ['--for', '0'],
  ['--until', '9'],
];

test.each(NOT_UNDERSTOOD)(
  'arguments that are not understood start nothing: %s %s',
  async (...args) => {
    const [code] = await once(startDemo(...args), 'close');
    expect([code, output]).toEqual([
      2,
      'usage: [PORT=NUMBER] npm run demo [-- [--verbose] [--for SECONDS]]\n',
    ]);
  },
);
