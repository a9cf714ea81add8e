/** Tests the configuration that a stored monitor or scenario passes to its workflow. */

import type { Monitor } from '../../../src/models/resources/monitors';
import type { Scenario } from '../../../src/models/resources/scenarios';
import {
  buildMonitorConfig,
  buildScenarioConfig,
  buildScenarioDefinition,
  buildStepConfig,
} from '../../../src/services/resources/compose-config';
import { findHost, groupKeyFor } from '../../../src/services/resources/target';

const STEP = {
  name: 's',
  method: 'GET',
  url: 'https://user-api.example.com:8443/a?b',
  headers: [],
  body: null,
  assertions: [],
  extract: [],
  timeoutMs: 4000,
  retries: 2,
  followRedirects: true,
  maxRedirects: 10,
  sendTraceparent: false,
  degradedAboveMs: null,
  tlsWarnDays: [14, 3],
  cookies: 'keep',
  always: false,
} as const;

const RULES = {
  channels: ['email'],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
  policy: null,
} as const;

const BASE = {
  id: 'mon_1',
  accountId: 'acc_1',
  version: 7,
  revision: 5,
  state: 'active',
  pausedAtMs: null,
  pausedUntilMs: null,
  pauseReason: null,
  createdAtMs: 1000,
  updatedAtMs: 2000,
  anchorMs: 1500,
  name: 'n',
  intervalSeconds: 30,
  regions: ['a', 'b', 'c', 'd'],
  group: null,
  groupKey: 'example.com',
  tags: [],
  key: null,
  alerts: { ...RULES, emails: ['a@example.com'] },
  alertTargets: [],
  dependsOn: [],
  hours: null,
  outside: 'quiet',
  runbookUrl: null,
  note: null,
  searchText: '',
  variables: [{ name: 'base', value: 'http://shop.example.com' }],
} as const;

const MONITOR: Monitor = {
  ...BASE,
  step: STEP,
  heartbeat: null,
  quorum: 1,
  failuresBeforeDown: 2,
  successesBeforeUp: 3,
};

it('the configuration of a monitor contains resolved intervals, time budgets and thresholds', () => {
  expect(buildMonitorConfig(MONITOR, 9000)).toEqual({
    accountId: 'acc_1',
    id: 'mon_1',
    version: 7,
    revision: 5,
    intervalMs: 30_000,
    anchorMs: 1500,
    name: 'n',
    group: BASE.groupKey,
    alerts: { ...RULES, targets: [] },
    regions: ['a', 'b', 'c', 'd'],
    paused: false,
    pausedAtMs: null,
    pausedUntilMs: null,
    savedAtMs: 2000,
    maintenance: null,
    dependsOn: [],
    budgetMs: 12_000,
    retries: 2,
    tlsWarnDays: [14, 3],
    quorum: 1,
    failuresBeforeDown: 2,
    successesBeforeUp: 3,
  });
});

it('the configuration of a monitor contains the limit of its response time, if there is one', () => {
  expect(buildMonitorConfig(MONITOR, 0)).not.toHaveProperty('degradedAboveMs');
  const limited = { ...MONITOR, step: { ...STEP, degradedAboveMs: 800 } };
  expect(buildMonitorConfig(limited, 0)).toHaveProperty('degradedAboveMs', 800);
});

it.each([
  ['majority', ['a'], 1],
  ['majority', ['a', 'b'], 2],
  ['majority', ['a', 'b', 'c'], 2],
  ['majority', ['a', 'b', 'c', 'd'], 3],
  [5, ['a', 'b'], 2],
  [2, ['a', 'b', 'c'], 2],
] as const)(
  'a quorum of %s with regions %j is limited to a reachable number: %d',
  (quorum, regions, expected) => {
    expect(buildMonitorConfig({ ...MONITOR, quorum, regions }, 0)).toHaveProperty(
      'quorum',
      expected,
    );
  },
);

