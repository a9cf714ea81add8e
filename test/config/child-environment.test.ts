/** Tests the environment of child processes. They get what they need, and no secret of another program. */
import { buildRoleEnvironment, buildSystemEnvironment } from '../../src/config/child-environment';

const WHOLE = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C.UTF-8',
  https_proxy: 'http://proxy:1',
  PIP_INDEX_URL: 'https://index.example',
  AWS_SECRET_ACCESS_KEY: 'of somebody else',
  GITHUB_TOKEN: 'of somebody else',
  DATABASE_URL: 'of somebody else',
  KEEPWATCH_API_KEY: 'of a client',
  KEEPWATCH_SECRET_KEY: 'a'.repeat(64),
  KEEPWATCH_PROBE_KEY: `kwp_eu-west_local_${'d'.repeat(64)}`,
  KEEPWATCH_SETUP_TOKEN: 'b'.repeat(24),
  KEEPWATCH_METRICS_TOKEN: 'c'.repeat(24),
  MONGODB_URI: 'mongodb://db/keepwatch',
  SMTP_URL: 'smtp://mail',
  LOG_LEVEL: '',
};

const LIMITS = ['MALLOC_ARENA_MAX', 'NODE_OPTIONS'];

test('third-party programs get the system variables and no settings', () => {
  expect(Object.keys(buildSystemEnvironment(WHOLE)).sort()).toEqual(
    ['HOME', 'LC_ALL', 'PATH', 'PIP_INDEX_URL', 'https_proxy'].sort(),
  );
});

test.each([
  [
    'api',
    [
      'KEEPWATCH_METRICS_TOKEN',
      'KEEPWATCH_SECRET_KEY',
      'KEEPWATCH_SETUP_TOKEN',
      'MONGODB_URI',
      'SMTP_URL',
    ],
  ],
  ['orchestrator', ['KEEPWATCH_SECRET_KEY', 'MONGODB_URI', 'SMTP_URL']],
  ['probe', ['KEEPWATCH_PROBE_KEY']],
] as const)('the process %s gets the settings that it reads, and no others', (role, names) => {
  const settings = Object.keys(buildRoleEnvironment(role, WHOLE)).filter(
    (name) => !(name in buildSystemEnvironment(WHOLE)) && !LIMITS.includes(name),
  );
  expect(settings.sort()).toEqual([...names].sort());
});

test('our processes limit their memory, unless a setting overrides it', () => {
  expect(buildRoleEnvironment('api', WHOLE)).toMatchObject({
    MALLOC_ARENA_MAX: '2',
    NODE_OPTIONS: '--max-semi-space-size=4',
  });
  const chosen = { MALLOC_ARENA_MAX: '8', NODE_OPTIONS: '--max-old-space-size=512' };
  expect(buildRoleEnvironment('api', { ...WHOLE, ...chosen })).toMatchObject(chosen);
});
