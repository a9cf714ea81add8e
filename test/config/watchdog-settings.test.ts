/**
 * Tests the settings of the watchdog: which settings it requires, and that it cannot report to its own installation.
 */
import { readSettings, SettingsError } from '../../src/config/settings';
import { readWatchdog } from '../../src/config/watchdog-rows';

const SERVERS = {
  MONGODB_URI: 'mongodb://127.0.0.1/x',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  KEEPWATCH_SECRET_KEY: 'a'.repeat(64),
  KEEPWATCH_REGIONS: 'eu-west,us-east',
};
const URL_OUTSIDE = 'https://outside.example/ping/a-secret?x=1';
const read = (given: Record<string, string>) =>
  readSettings('orchestrator', { ...SERVERS, ...given });

function problemsOf(given: Record<string, string>): readonly string[] {
  try {
    read(given);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

test('without a URL the watchdog is off, and by default it checks every part and every region once a minute', () => {
  expect(readWatchdog(read({}))).toBeNull();
  expect(
    readWatchdog(read({ KEEPWATCH_WATCHDOG_URL: 'https://outside.example/ping/a' })),
  ).toMatchObject({
    maskedUrl: 'https://outside.example/…',
    plan: {
      everyMs: 60_000,
      regions: ['eu-west', 'us-east'],
      needsAlerts: true,
      needsStorage: true,
    },
  });
});

test('the watchdog requires only the named parts, and named regions replace all configured regions', () => {
  const given = { KEEPWATCH_WATCHDOG_URL: 'https://outside.example/ping/a' };
  const planOf = (requires: string) =>
    readWatchdog(read({ ...given, KEEPWATCH_WATCHDOG_REQUIRES: requires }))?.plan;
  expect(planOf('checks,probes:eu-west')).toMatchObject({
    regions: ['eu-west'],
    needsAlerts: false,
  });
  expect(planOf('storage')).toMatchObject({ regions: [], needsStorage: true });
});

test('an invalid watchdog URL is refused, and the message does not show the URL', () => {
  const all = problemsOf({
    KEEPWATCH_WATCHDOG_REQUIRES: 'everything',
    KEEPWATCH_WATCHDOG_SECONDS: '5',
  });
  expect(all).toHaveLength(2);
  expect(all.join()).toContain('probes:REGION');
  const own = problemsOf({
    KEEPWATCH_PUBLIC_URL: 'https://keepwatch.example',
    KEEPWATCH_WATCHDOG_URL: 'https://keepwatch.example/ping/a-secret',
  });
  expect(own).toEqual([expect.stringContaining('is a heartbeat of this installation')]);
  expect(own.join()).not.toContain('a-secret');
});

test('the watchdog URL may contain a query, as some receivers require', () => {
  expect(readWatchdog(read({ KEEPWATCH_WATCHDOG_URL: URL_OUTSIDE }))?.url).toBe(URL_OUTSIDE);
});
