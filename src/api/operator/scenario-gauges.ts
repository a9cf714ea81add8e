/** Scenarios as Prometheus gauges. */
import type { Registry } from 'prom-client';
import type { WarnedScenario } from '../../services/operations/read-metrics';
import { createGaugeMaker, type MakeGauge } from './gauge-maker';

const LABELS = ['account', 'scenario', 'name', 'group'] as const;
const REGION_LABELS = [...LABELS, 'region'] as const;

/** Registers the gauges. Each call of the returned function replaces all previous values. */
export function createScenarioGauges(
  registry: Registry,
): (scenarios: readonly WarnedScenario[]) => void {
  const gauges = createGauges(createGaugeMaker(registry));
  return (scenarios) => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    for (const scenario of scenarios) show(gauges, scenario);
  };
}

function createGauges(gauge: MakeGauge) {
  return {
    success: gauge(
      'keepwatch_scenario_success',
      '1 when the last counted run of the region passed; absent when it is not known',
      REGION_LABELS,
    ),
    duration: gauge(
      'keepwatch_scenario_duration_seconds',
      'Duration of the last counted run of the region',
      REGION_LABELS,
    ),
    lastRun: gauge(
      'keepwatch_scenario_last_run_timestamp_seconds',
      'Unix time at which the last counted run ended',
      LABELS,
    ),
    failedStep: gauge(
      'keepwatch_scenario_failed_step',
      'Number, from 1, of the step that failed in the last counted run; 0 when none did',
      LABELS,
    ),
    steps: gauge('keepwatch_scenario_steps', 'Number of steps of the definition', LABELS),
    certificate: gauge(
      'keepwatch_scenario_ssl_earliest_cert_expiry',
      'Unix time at which the first certificate of its steps expires',
      LABELS,
    ),
    warning: gauge(
      'keepwatch_scenario_tls_warning_days',
      'The smallest number of tls.warnDays of its steps that is reached; absent when none is',
      LABELS,
    ),
    paused: gauge('keepwatch_scenario_paused', '1 for a paused scenario, else absent', LABELS),
  };
}

function show(gauges: ReturnType<typeof createGauges>, scenario: WarnedScenario): void {
  const { accountId: account, id, name, groupKey: group, isPaused, lastRun } = scenario;
  const { tlsExpiresAt, tlsWarning } = scenario;
  const labels = { account, scenario: id, name, group };
  gauges.steps.set(labels, scenario.stepCount);
  if (isPaused) gauges.paused.set(labels, 1);
  if (tlsExpiresAt !== null)
    gauges.certificate.set(labels, Math.floor(Date.parse(tlsExpiresAt) / 1000));
  if (tlsWarning !== null) gauges.warning.set(labels, tlsWarning);
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
