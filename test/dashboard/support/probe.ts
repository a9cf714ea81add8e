/**
 * The probe of a dashboard in this process. When a test requests it, the probe sends the requests of monitors and
 * scenarios as real probes do, and records the outcomes as workflows do. It also tests unsaved definitions for the
 * service.
 */
import { randomUUID } from 'node:crypto';
import type { Definition, ResourceKind } from '../../../src/contracts/definition';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { Health, IncidentRecord, RunRecord } from '../../../src/contracts/records';
import type { ScenarioRunInput } from '../../../src/contracts/scenario-run';
import { createStepRunner } from '../../../src/kinds/run-step';
import type { StoredStatus } from '../../../src/models/results/statuses';
import {
  buildMonitorDefinition,
  buildScenarioConfig,
  buildScenarioDefinition,
} from '../../../src/services/resources/compose-config';
import {
  createNextRecord,
  createRun,
  noteOutcome,
  noteSkipped,
  noteStep,
} from '../../../src/workflows/run/run-record';
import type { TestService } from '../../api/test-service';

const REGION = 'eu-west';
const INTERVAL_MS = 60_000;

export interface Probe {
  /** Checks a monitor and records the result as its next slot. A failure opens an incident, and a success closes it. */
  readonly check: (monitorId: string) => Promise<void>;
  /** Runs a scenario and records the run as its next slot. Resolves to the id of the run. */
  readonly run: (scenarioId: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export function openProbe(service: TestService, accountId: string): Probe {
  const { services, recorder, gateway } = service;
  const { stores, newId } = services;
  const runner = createStepRunner({
    userAgent: 'Keepwatch',
    region: REGION,
    allowedPrivateTargets: ['127.0.0.0/8'],
    programPath: '',
  });

  /** Computes the health after this slot from the stored health. */
  async function nextHealth(id: string, outcome: Verdict) {
    const [status] = await stores.statuses.findMany(accountId, [id]);
    if (status === undefined) throw new Error(`${id} has no status`);
    const slotMs = services.clock.now();
    const incident = incidentAfter(status, outcome, slotMs, () => newId('incident'));
    const healthSinceMs = status.health === outcome.health ? status.healthSinceMs : slotMs;
    const { health, responseTimeMs: lastResponseTimeMs } = outcome;
    return {
      accountId,
      kind: 'scheduled' as const,
      slotMs,
      gap: null,
      excludedPeriods: [],
      incident,
      currentIncidentId: health === 'down' ? (incident?.id ?? status.currentIncidentId) : null,
      inMaintenance: false,
      health,
      healthSinceMs,
      regionsHealth: [{ region: REGION, health, sinceMs: healthSinceMs, lastResponseTimeMs }],
      nextSlotMs: slotMs + INTERVAL_MS,
    };
  }

  async function check(monitorId: string): Promise<void> {
    const monitor = await stores.monitors.find(accountId, monitorId);
    if (monitor === null) throw new Error(`${monitorId} is not there`);
    const slotMs = services.clock.now();
    const outcome = await runner.runStep(buildMonitorDefinition(monitor), 0, { slotMs });
    const slot = await nextHealth(monitorId, verdictOf(outcome));
    await recorder.recordMonitorCheck({
      ...slot,
      monitorId,
      revision: monitor.revision,
      trigger: 'schedule',
      outcomes: [{ region: REGION, outcome }],
    });
  }

  async function walk(definition: Definition, input: ScenarioRunInput): Promise<RunRecord> {
    const run = createRun(input, services.clock.now(), randomUUID());
    for (const [index, { always }] of input.steps.entries()) {
      if (run.stop !== null && !always) {
        noteSkipped(run, index, run.stop);
        continue;
      }
      noteStep(run, index, { status: 'running', startedAtMs: services.clock.now() });
      const inputs = { slotMs: input.slotMs, vars: [...run.vars.values()] };
      noteOutcome(run, index, await runner.runStep(definition, index, inputs));
    }
    run.finishedAtMs = services.clock.now();
    return createNextRecord(run);
  }

  async function run(scenarioId: string): Promise<string> {
    const scenario = await stores.scenarios.find(accountId, scenarioId);
    if (scenario === null) throw new Error(`${scenarioId} is not there`);
    const atMs = services.clock.now();
    const { steps, timeoutSeconds, onFailure } = buildScenarioConfig(scenario, atMs);
    const runId = newId('run');
    const record = await walk(buildScenarioDefinition(scenario), {
      v: 1,
      accountId,
      scenarioId,
      revision: scenario.revision,
      runId,
      region: REGION,
      trigger: 'schedule',
      label: null,
      source: null,
      slotMs: atMs,
      queuedAtMs: atMs,
      variables: [],
      steps,
      timeoutSeconds,
      onFailure,
      countInUptime: true,
      notify: true,
      progress: null,
    });
    await recorder.saveRun(record);
    const durationMs = (record.finishedAtMs ?? atMs) - atMs;
    const health = record.status === 'passed' ? 'up' : 'down';
    const verdict = { health, cause: record.failure, responseTimeMs: durationMs } as const;
    const slot = await nextHealth(scenarioId, verdict);
    await recorder.recordScenarioSlot({
      ...slot,
      slotMs: atMs,
      scenarioId,
      runId,
      runStatus: record.status,
      region: REGION,
      durationMs,
    });
    return runId;
  }

  gateway.test = async ({ id, revision }) =>
    runner.runStep(await definitionOf('monitor', id, revision), 0, {
      slotMs: services.clock.now(),
    });
  gateway.testRun = async (input) =>
    walk(await definitionOf('scenario', input.scenarioId, input.revision), input);

  async function definitionOf(kind: ResourceKind, id: string, revision: number) {
    const found = await stores.revisions.find(accountId, kind, id, revision);
    if (found === null) throw new Error(`revision ${revision} of ${id} is not there`);
    return found;
  }

  return { check, run, close: () => runner.close() };
}

interface Verdict {
  readonly health: Health;
  readonly cause: IncidentRecord['cause'];
  readonly responseTimeMs: number | null;
}

function verdictOf({ status, failure, responseTimeMs }: StepOutcome): Verdict {
  return { health: status, cause: failure, responseTimeMs };
}

/** Returns the incident that this slot opens or closes. null if the slot does neither. */
function incidentAfter(
  { currentIncidentId, healthSinceMs }: StoredStatus,
  { health, cause }: Verdict,
  slotMs: number,
  newIncidentId: () => string,
): IncidentRecord | null {
  const isDown = health === 'down';
  if (isDown === (currentIncidentId !== null)) return null;
  const counted = { failures: 1, failuresBeforeDown: 1, regions: 1, failing: 1, quorum: 1 };
  const known = { regions: [REGION], firstRunId: null } as const;
  if (currentIncidentId !== null)
    return {
      ...known,
      id: currentIncidentId,
      openedAtMs: healthSinceMs,
      closedAtMs: slotMs,
      cause: null,
    };
  return {
    ...known,
    id: newIncidentId(),
    openedAtMs: slotMs,
    closedAtMs: null,
    cause: cause && { code: cause.code, message: cause.message },
    evidence: { slotMs, ...counted },
    decisions: [{ atMs: slotMs, reason: 'notified' }],
  };
}
