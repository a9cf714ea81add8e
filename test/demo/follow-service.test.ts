/** Tests that the demo shows each check, run and incident exactly once, and loses none if a call fails. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  demoChannels,
  demoHeartbeat,
  demoMonitors,
  demoPolicy,
  demoScenario,
  demoSignIn,
} from '../../src/demo/demo-resources';
import { createFollower, createNewsFilter, type Turn } from '../../src/demo/follow-service';
import type { Monitor, Result, Run, ServiceClient } from '../../src/demo/service-client';
import { alertPolicyBody } from '../../src/schemas/alert-policy';
import { alertChannelBody } from '../../src/schemas/alerts';
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';

const SCENARIO = { id: 'scn_1', name: 'Order journey' };

/** Creates a fake service whose responses the test changes. */
function createFakeService() {
  const state: { health: string; results: Result[]; runs: Run[]; resultCalls: number } = {
    health: 'pending',
    results: [],
    runs: [],
    resultCalls: 0,
  };
  const notUsed = () => Promise.reject(new Error('not used'));
  const monitor = (): Monitor => ({
    id: 'mon_1',
    name: 'Checkout',
    health: state.health,
    lastCheckedAt: state.results[0]?.startedAt ?? null,
  });
  const client: ServiceClient = {
    createMonitor: notUsed,
    createScenario: notUsed,
    createChannel: notUsed,
    createPolicy: notUsed,
    createStatusPage: notUsed,
    createKey: notUsed,
    putSecret: notUsed,
    acknowledge: notUsed,
    monitors: async () => [monitor()],
    results: async () => {
      state.resultCalls += 1;
      return state.results.slice(0, 20);
    },
    runs: async () => state.runs.slice(0, 10),
  };
  function check(second: number, status: string, message?: string): void {
    state.health = status;
    state.results.unshift({
      id: `result-${second}`,
      slot: new Date(second * 1000).toISOString(),
      kind: 'scheduled',
      region: 'eu-west',
      status,
      startedAt: new Date(second * 1000).toISOString(),
      responseTimeMs: 5,
      failure: message === undefined ? null : { code: 'assertion_failed', message },
    });
  }
  return { state, client, check };
}

function summarise({ events }: Turn): string[] {
  return events.map(({ kind, status, detail }) => `${kind} ${status} ${detail ?? ''}`.trim());
}

test('the demo shows each check once, and reads results only when a new result exists', async () => {
  const { state, client, check } = createFakeService();
  const { next } = createFollower(client, []);
  expect(summarise(await next())).toEqual([]);
  check(10, 'up');
  expect(summarise(await next())).toEqual(['check up']);
  expect(summarise(await next())).toEqual([]);
  expect(state.resultCalls).toBe(1);
  check(20, 'up');
  check(30, 'degraded');
  expect(summarise(await next())).toEqual(['check up', 'check degraded']);
});

test('the demo shows an incident once when the incident opens and once when the incident closes', async () => {
  const { client, check } = createFakeService();
  const { next } = createFollower(client, []);
  check(10, 'down', 'got 503');
  expect(summarise(await next())).toEqual(['check down got 503', 'incident opened got 503']);
  check(20, 'down', 'got 503');
  expect(summarise(await next())).toEqual(['check down got 503']);
  check(42, 'up');
  expect(summarise(await next())).toEqual(['check up', 'incident closed down for 32 s']);
  check(52, 'up');
  expect(summarise(await next())).toEqual(['check up']);
});

test('the demo shows a run only after the run has finished', async () => {
  const { state, client } = createFakeService();
  const { next } = createFollower(client, [SCENARIO]);
  const run: Run = { id: 'run_1', region: 'eu-west', status: 'running', steps: [] };
  state.runs = [run];
  expect(summarise(await next())).toEqual([]);
  const steps = [{ status: 'passed' }, { status: 'passed' }];
  state.runs = [{ ...run, status: 'passed', durationMs: 30, steps }];
  expect(summarise(await next())).toEqual(['run passed 2 of 2 steps passed']);
  expect(summarise(await next())).toEqual([]);
});

test('a failed call of the demo is reported, and neither delays nor loses the events of other calls', async () => {
  const { state, client, check } = createFakeService();
  let isAway = true;
  const results: ServiceClient['results'] = (id) =>
    isAway ? Promise.reject(new Error('away')) : client.results(id);
  const { next } = createFollower({ ...client, results }, [SCENARIO]);
  check(10, 'down', 'got 503');
  state.runs = [{ id: 'run_1', region: 'eu-west', status: 'passed', steps: [] }];
  const turn = await next();
  expect(turn.problem).toBe('Error: away');
  expect(summarise(turn)).toEqual(['run passed 0 of 0 steps passed']);
  isAway = false;
  expect(summarise(await next())).toEqual(['check down got 503', 'incident opened got 503']);
});

test('the demo has the steps of examples/sign-in, and the service accepts its heartbeat, policy and channels', () => {
  const file = readFileSync(join(__dirname, '../../examples/sign-in/keepwatch.yaml'), 'utf8');
  const { steps, name } = parse(file);
  const signIn = demoSignIn('http://127.0.0.1:4000');
  expect({ name: signIn['name'], steps: signIn['steps'] }).toEqual({ name, steps });
  const problems = [
    validate(scenarioBody, signIn),
    validate(monitorBody, demoHeartbeat),
    validate(alertPolicyBody, demoPolicy),
    ...demoChannels((place) => `http://127.0.0.1:4001/${place}`).map((channel) =>
      validate(alertChannelBody, channel),
    ),
  ].flatMap((validated) => (validated.ok ? [] : validated.problems));
  expect(problems).toEqual([]);
});

test('the demo has six monitors in two groups and one scenario, all of which the service accepts', () => {
  const monitors = demoMonitors('http://127.0.0.1:4000').map((body) =>
    monitorBody.shape.parse(body),
  );
  expect(monitors).toHaveLength(6);
  expect(new Set(monitors.map(({ group }) => group)).size).toBe(2);
  expect(new Set(monitors.map((monitor) => monitor.type === 'http' && monitor.interval))).toEqual(
    new Set([10]),
  );
  const scenario = scenarioBody.shape.parse(demoScenario('http://127.0.0.1:4000'));
  expect(scenario.variables).toContainEqual({ name: 'baseUrl', value: 'http://127.0.0.1:4000' });
});

test('without --verbose, the demo prints only changes and incidents', () => {
  const isNews = createNewsFilter();
  const base = { at: new Date(0), region: 'local', durationMs: 1, detail: null };
  const check = (name: string, status: string) => ({
    ...base,
    kind: 'check' as const,
    name,
    status,
  });
  const told = [
    check('a', 'up'),
    check('b', 'up'),
    check('a', 'up'),
    check('a', 'down'),
    check('a', 'down'),
    check('b', 'up'),
    check('a', 'up'),
  ];
  expect(told.map(isNews)).toEqual([true, true, false, true, false, false, true]);
  const incident = {
    kind: 'incident',
    at: new Date(0),
    name: 'a',
    status: 'opened',
    detail: null,
  } as const;
  expect([incident, incident].map(isNews)).toEqual([true, true]);
});
