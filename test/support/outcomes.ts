/** Outcomes of steps and configurations of workflows as tests need them. */
import { HEARTBEAT_REGION, type HeartbeatRules } from '../../src/contracts/heartbeat';
import type { HeartbeatConfig } from '../../src/contracts/heartbeat-workflow';
import type { StepOutcome } from '../../src/contracts/outcome';
import type {
  ManualRun,
  MonitorConfig,
  RequestedRun,
  ScenarioConfig,
} from '../../src/contracts/workflows';

const NO_ALERTS = {
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

export function monitorConfig(id: string, change: Partial<MonitorConfig> = {}): MonitorConfig {
  return {
    accountId: 'acc_1',
    id,
    version: 1,
    revision: 1,
    intervalMs: 60_000,
    anchorMs: 0,
    group: 'shop.example',
    regions: ['eu-west'],
    paused: false,
    pausedAtMs: null,
    name: 'Shop',
    alerts: NO_ALERTS,
    dependsOn: [],
    pausedUntilMs: null,
    // As if the workflow heard of each change in the instant in which it is saved.
    savedAtMs: Number.MAX_SAFE_INTEGER,
    maintenance: null,
    budgetMs: 10_000,
    tlsWarnDays: [14, 3],
    quorum: 1,
    failuresBeforeDown: 1,
    successesBeforeUp: 1,
    ...change,
  };
}

export function heartbeatConfig(
  id: string,
  rules: Partial<HeartbeatRules> = {},
  change: Partial<HeartbeatConfig> = {},
): HeartbeatConfig {
  const { budgetMs: _budget, tlsWarnDays: _days, ...schedule } = monitorConfig(id);
  const { quorum: _quorum, failuresBeforeDown: _down, successesBeforeUp: _up, ...base } = schedule;
  return {
    ...base,
    regions: [HEARTBEAT_REGION],
    heartbeat: {
      schedule: { everySeconds: 3_600 },
      graceMs: 300_000,
      earlyMs: 60_000,
      maxRunMs: null,
      minRunMs: null,
      ...rules,
    },
    ...change,
  };
}

export function scenarioConfig(id: string, change: Partial<ScenarioConfig> = {}): ScenarioConfig {
  return {
    accountId: 'acc_1',
    id,
    version: 1,
    revision: 1,
    intervalMs: 300_000,
    anchorMs: 0,
    group: 'shop.example',
    regions: ['eu-west'],
    paused: false,
    pausedAtMs: null,
    name: 'Shop',
    alerts: NO_ALERTS,
    dependsOn: [],
    pausedUntilMs: null,
    // As if the workflow heard of each change in the instant in which it is saved.
    savedAtMs: Number.MAX_SAFE_INTEGER,
    maintenance: null,
    steps: ['log in', 'order', 'read back'].map((name) => ({
      name,
      method: 'GET',
      host: 'shop.example',
      budgetMs: 10_000,
      tlsWarnDays: [14, 3],
      always: false,
      waitMs: 0,
      until: null,
      variables: null,
    })),
    timeoutSeconds: 300,
    onFailure: 'stop',
    ...change,
  };
}

/** A request by a key for runs that count nowhere. */
export function requestOf(runs: readonly RequestedRun[], queuedAtMs: number): ManualRun {
  const origin = { trigger: 'api', label: null, source: null, notify: false } as const;
  return { ...origin, runs, queuedAtMs, countInUptime: false };
}
