/**
 * Tests ping checks with a fake `ping` program, because tests may not send ICMP.
 *
 * Covers:
 * - kinds/ping/run
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StepRunner } from '../../../src/checks/step-runner';
import type { Extraction } from '../../../src/contracts/definition';
import type { PingSettings } from '../../../src/contracts/kinds';
import { ALL_FACTS, buildKindRunner, COMMON_STEP, kindDefinition } from '../support/kind-runner';

let runner: StepRunner;
/** A runner on a machine without any programs. */
let bare: StepRunner;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ping-'));
  runner = buildKindRunner({ programPath: `${folder}:${process.env['PATH'] ?? ''}` });
  bare = buildKindRunner({ programPath: join(folder, 'none') });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([runner.close(), bare.close()]);
});

/** Installs the script as the only `ping` program that the runner finds. */
function install(script: string): void {
  const file = join(folder, 'ping');
  rmSync(file, { force: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

const printing = (text: string): string => `cat <<'END'\n${text}\nEND`;

const ALL = `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.
64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=10.0 ms
64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=20.0 ms
64 bytes from 127.0.0.1: icmp_seq=3 ttl=64 time=90.0 ms

--- 127.0.0.1 ping statistics ---
3 packets transmitted, 3 received, 0% packet loss, time 401ms
rtt min/avg/max/mdev = 10.0/40.0/90.0/35.0 ms`;
const MOST = ALL.replace('3 received, 0%', '2 received, 33%').replace(/.*icmp_seq=3.*\n/, '');
const NONE = '3 packets transmitted, 0 received, 100% packet loss, time 2000ms';

function ping(
  changes: Partial<PingSettings> = {},
  timeoutMs = 30_000,
  extract: readonly Extraction[] = [],
  by = runner,
) {
  const settings = { host: '127.0.0.1', count: 3, lossPercent: 50, p95Ms: null, ...changes };
  const step = {
    ...COMMON_STEP,
    timeoutMs,
    url: 'ping://127.0.0.1',
    type: 'ping',
    settings,
    extract,
  } as const;
  return by.runStep(kindDefinition(step), 0, { slotMs: 0 });
}

test('a ping check is up if the host returns packets, and its response time is the mean round trip', async () => {
  install(printing(ALL));
  expect(await ping()).toMatchObject({
    status: 'up',
    responseTimeMs: 40,
    request: { method: 'PING' },
    response: { remoteIp: '127.0.0.1', bodyPreview: expect.stringContaining('rtt min') },
    assertions: [{ type: 'timing', target: 'loss', ok: true, actual: 0 }],
  });
});

test.each([
  ['lost packets within the limit', MOST, {}, 'up', null],
  ['more lost packets than allowed', MOST, { lossPercent: 20 }, 'down', 'assertion_failed'],
  ['packets that come back late', ALL, { p95Ms: 50 }, 'down', 'assertion_failed'],
  ['packets that come back in time', ALL, { p95Ms: 90 }, 'up', null],
  ['no packet at all', NONE, { lossPercent: 99 }, 'down', 'timeout'],
] as const)(
  'lost and late packets decide whether a ping check is up or down: %s',
  async (_name, text, settings, status, code) => {
    install(printing(text));
    const outcome = await ping(settings);
    expect([outcome.status, outcome.failure?.code ?? null]).toEqual([status, code]);
  },
);

test.each([
  [
    'may not send',
    'echo "ping: socket: Operation not permitted" >&2; exit 2',
    /not allowed to send/,
  ],
  ['does not know an option', 'echo "ping: invalid option -- W" >&2; exit 64', /did not report/],
])('if ping %s, the check is unknown and not retried', async (_name, script, words) => {
  install(script);
  const outcome = await ping();
  expect(outcome).toMatchObject({
    status: 'unknown',
    failure: { code: 'not_possible_here', message: expect.stringMatching(words) },
    response: null,
  });
  expect(outcome.attempts).toHaveLength(1);
});

test('if ping is missing, the check is unknown and not retried', async () => {
  const outcome = await ping({}, 30_000, [], bare);
  expect(outcome).toMatchObject({
    status: 'unknown',
    failure: { code: 'not_possible_here', message: expect.stringMatching(/not installed/) },
  });
  expect(outcome.attempts).toHaveLength(1);
});

test('a ping check of an unreachable host is down', async () => {
  install('echo "ping: connect: Network is unreachable" >&2; exit 2');
  expect(await ping()).toMatchObject({ status: 'down', failure: { code: 'connection_refused' } });
});

test('a ping that hangs ends at the deadline, and the check is unknown', async () => {
  install('exec sleep 60');
  expect(await ping({}, 500)).toMatchObject({
    status: 'unknown',
    failure: { code: 'not_possible_here' },
  });
});

test('packets that the probe is not permitted to send do not count as lost', async () => {
  install(`echo "ping: sendmsg: Operation not permitted" >&2; ${printing(NONE)}`);
  expect(await ping()).toMatchObject({
    status: 'unknown',
    failure: { code: 'not_possible_here', message: expect.stringMatching(/not allowed to send/) },
  });
});

test('the summary line of ping is read even after a lot of output', async () => {
  install(`yes "64 bytes from 127.0.0.1 (DUP!)" | head -n 2000; ${printing(ALL)}`);
  expect(await ping()).toMatchObject({ status: 'up', responseTimeMs: 40 });
});

test('ping gets only numbers and an IP address as arguments, for any host name', async () => {
  install('echo "$@"; echo "3 packets transmitted, 3 received"');
  const { response } = await ping({ host: 'localhost', count: 3 });
  expect(response?.bodyPreview).toMatch(/^-c 3 -i 0\.2 -W \d+ 127\.0\.0\.1\n/);
});

test('a ping check of a private host is refused before anything is sent', async () => {
  install('exit 0');
  const strict = buildKindRunner({ allowedPrivateTargets: [] });
  const settings = { host: '127.0.0.1', count: 1, lossPercent: 0, p95Ms: null };
  const step = { ...COMMON_STEP, url: 'ping://127.0.0.1', type: 'ping', settings } as const;
  const outcome = await strict.runStep(kindDefinition(step), 0, { slotMs: 0 });
  await strict.close();
  expect(outcome).toMatchObject({ status: 'down', failure: { code: 'blocked_target' } });
});

test('a ping step returns the numbers of packets and the times', async () => {
  install(printing(ALL));
  const { extracted } = await ping({}, 30_000, ALL_FACTS);
  expect(extracted).toMatchObject([
    { name: 'facts', value: { sent: 3, received: 3, lossPercent: 0, meanMs: expect.any(Number) } },
  ]);
});
