/**
 * Runs an unsaved scenario once. The definition is stored for a moment, because the probe reads definitions from the
 * database. No run is stored.
 */

import type { RunRecord } from '../../contracts/records';
import type { ScenarioRunInput } from '../../contracts/scenario-run';
import { testCheckWorkflowId } from '../../contracts/workflows';
import type { Fields } from '../../domain/definitions/layers';
import type { Scenario } from '../../models/resources/scenarios';
import { leaveVariablesOpen } from '../../schemas/environments/open-references';
import type { TestRunResponse } from '../../schemas/responses/runs';
import { type ScenarioTestBody, scenarioTestBody } from '../../schemas/scenario';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { findUnknownRegions, resolveRegions } from '../regions/regions';
import {
  buildScenarioConfig,
  buildScenarioDefinition,
  buildTestDefinition,
} from '../resources/compose-config';
import { readUnsaved, withExplanations } from '../resources/compose-layered';
import { buildResource } from '../resources/resource-verbs';
import { createScenarioKind, SCENARIO_FACTS } from './kind';
import { presentRun } from './present-run';

/** The longest time that a client waits for the response. */
export const SCENARIO_TEST_MAX_MS = 120_000;
/** The time limit for the steps, including waits. The rest of the time is for clean-up steps. */
const STEPS_MAX_SECONDS = 90;
const REVISION_KEPT_MS = 600_000;

const TESTED = { ...SCENARIO_FACTS, shape: leaveVariablesOpen<ScenarioTestBody>(scenarioTestBody) };

/**
 * Runs the test. Tries each step once, regardless of `retries`. Waits count towards the time limit. A region without a
 * worker is an outcome and not an error. Throws `unknown_region`, `blocked_target` or `unavailable`.
 */
export async function testScenario(
  needs: Dependencies,
  accountId: string,
  sent: Fields,
): Promise<TestRunResponse> {
  const read = await readUnsaved(needs, TESTED, { accountId, sent });
  const { region, ...body } = read.body;
  const regions = await resolveRegions(needs, [region]);
  refuseProblems(findUnknownRegions(regions).map((problem) => ({ ...problem, path: 'region' })));
  const steps = body.steps.map((step) => ({ ...step, retries: 0 }));
  const timeoutSeconds = Math.min(body.timeoutSeconds, STEPS_MAX_SECONDS);
  const unsaved = { ...body, steps, timeoutSeconds, regions: [region] };
  const kind = createScenarioKind(needs);
  const owner = { accountId, id: needs.newId(kind.idKind), stored: null };
  const fields = await withExplanations(read.explain, () => kind.compose(owner, unsaved));
  const scenario = buildResource(needs, kind, { owner, fields, isEnabled: true });
  const record = await runOnce(needs, scenario, region);
  return present(needs, record);
}

async function runOnce(
  { stores, gateway, clock, newId }: Dependencies,
  scenario: Scenario,
  region: string,
): Promise<RunRecord> {
  const { accountId, id, revision } = scenario;
  const nowMs = clock.now();
  const { steps, timeoutSeconds, onFailure } = buildScenarioConfig(scenario, nowMs);
  const input: ScenarioRunInput = {
    v: 1,
    accountId,
    scenarioId: id,
    revision,
    runId: newId('run'),
    region,
    trigger: 'test',
    label: null,
    source: null,
    slotMs: nowMs,
    queuedAtMs: nowMs,
    variables: [],
    steps,
    timeoutSeconds,
    onFailure,
    countInUptime: false,
    notify: false,
    inStretches: true,
    progress: null,
  };
  await stores.revisions.saveForTest(
    accountId,
    buildTestDefinition(buildScenarioDefinition(scenario)),
    {
      region,
      expiresAtMs: nowMs + REVISION_KEPT_MS,
    },
  );
  try {
    return await gateway.testScenario(input, SCENARIO_TEST_MAX_MS);
  } finally {
    // If the removal fails, the revision is deleted when it expires.
    await stores.revisions.removeTest(accountId, id, revision).catch(() => undefined);
  }
}

function present(needs: Dependencies, record: RunRecord): TestRunResponse {
  const workflowId = testCheckWorkflowId(record.scenarioId);
  const temporal = { workflowId, url: needs.workflowUrl(workflowId) };
  const nowhere = { id: null, scenarioId: null, revision: null } as const;
  return {
    ...presentRun(needs, record),
    ...nowhere,
    kind: 'test',
    links: { self: null, temporal },
  };
}
