/** Builds configurations for Temporal and definitions for probes from stored resources. Pure. */
import type { AlertRules } from '../../contracts/alerts';
import {
  type Definition,
  isNetworkStep,
  readMethod,
  type ScenarioStep,
  type SentStep,
} from '../../contracts/definition';
import { HEARTBEAT_REGION, type HeartbeatPlan } from '../../contracts/heartbeat';
import type { HeartbeatConfig } from '../../contracts/heartbeat-workflow';
import type {
  MonitorConfig,
  ScenarioConfig,
  ScheduleConfig,
  StepPlan,
} from '../../contracts/workflows';
import { listEffectiveVariables, withSecretNames } from '../../domain/definitions/inherit';
import { withSharedOptions } from '../../domain/definitions/shared-options';
import { listStepVariableNames } from '../../domain/definitions/variable-names';
import { takeFirstLines } from '../../domain/text/first-lines';
import { readMonitorRules } from '../../kinds/sent-fields';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { readPause } from './pause';
import { findHost, type Variables } from './target';

/**
 * Builds the configuration of the monitor's workflow. It contains only what the workflow needs. Probes read the rest
 * from the definition revision.
 */
export function buildMonitorConfig(
  resource: Monitor,
  nowMs: number,
): MonitorConfig | HeartbeatConfig {
  const { step, heartbeat } = resource;
  if (heartbeat !== null) return buildHeartbeatConfig(resource, heartbeat.plan, nowMs);
  if (step === null) throw new Error(`the monitor ${resource.id} has neither a step nor a plan`);
  return buildStepConfig(resource, step, nowMs);
}

/** Like buildMonitorConfig, for a monitor that sends requests. */
export function buildStepConfig(resource: Monitor, step: SentStep, nowMs: number): MonitorConfig {
  return {
    ...buildSchedule(resource, nowMs),
    budgetMs: computeBudget(step),
    retries: step.retries,
    tlsWarnDays: step.tlsWarnDays,
    quorum: computeQuorum(resource),
    ...(step.degradedAboveMs !== null && { degradedAboveMs: step.degradedAboveMs }),
    ...readMonitorRules(resource),
  };
}

function buildHeartbeatConfig(
  resource: Monitor,
  { schedule, graceSeconds, earlySeconds, maxRunSeconds, minRunSeconds }: HeartbeatPlan,
  nowMs: number,
): HeartbeatConfig {
  return {
    ...buildSchedule(resource, nowMs),
    regions: [HEARTBEAT_REGION],
    heartbeat: {
      schedule,
      graceMs: graceSeconds * 1_000,
      earlyMs: earlySeconds * 1_000,
      maxRunMs: maxRunSeconds === null ? null : maxRunSeconds * 1_000,
      minRunMs: minRunSeconds === null ? null : minRunSeconds * 1_000,
    },
  };
}

export function buildScenarioConfig(resource: Scenario, nowMs: number): ScenarioConfig {
  const variables = listEffectiveVariables(resource);
  return {
    ...buildSchedule(resource, nowMs),
    steps: resource.steps.map((step) => buildPlan(withSharedOptions(step, resource), variables)),
    timeoutSeconds: resource.timeoutSeconds,
    onFailure: resource.onFailure,
  };
}

/** Builds the monitor's current definition revision, including all inherited values. */
export function buildMonitorDefinition(monitor: Monitor): Definition {
  const { id, revision, step, inherited } = monitor;
  const variables = listEffectiveVariables(monitor);
  const steps = withSecretNames(step === null ? [] : [step], inherited?.secrets);
  return { kind: 'monitor', id, revision, variables, steps };
}

/** Like buildMonitorDefinition, for scenarios. */
export function buildScenarioDefinition(scenario: Scenario): Definition {
  const { id, revision, cookies, inherited } = scenario;
  const variables = listEffectiveVariables(scenario);
  const sent = scenario.steps.map((step) => withSharedOptions(step, scenario));
  const steps = withSecretNames(cookies ? sent : sent.map(withoutCookies), inherited?.secrets);
  return { kind: 'scenario', id, revision, variables, steps };
}

function withoutCookies(step: ScenarioStep): ScenarioStep {
  return isNetworkStep(step) ? step : { ...step, cookies: 'ignore' };
}

/** Changes a definition for a test, so that the result shows response bodies. */
export function buildTestDefinition(definition: Definition): Definition {
  return { ...definition, steps: definition.steps.map((step) => ({ ...step, showsBody: true })) };
}

function buildSchedule(resource: Resource, nowMs: number): ScheduleConfig {
  const { isPaused, pausedAtMs, pausedUntilMs } = readPause(resource, nowMs);
  return {
    accountId: resource.accountId,
    id: resource.id,
    version: resource.version,
    revision: resource.revision,
    intervalMs: resource.intervalSeconds * 1000,
    anchorMs: resource.anchorMs,
    name: resource.name,
    group: resource.groupKey,
    alerts: buildAlertRules(resource),
    ...buildGuidance(resource),
    dependsOn: resource.dependsOn,
    regions: resource.regions,
    paused: isPaused,
    pausedAtMs,
    pausedUntilMs,
    savedAtMs: resource.updatedAtMs,
    maintenance: null,
  };
}

/** Returns the guidance. Its note is shortened, because every alert and every workflow state contains the note. */
function buildGuidance({ runbookUrl, note }: Resource): Pick<ScheduleConfig, 'guidance'> {
  if (runbookUrl === null && note === null) return {};
  return { guidance: { runbookUrl, note: note === null ? null : takeFirstLines(note) } };
}

function buildAlertRules({ alerts, alertTargets }: Resource): AlertRules {
  const { emails: _emails, ...rules } = alerts;
  return { ...rules, targets: alertTargets };
}

/** Returns the longest time that a step may take. It covers all tries, and one more timeout to get an OAuth 2 token. */
function computeBudget(step: SentStep): number {
  const { timeoutMs, retries } = step;
  const isTokenFetched = !isNetworkStep(step) && step.auth?.type === 'oauth2';
  return timeoutMs * (retries + (isTokenFetched ? 2 : 1));
}

function buildPlan(step: ScenarioStep, variables: Variables): StepPlan {
  const { name, always, tlsWarnDays, waitSeconds, until } = step;
  return {
    name,
    method: readMethod(step),
    host: findHost(step.url, variables),
    budgetMs: computeBudget(step),
    variables: listStepVariableNames(step),
    tlsWarnDays,
    always,
    waitMs: waitSeconds * 1000,
    until:
      until === null
        ? null
        : { everyMs: until.everySeconds * 1000, forMs: until.forSeconds * 1000 },
  };
}

/** Returns the quorum, but at most the number of regions. With a larger quorum, the monitor could never be down. */
function computeQuorum({ quorum, regions }: Monitor): number {
  if (quorum === 'majority') return Math.floor(regions.length / 2) + 1;
  return Math.min(quorum, regions.length);
}
