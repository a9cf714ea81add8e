/** Provides complete records for tests of the stores. Each test replaces the fields that matter to it. */
import { randomBytes } from 'node:crypto';
import type { ScenarioHttpStep, StepDefinition } from '../../src/contracts/definition';
import type { StepOutcome } from '../../src/contracts/outcome';
import type {
  MonitorCheckRecord,
  RunRecord,
  ScenarioSlotRecord,
} from '../../src/contracts/records';
import { buildId, type IdKind } from '../../src/domain/definitions/ids';
import type { Monitor } from '../../src/models/resources/monitors';
import type { Scenario } from '../../src/models/resources/scenarios';
import type { ResourceStatus } from '../../src/models/results/statuses';

export const FIRST_SLOT_MS = Date.UTC(2026, 0, 5, 12, 0, 0);

export function newId(kind: IdKind, atMs = FIRST_SLOT_MS): string {
  return buildId(kind, atMs, randomBytes(10));
}

export function passingOutcome(changes: Partial<StepOutcome> = {}): StepOutcome {
  const startedAt = changes.startedAt ?? '2026-01-05T12:00:00.004Z';
  return {
    status: 'up',
    startedAt,
    finishedAt: '2026-01-05T12:00:00.127Z',
    responseTimeMs: 122.6,
    timings: {
      dnsMs: 4.1,
      connectMs: 20.3,
      tlsMs: 41.8,
      ttfbMs: 55.1,
      downloadMs: 1.3,
      totalMs: 122.6,
    },
    request: { method: 'GET', url: 'https://shop.example.com/health' },
    response: {
      status: 200,
      httpVersion: '1.1',
      bytes: 1256,
      remoteIp: '93.184.215.14',
      finalUrl: 'https://shop.example.com/health',
      redirects: 0,
      bodyPreview: null,
      truncated: false,
    },
    tls: {
      version: 'TLSv1.3',
      issuer: 'DigiCert Global G3',
      expiresAt: '2026-06-30T23:59:59.000Z',
      daysUntilExpiry: 176,
      trusted: true,
    },
    assertions: [
      {
        type: 'status',
        operator: 'equals',
        target: null,
        severity: 'fail',
        ok: true,
        actual: 200,
        expected: 200,
        message: 'Expected status 2xx, got 500.',
      },
    ],
    failure: null,
    attempts: [{ startedAt, responseTimeMs: 122.6, status: 200, failure: null }],
    extracted: [],
    ...changes,
  };
}

export function failingOutcome(): StepOutcome {
  const failure = {
    code: 'connection_refused',
    message: 'The connection was refused.',
    phase: 'connect',
  } as const;
  const startedAt = '2026-01-05T12:00:00.004Z';
  return {
    ...passingOutcome(),
    status: 'down',
    responseTimeMs: 3,
    timings: null,
    response: null,
    tls: null,
    assertions: [],
    failure,
    attempts: [{ startedAt, responseTimeMs: 3, status: null, failure }],
  };
}

type MonitorChanges = Partial<MonitorCheckRecord> &
  Pick<MonitorCheckRecord, 'accountId' | 'monitorId'>;

/** Returns a record of one slot, by default up in two regions. */
export function monitorRecord(changes: MonitorChanges): MonitorCheckRecord {
  const slotMs = changes.slotMs ?? FIRST_SLOT_MS;
  const health = changes.health ?? 'up';
  const outcome = health === 'down' ? failingOutcome() : passingOutcome();
  const regions = ['eu-west', 'us-east'];
  return {
    revision: 1,
    kind: 'scheduled',
    trigger: 'schedule',
    slotMs,
    outcomes: regions.map((region) => ({ region, outcome })),
    gap: null,
    excludedPeriods: [],
    incident: null,
    currentIncidentId: null,
    inMaintenance: false,
    health,
    healthSinceMs: slotMs,
    regionsHealth: regions.map((region) => ({
      region,
      health,
      sinceMs: slotMs,
      lastResponseTimeMs: outcome.responseTimeMs,
    })),
    nextSlotMs: slotMs + 60_000,
    ...changes,
  };
}

type ScenarioChanges = Partial<ScenarioSlotRecord> &
  Pick<ScenarioSlotRecord, 'accountId' | 'scenarioId'>;

