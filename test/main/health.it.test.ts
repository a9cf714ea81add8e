/** Tests that the health command judges real processes correctly, even if it gets no response from them. */
import path from 'node:path';
import { runCommand } from '../../src/embedded/run-command';
import { deriveLocalProbeKey } from '../../src/platform/local-probe-key';
import { openSharedService, type SharedService } from '../support/shared-service';
import { createShiftedClock } from '../support/shifted-clock';
import { WAIT_LIMIT_MS, waitUntil } from '../support/wait-until';

const PROGRAM = path.join(__dirname, '../../dist/main/health.js');

let service: SharedService;

beforeAll(async () => {
  service = await openSharedService();
});
afterAll(() => service?.close());

const SECRET_KEY = 'ab'.repeat(32);
const keyIn = (region: string) => deriveLocalProbeKey([SECRET_KEY], region);

function askHealth(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  return runCommand(process.execPath, [PROGRAM, ...args], {
    environment: {
      ...process.env,
      PORT: new URL(service.url).port,
      MONGODB_URI: service.mongodbUri,
      TEMPORAL_ADDRESS: service.temporalAddress,
      TEMPORAL_NAMESPACE: service.suite,
      // A probe has no secret key.
      KEEPWATCH_SECRET_KEY: args[0] === 'probe' ? '' : SECRET_KEY,
      KEEPWATCH_PROBE_KEY: keyIn('eu-west'),
      ...settings,
    },
    timeoutMs: WAIT_LIMIT_MS,
  });
}

test.each(['api', 'orchestrator', 'probe'])('a running %s is healthy', async (role) => {
  const healthy = await waitUntil(`${role} is healthy`, async () => {
    const answer = await askHealth([role]);
    return answer.code === 0 ? answer : undefined;
  });
  expect(healthy.stdout.trim()).toBe('healthy');
});

test('a worker stays healthy if the host clock is an hour off', async () => {
  const HOUR_MS = 3_600_000;
  const askedBy = { orchestrator: HOUR_MS, probe: -HOUR_MS };
  for (const [role, offMs] of Object.entries(askedBy)) {
    const clock = createShiftedClock();
    clock.shift(offMs);
    const { stdout } = await askHealth([role], clock.environment);
    clock.remove();
    expect([role, stdout.trim()]).toEqual([role, 'healthy']);
  }
});

test('the health check of a region without a probe on this host fails with an explanation', async () => {
  const { code, stdout } = await askHealth(['probe'], { KEEPWATCH_PROBE_KEY: keyIn('mars-north') });
  expect([code, stdout.trim()]).toEqual([1, 'no worker of this host polls probe-mars-north']);
});

test('a server that does not respond makes a role unhealthy', async () => {
  const away = { TEMPORAL_ADDRESS: '127.0.0.1:1', PORT: '1' };
  const asked = ['orchestrator', 'api'].map((role) => askHealth([role], away));
  expect((await Promise.all(asked)).map(({ code }) => code)).toEqual([1, 1]);
});

test('the health check names invalid settings of the role and unknown roles', async () => {
  const missing = await askHealth(['probe'], { KEEPWATCH_PROBE_KEY: '' });
  expect(missing.stdout).toContain('KEEPWATCH_PROBE_KEY is required by probe');
  expect(missing.code).toBe(1);
  const unknown = await askHealth(['gardener']);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'usage: node dist/main/health.js all|api|orchestrator|probe\n',
  ]);
});
