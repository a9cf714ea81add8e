/** Builds definitions for tests of single steps: a plain GET with a generous timeout, plus the changes of the test. */
import type { StepRunnerOptions } from '../../src/checks/step-runner';
import type { Definition, JsonValue, StepDefinition } from '../../src/contracts/definition';
import { createStepRunner } from '../../src/kinds/run-step';

function buildStep(changes: Partial<StepDefinition>): StepDefinition {
  return {
    name: 'step',
    method: 'GET',
    url: 'http://127.0.0.1/',
    headers: [],
    body: null,
    assertions: [],
    extract: [],
    timeoutMs: 30_000,
    retries: 0,
    followRedirects: true,
    maxRedirects: 10,
    sendTraceparent: false,
    degradedAboveMs: null,
    tlsWarnDays: [],
    cookies: 'keep',
    always: false,
    ...changes,
  };
}

export function buildDefinition(
  changes: Partial<StepDefinition>,
  variables: Readonly<Record<string, string>> = {},
): Definition {
  return {
    kind: 'monitor',
    id: 'mon_test',
    revision: 1,
    variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
    steps: [buildStep(changes)],
  };
}

export function buildVars(vars: Readonly<Record<string, JsonValue>>) {
  return Object.entries(vars).map(([name, value]) => ({ name, value }));
}

/** Builds a runner. By default, it may reach loopback. */
export function buildRunner(changes: Partial<StepRunnerOptions> = {}) {
  return createStepRunner({
    userAgent: 'Keepwatch/1.2.3 (+https://github.com/keepwatch/keepwatch)',
    region: 'eu-west',
    allowedPrivateTargets: ['127.0.0.0/8'],
    programPath: '',
    ...changes,
  });
}
