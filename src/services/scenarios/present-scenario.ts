/** A scenario as /v1 returns it (docs/api.md). Sent back by PUT, it changes nothing. */
import type { ScenarioStep } from '../../contracts/definition';
import { scenarioWorkflowId } from '../../contracts/workflows';
import { reachedRung } from '../../domain/alerting/certificate-warnings';
import type { Scenario } from '../../models/resources/scenarios';
import type { StoredStatus } from '../../models/results/statuses';
import { requestOptionsOf } from '../../schemas/request-options';
import type { ScenarioResponse, StepResponse } from '../../schemas/responses/resources';
import type { Dependencies } from '../ports/dependencies';
import { pauseOf } from '../resources/pause';
import {
  presentBody,
  presentService,
  SERVICE_FIELD_NAMES,
  toRecord,
} from '../resources/service-fields';
import { presentVariables } from '../secrets/secret-variables';

/** Fields of the response that a body does not have. */
export const SCENARIO_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'lastRunId',
  'tlsExpiresAt',
  'tlsWarning',
  ...SERVICE_FIELD_NAMES,
];

type Needs = Pick<Dependencies, 'clock' | 'workflowUrl'>;

/** Without a status, nothing has been run yet. */
export function presentScenario(
  needs: Needs,
  scenario: Scenario,
  status: StoredStatus | null,
): ScenarioResponse {
  const own = {
    id: scenario.id,
    name: scenario.name,
    steps: scenario.steps.map(presentStep),
    interval: scenario.intervalSeconds,
    regions: scenario.regions,
    alerts: scenario.alerts,
    dependsOn: scenario.dependsOn,
    group: scenario.group,
    tags: scenario.tags,
    key: scenario.key,
    variables: presentVariables(scenario.variables),
    auth: scenario.auth ?? null,
    timeoutSeconds: scenario.timeoutSeconds,
    onFailure: scenario.onFailure,
    cookies: scenario.cookies,
    enabled: !pauseOf(scenario, needs.clock.now()).isPaused,
    lastRunId: status?.lastRunId ?? null,
    tlsExpiresAt: status?.tlsExpiresAt ?? null,
    tlsWarning: reachedRung(status?.tlsRungs ?? [], needs.clock.now()),
  };
  const workflowId = scenarioWorkflowId(scenario.id);
  // Not by spreading, as presentMonitor says.
  return Object.assign({}, own, presentService(needs, scenario, { status, workflowId }));
}

function presentStep(step: ScenarioStep): StepResponse {
  const { name, method, url, assertions } = step;
  return {
    name,
    method,
    url,
    headers: toRecord(step.headers),
    auth: step.auth ?? null,
    ...presentBody(step),
    extract: Object.fromEntries(step.extract.map(({ variable, ...source }) => [variable, source])),
    assertions,
    ...requestOptionsOf(step),
    degradedAboveMs: step.degradedAboveMs,
    tls: { warnDays: step.tlsWarnDays },
    cookies: step.cookies,
    always: step.always,
    waitSeconds: step.waitSeconds,
    until: step.until,
  };
}
