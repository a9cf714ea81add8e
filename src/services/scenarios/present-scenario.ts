/**
 * Converts a scenario to the form that /v1 returns (docs/api.md). A client that sends the response back with PUT
 * changes nothing.
 */
import {
  isNetworkStep,
  type ScenarioHttpStep,
  type ScenarioNetworkStep,
  type ScenarioStep,
} from '../../contracts/definition';
import { scenarioWorkflowId } from '../../contracts/workflows';
import { findReachedThreshold } from '../../domain/alerting/certificate-warnings';
import { KIND_SHAPES, presentSettings } from '../../kinds/shapes';
import type { Scenario } from '../../models/resources/scenarios';
import type { StoredStatus } from '../../models/results/statuses';
import { readRequestOptions } from '../../schemas/request-options';
import type {
  HttpStepResponse,
  ScenarioResponse,
  StepResponse,
} from '../../schemas/responses/scenarios';
import type { Dependencies } from '../ports/dependencies';
import { readPause } from '../resources/pause';
import {
  presentBody,
  presentInherited,
  presentService,
  presentTls,
  SERVICE_FIELD_NAMES,
  toRecord,
} from '../resources/service-fields';
import { presentVariables } from '../secrets/secret-variables';

/** Fields of the response that a body cannot have. */
export const SCENARIO_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'lastRunId',
  'inherited',
  'tlsExpiresAt',
  'tlsWarning',
  ...SERVICE_FIELD_NAMES,
];

type Needs = Pick<Dependencies, 'clock' | 'workflowUrl'>;

/** Converts a scenario. A `status` of null means that it has not run yet. */
export function presentScenario(
  needs: Needs,
  scenario: Scenario,
  status: StoredStatus | null,
): ScenarioResponse {
  const own = {
    id: scenario.id,
    name: scenario.name,
    profile: scenario.profile ?? null,
    steps: scenario.steps.map(presentStep),
    interval: scenario.intervalSeconds,
    regions: scenario.regions,
    alerts: scenario.alerts,
    dependsOn: scenario.dependsOn,
    hours: scenario.hours,
    outside: scenario.outside,
    runbookUrl: scenario.runbookUrl,
    note: scenario.note,
    group: scenario.group,
    tags: scenario.tags,
    key: scenario.key,
    variables: presentVariables(scenario.variables),
    ...presentInherited(scenario),
    auth: scenario.auth ?? null,
    tls: scenario.tls ?? null,
    proxy: scenario.proxy ?? null,
    ipFamily: scenario.ipFamily ?? null,
    httpVersion: scenario.httpVersion ?? null,
    timeoutSeconds: scenario.timeoutSeconds,
    onFailure: scenario.onFailure,
    cookies: scenario.cookies,
    enabled: !readPause(scenario, needs.clock.now()).isPaused,
    lastRunId: status?.lastRunId ?? null,
    tlsExpiresAt: status?.tlsExpiresAt ?? null,
    tlsWarning: findReachedThreshold(status?.tlsRungs ?? [], needs.clock.now()),
  };
  const workflowId = scenarioWorkflowId(scenario.id);
  // Object.assign is used because V8 takes twenty times as long if a second part is spread into such a wide object.
  return Object.assign(
    {},
    own,
    presentService(needs, scenario, { status, type: 'scenario', workflowId }),
  );
}

function presentStep(step: ScenarioStep): StepResponse {
  return isNetworkStep(step) ? presentKindStep(step) : presentHttpStep(step);
}

function presentHttpStep(step: ScenarioHttpStep): HttpStepResponse {
  const { method, url, assertions } = step;
  return {
    type: 'http',
    ...presentCourse(step),
    method,
    url,
    headers: toRecord(step.headers),
    auth: step.auth ?? null,
    proxy: step.proxy ?? null,
    ipFamily: step.ipFamily ?? null,
    httpVersion: step.httpVersion ?? null,
    ...presentBody(step),
    assertions,
    ...readRequestOptions(step),
    degradedAboveMs: step.degradedAboveMs,
    tls: presentTls(step),
    cookies: step.cookies,
  };
}

/** Returns the fields that steps of all types have. */
function presentCourse({ name, extract, always, waitSeconds, until }: ScenarioStep) {
  return {
    name,
    extract: Object.fromEntries(extract.map(({ variable, ...source }) => [variable, source])),
    always,
    waitSeconds,
    until,
  };
}

function presentKindStep(step: ScenarioNetworkStep): StepResponse {
  const { type, timeoutMs, retries, degradedAboveMs, tlsWarnDays } = step;
  return {
    type,
    ...presentSettings(step),
    ...presentCourse(step),
    timeoutMs,
    retries,
    degradedAboveMs,
    ...(KIND_SHAPES[type].hasCertificate && { tls: { warnDays: tlsWarnDays } }),
  };
}
