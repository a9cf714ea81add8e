/** The health command tells the truth about real processes, and ends in time when it can't ask. */
import path from 'node:path';
import { runCommand } from '../../src/embedded/run-command';
import { localProbeKey } from '../../src/platform/local-probe-key';
import { startService, type TestService } from '../support/service';
import { createShiftedClock } from '../support/shifted-clock';
import { waitUntil } from '../support/wait-until';

const PROGRAM = path.join(__dirname, '../../dist/main/health.js');

let service: TestService;

beforeAll(async () => {
  service = await startService({ regions: ['eu-west'] });
});
afterAll(() => service.stop());

const SECRET_KEY = 'ab'.repeat(32);
const keyIn = (region: string) => localProbeKey([SECRET_KEY], region);

function askHealth(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  return runCommand(process.execPath, [PROGRAM, ...args], {
    environment: {
      ...process.env,
      PORT: new URL(service.url).port,
      MONGODB_URI: service.mongodbUri,
      TEMPORAL_ADDRESS: service.temporalAddress,
      TEMPORAL_NAMESPACE: service.suite,
      // A probe has none.
      KEEPWATCH_SECRET_KEY: args[0] === 'probe' ? '' : SECRET_KEY,
      KEEPWATCH_PROBE_KEY: keyIn('eu-west'),
      ...settings,
    },
    timeoutMs: 30_000,
  });
}

test.each(['api', 'orchestrator', 'probe'])('a running %s is healthy', async (role) => {
  const healthy = await waitUntil(`${role} is healthy`, async () => {
    const answer = await askHealth([role]);
    return answer.code === 0 ? answer : undefined;
  });
  expect(healthy.stdout.trim()).toBe('healthy');
});

test.each([3_600_000, -3_600_000])(
  'a clock of the host that is %i ms off makes no worker unhealthy',
  async (offMs) => {
    const clock = createShiftedClock();
    clock.shift(offMs);
    const answers = await Promise.all(
      ['orchestrator', 'probe'].map((role) => askHealth([role], clock.environment)),
    );
    clock.remove();
    expect(answers.map(({ stdout }) => stdout.trim())).toEqual(['healthy', 'healthy']);
  },
);

test('a region without a probe on this host is unhealthy, in words', async () => {
  const { code, stdout } = await askHealth(['probe'], { KEEPWATCH_PROBE_KEY: keyIn('mars-north') });
  expect([code, stdout.trim()]).toEqual([1, 'no worker of this host polls probe-mars-north']);
});

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = Date.now();
  await work();
  return Date.now() - startedAtMs;
}

test('a server that does not answer makes it unhealthy within seven seconds, besides the start of the program', async () => {
  const away = { TEMPORAL_ADDRESS: '127.0.0.1:1', PORT: '1' };
  const ask = (roles: readonly string[]) =>
    Promise.all(roles.map((role) => askHealth([role], away).then(({ code }) => code)));
  const startMs = await msOf(() => ask(['gardener', 'gardener']));
  const tookMs = await msOf(async () => expect(await ask(['orchestrator', 'api'])).toEqual([1, 1]));
  expect(tookMs - startMs).toBeLessThan(7_000);
});

test('settings that do not fit the role and unknown roles are named', async () => {
  const missing = await askHealth(['probe'], { KEEPWATCH_PROBE_KEY: '' });
  expect(missing.stdout).toContain('KEEPWATCH_PROBE_KEY is required by probe');
  expect(missing.code).toBe(1);
  const unknown = await askHealth(['gardener']);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'usage: node dist/main/health.js api|orchestrator|probe\n',
  ]);
});
