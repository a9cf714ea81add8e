/** Tests `npm run demo` as a new user sees it: real servers and a minute of output. Nothing is left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { choosePort } from '../../src/embedded/free-port';
import { callFollowingProgram } from '../../src/embedded/own-program';
import { waitUntil } from '../support/wait-until';

/**
 * Lower bound of checks around the kill. Six monitors have a slot every 10 s until 40 s after the kill. All slots
 * before the last 30 s are counted.
 */
const SLOTS_AROUND_KILL = 6 * 4;

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

function startDemo(args: readonly string[], port = ''): ChildProcess {
  // The demo must ignore the settings of the user. With these settings, it would write to a real service.
  const own = { MONGODB_URI: 'mongodb://127.0.0.1:1/never', PORT: port };
  const env = { ...process.env, TMPDIR: folder, ...own };
  const call = callFollowingProgram('main/demo', args);
  demo = spawn(call.command, call.args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
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

/** Expects the complete output of one minute. */
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

function findLink(label: string): URL {
  const [, url = ''] = new RegExp(`^ +${label} +(http\\S+)$`, 'm').exec(output) ?? [];
  return new URL(url);
}

/** Visits the printed link twice. Returns the session of the second visit. */
async function enterTwice() {
  const enter = () => fetch(findLink('Dashboard'), { redirect: 'manual' });
  await enter();
  const { headers } = await enter();
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return { dashboard: new URL(headers.get('location') ?? ''), cookie };
}

async function expectPages(dashboard: URL, cookie: string): Promise<void> {
  for (const url of [dashboard, findLink('Temporal UI')]) {
    const page = await fetch(url, { headers: { cookie, accept: 'text/html' } });
    const { status, headers } = page;
    await page.body?.cancel();
    expect([url.pathname, status]).toEqual([url.pathname, 200]);
    expect(headers.get('content-type')).toContain('text/html');
  }
}

/** Expects one check a minute for 90 days, except in the current hour. */
async function expectSeededPast(get: (path: string) => Promise<unknown>): Promise<void> {
  const list = z.object({ data: z.array(z.object({ id: z.string() })) });
  const uptime = z.object({ checks: z.object({ total: z.number() }) });
  const { data } = list.parse(await get('/v1/monitors'));
  expect(data).toHaveLength(7);
  for (const { id } of data) {
    const { checks } = uptime.parse(await get(`/v1/monitors/${id}/uptime?window=90d`));
    expect(checks.total).toBeGreaterThan(89 * 24 * 60);
  }
}

/** Presses the button and returns the page that it leads to. */
async function killProbe(): Promise<string> {
  return (await fetch(findLink('Kill a probe'), { method: 'POST' })).text();
}

/** Reads the counter on the page: the number of checks so far, and how many of them were lost. */
function readCounter(page: string): readonly [made: number, lost: number] {
  const [, lost = '', made = ''] =
    /<output>(\d+)<\/output>\s*<p>\w+ lost of (\d+)/.exec(page) ?? [];
  return [Number(made), Number(lost)];
}

test('the demo shows checks, a job, runs, an incident and its alert, and removes its data', async () => {
  const port = String(await choosePort(undefined));
  const child = startDemo(['--verbose'], port);
  await waitUntil('its links are printed', () => linesOf(/^ +Dashboard +http/).length > 0);
  expect(linesOf(/^ +API +http/).join()).toContain(`localhost:${port}/v1`);
  await waitUntil('each monitor is checked', () => linesOf(/ check .* Login/).length > 0);
  const [madeBefore] = readCounter(await killProbe());
  await waitUntil('the whole output is shown', () => {
    expectWholeShow();
    return true;
  });
  await waitUntil('the slots around the kill are counted, and none is lost', async () => {
    const page = await (await fetch(findLink('Kill a probe'))).text();
    const [made, lost] = readCounter(page);
    expect(lost).toBe(0);
    expect(page).toContain('after the probe was killed once');
    return made >= madeBefore + SLOTS_AROUND_KILL;
  });
  const { dashboard, cookie } = await enterTwice();
  expect(dashboard.port).toBe(port);
  const get = async (path: string): Promise<unknown> =>
    (await fetch(new URL(path, dashboard), { headers: { cookie } })).json();
  expect(await get('/v1/session')).toMatchObject({ user: { role: 'owner' } });
  await expectPages(dashboard, cookie);
  await expectSeededPast(get);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  expect(readdirSync(folder)).toEqual([]);
});

/** Reads a line of output. Returns the kind, region and name of a check or run, and its status. */
function readStatus(line: string): readonly [name: string, status: string] {
  const pattern = /^\S+ (\w+) +(\w+) +\S+ (?:ms )?(\S+) +([^:]+)/;
  const [, kind = '', status = '', region = '', name = ''] = pattern.exec(line) ?? [];
  return [`${kind} ${region} ${name.trim()}`, status];
}

test('without --verbose the demo prints only changes, and ends after its time limit', async () => {
  const child = startDemo(['--for', '32']);
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
  'the demo does not start with unknown arguments: %s %s',
  async (...args) => {
    const [code] = await once(startDemo(args), 'close');
    expect([code, output]).toEqual([
      2,
      'usage: [PORT=NUMBER] npm run demo [-- [--verbose] [--for SECONDS]]\n',
    ]);
  },
);