export function scenarioRecord(changes: ScenarioChanges): ScenarioSlotRecord {
  const slotMs = changes.slotMs ?? FIRST_SLOT_MS;
  return {
    slotMs,
    runId: newId('run', slotMs),
    runStatus: 'passed',
    region: 'eu-west',
    gap: null,
    excludedPeriods: [],
    incident: null,
    currentIncidentId: null,
    inMaintenance: false,
    kind: 'scheduled',
    durationMs: 1_234,
    health: 'up',
    healthSinceMs: slotMs,
    regionsHealth: [],
    nextSlotMs: slotMs + 300_000,
    ...changes,
  };
}

type RunChanges = Partial<RunRecord> & Pick<RunRecord, 'accountId' | 'scenarioId'>;

export function runRecord(changes: RunChanges): RunRecord {
  const slotMs = changes.slotMs ?? FIRST_SLOT_MS;
  return {
    runId: newId('run', slotMs),
    revision: 1,
    region: 'eu-west',
    trigger: 'schedule',
    label: null,
    source: null,
    status: 'queued',
    sequence: 0,
    slotMs,
    queuedAtMs: slotMs,
    startedAtMs: null,
    finishedAtMs: null,
    steps: [
      {
        index: 0,
        name: 'log in',
        method: 'POST',
        status: 'pending',
        startedAtMs: null,
        finishedAtMs: null,
        waitingUntilMs: null,
        tries: 0,
        outcome: null,
        skippedReason: null,
      },
    ],
    failure: null,
    countedInUptime: true,
    ...changes,
  };
}

export function stepDefinition(changes: Partial<StepDefinition> = {}): StepDefinition {
  return {
    name: 'check',
    method: 'GET',
    url: 'https://shop.example.com/health',
    headers: [{ name: 'x-trace', value: '' }],
    body: null,
    assertions: [],
    extract: [],
    timeoutMs: 10_000,
    retries: 1,
    followRedirects: true,
    maxRedirects: 10,
    sendTraceparent: false,
    degradedAboveMs: null,
    tlsWarnDays: [14, 3],
    cookies: 'keep',
    always: false,
    ...changes,
  };
}

function resourceRow(accountId: string, createdAtMs: number) {
  return {
    accountId,
    version: 1,
    revision: 1,
    state: 'active',
    pausedAtMs: null,
    pausedUntilMs: null,
    pauseReason: null,
    createdAtMs,
    updatedAtMs: createdAtMs,
    anchorMs: createdAtMs,
    name: 'Shop',
    intervalSeconds: 60,
    regions: ['eu-west', 'us-east'],
    group: null,
    groupKey: 'example.com',
    tags: ['a', 'b'],
    key: null,
    alerts: {
      channels: [],
      emails: [],
      onFailure: true,
      onRecovery: true,
      onDegraded: false,
      remindEveryMinutes: null,
      policy: null,
    },
    alertTargets: [],
    dependsOn: [],
    hours: null,
    outside: 'quiet',
    runbookUrl: null,
    note: null,
    searchText: '',
    variables: [{ name: 'base', value: '' }],
  } as const;
}

export function monitorRow(accountId: string, changes: Partial<Monitor> = {}): Monitor {
  const createdAtMs = changes.createdAtMs ?? FIRST_SLOT_MS;
  return {
    ...resourceRow(accountId, createdAtMs),
    id: newId('monitor', createdAtMs),
    step: stepDefinition(),
    heartbeat: null,
    quorum: 1,
    failuresBeforeDown: 1,
    successesBeforeUp: 1,
    ...changes,
  };
}

export function scenarioStep(changes: Partial<ScenarioHttpStep> = {}): ScenarioHttpStep {
  return { ...stepDefinition(), waitSeconds: 0, until: null, ...changes };
}

export function scenarioRow(accountId: string, changes: Partial<Scenario> = {}): Scenario {
  const createdAtMs = changes.createdAtMs ?? FIRST_SLOT_MS;
  return {
    ...resourceRow(accountId, createdAtMs),
    id: newId('scenario', createdAtMs),
    steps: [scenarioStep()],
    timeoutSeconds: 300,
    onFailure: 'stop',
    cookies: true,
    ...changes,
  };
}

export function pendingStatus(accountId: string, id: string): ResourceStatus {
  return {
    id,
    accountId,
    health: 'pending',
    healthSinceMs: FIRST_SLOT_MS,
    regionsHealth: [],
    lastSlotMs: null,
    nextSlotMs: FIRST_SLOT_MS,
    lastCheckedAtMs: null,
    tlsExpiresAt: null,
    lastRunId: null,
  };
}