it('the configuration of alerts contains the runbook and the first lines of a note, if there are any', () => {
  const runbookUrl = 'https://wiki.example.com/shop';
  const note = 'One\n\n  Two\r\nThree\nFour';
  expect(buildMonitorConfig({ ...MONITOR, runbookUrl, note }, 0).guidance).toEqual({
    runbookUrl,
    note: 'One\n  Two\nThree …',
  });
  const long = buildMonitorConfig({ ...MONITOR, note: 'x'.repeat(2_000) }, 0).guidance;
  expect(long).toEqual({ runbookUrl: null, note: `${'x'.repeat(299)}…` });
  expect(buildMonitorConfig(MONITOR, 0)).not.toHaveProperty('guidance');
});

it('the configuration contains a pause only until the pause ends', () => {
  const row: Monitor = { ...MONITOR, state: 'paused', pausedAtMs: 10, pausedUntilMs: 100 };
  expect(buildMonitorConfig(row, 99)).toMatchObject({ paused: true, pausedUntilMs: 100 });
  expect(buildMonitorConfig(row, 100)).toMatchObject({ paused: false, pausedUntilMs: null });
});

it('the steps of a scenario are planned with the hosts that are known before a run', () => {
  const urls = [STEP.url, '{{base}}/x', '{{token}}/x', 'http://{{token}}.example.com/'];
  const row: Scenario = {
    ...BASE,
    steps: urls.map((url, index) => ({
      ...STEP,
      url,
      name: `${index}`,
      always: index === 3,
      waitSeconds: index * 60,
      until: index === 2 ? { everySeconds: 5, forSeconds: 60 } : null,
    })),
    timeoutSeconds: 60,
    onFailure: 'continue',
    cookies: true,
  };
  expect(buildScenarioConfig(row, 0)).toMatchObject({
    timeoutSeconds: 60,
    onFailure: 'continue',
    steps: [
      { name: '0', method: 'GET', host: 'user-api.example.com:8443', budgetMs: 12_000 },
      { host: 'shop.example.com', waitMs: 60_000, until: null },
      { host: '', always: false, until: { everyMs: 5_000, forMs: 60_000 } },
      { host: '', always: true },
    ],
  });
});

it("a step inherits the scenario's authentication unless the step sets its own authentication or none", () => {
  const auth = { type: 'basic', user: '{{user}}', password: '{{secret:password}}' } as const;
  const bearer = { type: 'bearer', token: '{{secret:token}}' } as const;
  const step = { ...STEP, waitSeconds: 0, until: null };
  const scenario: Scenario = {
    ...BASE,
    steps: [step, { ...step, auth: bearer }, { ...step, auth: { type: 'none' } }],
    auth,
    timeoutSeconds: 60,
    onFailure: 'stop',
    cookies: true,
  };
  const { steps } = buildScenarioDefinition(scenario);
  expect(steps).toMatchObject([{ auth }, { auth: bearer }, { auth: { type: 'none' } }]);
  expect(buildScenarioConfig(scenario, 0).steps.map(({ variables }) => variables)).toEqual([
    ['user'],
    [],
    [],
  ]);
  const { auth: _auth, ...without } = scenario;
  expect(buildScenarioDefinition(without).steps[0]).toBe(step);
});

it('the time limit of a step with an OAuth token includes one more try', () => {
  const auth = {
    type: 'oauth2',
    grant: 'clientCredentials',
    tokenUrl: 'https://idp.example.com/token',
    clientId: 'shop',
    clientSecret: '{{secret:client}}',
    sendAs: 'header',
  } as const;
  const step = { ...STEP, timeoutMs: 4_000, retries: 1 };
  expect(buildStepConfig(MONITOR, step, 0).budgetMs).toBe(8_000);
  expect(buildStepConfig(MONITOR, { ...step, auth }, 0).budgetMs).toBe(12_000);
});

it.each([
  [null, 'https://www.shop.example.co.uk/x', 'example.co.uk'],
  [null, 'https://docs.ours.github.io/', 'ours.github.io'],
  [null, 'http://192.0.2.7:80/', '192.0.2.7'],
  [null, 'http://localhost/', 'localhost'],
  [null, '{{base}}/x', 'example.com'],
  [' shop / eu ', 'http://example.org', 'shop/eu'],
] as const)('the group %j of %s has the key %s', (group, url, expected) => {
  expect(groupKeyFor(group, url, BASE.variables)).toBe(expected);
});

it('the host of a check is shown without user, path and query', () => {
  expect(findHost('https://example.com/secret?key=1#x', [])).toBe('example.com');
});
