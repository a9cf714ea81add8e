/** Builds outcomes of steps and configurations of workflows for tests. */
import { HEARTBEAT_REGION, type HeartbeatRules } from '../../src/contracts/heartbeat';
import type { HeartbeatConfig } from '../../src/contracts/heartbeat-workflow';
import type { StepOutcome } from '../../src/contracts/outcome';
import type {
  ManualRun,
  MonitorConfig,
  RequestedRun,
  ScenarioConfig,
  StepPlan,
} from '../../src/contracts/workflows';

export const NO_ALERTS = {
  channels: [],
  targets: [],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
} as const;

export function outcomeOf(status: StepOutcome['status'], extracted = {}): StepOutcome {
  const at = new Date(0).toISOString();
  return {
    status,
    startedAt: at,
    finishedAt: at,
    responseTimeMs: 12,
    timings: null,
    request: { method: 'GET', url: 'http://shop.example/' },
    response: null,
    tls: null,
    assertions: [],
    failure:
      status === 'up' || status === 'degraded'
        ? null
        : { code: 'assertion_failed', message: 'It did not pass.', phase: 'assert' },
    attempts: [{ startedAt: at, responseTimeMs: 12, status: 200, failure: null }],
    extracted: Object.entries(extracted).map(([name, value]) => ({ name, value: String(value) })),
  };
}

/** The fields that all kinds of checks share. */
const BASE = {
  accountId: 'acc_1',
  version: 1,
  revision: 1,
  anchorMs: 0,
  group: 'shop.example',
  regions: ['eu-west'],
  paused: false,
  pausedAtMs: null,
  name: 'Shop',
  alerts: NO_ALERTS,
  dependsOn: [],
  pausedUntilMs: null,
  // A very late instant. The workflow therefore seems to get each change as soon as it is saved.
  savedAtMs: Number.MAX_SAFE_INTEGER,
  maintenance: null,
} as const;

export function monitorConfig(id: string, change: Partial<MonitorConfig> = {}): MonitorConfig {
  return {
    ...BASE,
    id,
    intervalMs: 60_000,
    budgetMs: 10_000,
    tlsWarnDays: [14, 3],
    quorum: 1,
    failuresBeforeDown: 1,
    successesBeforeUp: 1,
    ...change,
  };
}

/** A job that runs every hour. */
export const HOURLY: HeartbeatRules = {
  schedule: { everySeconds: 3_600 },
  graceMs: 300_000,
  earlyMs: 60_000,
  maxRunMs: null,
  minRunMs: null,
};

export function heartbeatConfig(
  id: string,
  rules: Partial<HeartbeatRules> = {},
  change: Partial<HeartbeatConfig> = {},
): HeartbeatConfig {
  return {
    ...BASE,
    id,
    intervalMs: 60_000,
    regions: [HEARTBEAT_REGION],
    heartbeat: { ...HOURLY, ...rules },
    ...change,
  };
}

/** Returns the plan of a step that the workflow of a scenario requests. */
export function stepPlan(name: string, change: Partial<StepPlan> = {}): StepPlan {
  return {
    name,
    method: 'GET',
    host: 'shop.example',
    budgetMs: 10_000,
    tlsWarnDays: [],
    always: false,
    waitMs: 0,
    until: null,
    variables: null,
    ...change,
  };
}

export function scenarioConfig(id: string, change: Partial<ScenarioConfig> = {}): ScenarioConfig {
  return {
    ...BASE,
    id,
    intervalMs: 300_000,
    steps: ['log in', 'order', 'read back'].map((name) => stepPlan(name, { tlsWarnDays: [14, 3] })),
    timeoutSeconds: 300,
    onFailure: 'stop',
    ...change,
  };
}

/** Returns a request by an API key for runs that do not count in uptime. */
export function requestOf(runs: readonly RequestedRun[], queuedAtMs: number): ManualRun {
  const origin = { trigger: 'api', label: null, source: null, notify: false } as const;
  return { ...origin, runs, queuedAtMs, countInUptime: false };
}
