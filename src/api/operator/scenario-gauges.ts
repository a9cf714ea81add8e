/** Scenarios as Prometheus gauges: a series per region, and what is known of the last run. */
import { Gauge, type Registry } from 'prom-client';
import type { ScenarioMetrics } from '../../models/operations/metrics-source';

const LABELS = ['account', 'scenario', 'name', 'group'] as const;
const REGION_LABELS = [...LABELS, 'region'] as const;

/** Registers the gauges; each call replaces what the one before said. */
export function createScenarioGauges(
  registry: Registry,
): (scenarios: readonly ScenarioMetrics[]) => void {
  const gauges = createGauges([registry]);
  return (scenarios) => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    for (const scenario of scenarios) show(gauges, scenario);
  };
}

function createGauges(registers: Registry[]) {
  return {
    success: new Gauge({
      name: 'keepwatch_scenario_success',
      help: '1 when the last counted run of the region passed; absent when it is not known',
      labelNames: REGION_LABELS,
      registers,
    }),
    duration: new Gauge({
      name: 'keepwatch_scenario_duration_seconds',
      help: 'Duration of the last counted run of the region',
      labelNames: REGION_LABELS,
      registers,
    }),
    lastRun: new Gauge({
      name: 'keepwatch_scenario_last_run_timestamp_seconds',
      help: 'Unix time at which the last counted run ended',
      labelNames: LABELS,
      registers,
    }),
    failedStep: new Gauge({
      name: 'keepwatch_scenario_failed_step',
      help: 'Number, from 1, of the step that failed in the last counted run; 0 when none did',
      labelNames: LABELS,
      registers,
    }),
    steps: new Gauge({
      name: 'keepwatch_scenario_steps',
      help: 'Number of steps of the definition',
      labelNames: LABELS,
      registers,
    }),
    paused: new Gauge({
      name: 'keepwatch_scenario_paused',
      help: '1 for a paused scenario, else absent',
      labelNames: LABELS,
      registers,
    }),
  };
}

function show(gauges: ReturnType<typeof createGauges>, scenario: ScenarioMetrics): void {
  const { accountId: account, id, name, groupKey: group, isPaused, lastRun } = scenario;
  const labels = { account, scenario: id, name, group };
  gauges.steps.set(labels, scenario.stepCount);
  if (isPaused) gauges.paused.set(labels, 1);
  for (const { region, health, lastResponseTimeMs } of scenario.regionsHealth) {
    const at = { ...labels, region };
    if (health === 'up' || health === 'degraded') gauges.success.set(at, 1);
    if (health === 'down') gauges.success.set(at, 0);
    if (lastResponseTimeMs !== null) gauges.duration.set(at, lastResponseTimeMs / 1000);
  }
  if (lastRun === null) return;
  gauges.lastRun.set(labels, lastRun.finishedAtMs / 1000);
  gauges.failedStep.set(labels, lastRun.failedStep ?? 0);
}
