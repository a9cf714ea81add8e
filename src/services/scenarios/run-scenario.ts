/** Runs a scenario outside of its schedule. Stores the runs as queued, and then asks the workflow to start them. */

import { createHash } from 'node:crypto';
import { readMethod } from '../../contracts/definition';
import { isFinished, type RunRecord } from '../../contracts/records';
import type { ManualRun, RunInEnvironment, RunOrigin } from '../../contracts/workflows';
import { abandonSteps, createPendingSteps } from '../../domain/definitions/run-steps';
import type { Scenario } from '../../models/resources/scenarios';
import { toCanonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { withoutFields } from '../../schemas/read-only';
import type { RequestedRuns } from '../../schemas/responses/runs';
import type { RunScenarioBody } from '../../schemas/run';
import type { Principal } from '../accounts/principal';
import { refuseProblems } from '../lists/field-problems';
import { readChange } from '../lists/read-change';
import type { Dependencies } from '../ports/dependencies';
import { findUnknownRegions, resolveRegions } from '../regions/regions';
import { buildScenarioConfig, buildScenarioDefinition } from '../resources/compose-config';
import { createDefinitionChange } from '../resources/definition-change';
import { readScenarioState } from '../resources/last-known-state';
import { findEnvironment, refuseUnknownEnvironment } from '../resources/layers';
import { createScenarioPort } from '../resources/resource-port';
import { findLiveResource } from '../resources/save-resource';
import { sealRunVariables } from '../secrets/seal-run-variables';
import { createScenarioKind } from './kind';
import { presentRun } from './present-run';
import { waitForEnd } from './runs';

const TEMPORAL_PING_WITHIN_MS = 2000;

/** Maximum number of unfinished requested runs per scenario. It equals the maximum number of regions. */
const UNFINISHED_MAX = 20;

export interface RunScenario {
  readonly id: string;
  readonly body: RunScenarioBody;
  readonly waitSeconds: number;
}

export interface RunStarted {
  readonly run: RequestedRuns;
  /** True if all of the runs have ended. */
  readonly isFinished: boolean;
}

/**
 * Requests runs. Returns them after the wait, or as soon as all of them have ended. Also works for a paused scenario.
 * Throws `not_found`, `unknown_region`, `run_in_progress` or `unavailable`.
 */
export async function runScenario(
  needs: Dependencies,
  principal: Principal,
  request: RunScenario,
): Promise<RunStarted> {
  const { accountId } = principal;
  const scenario = await findLiveResource(createScenarioPort(needs), accountId, request.id);
  await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  const regions = await chooseRegions(needs, scenario, request.body);
  const inEnvironment = await composeInEnvironment(needs, scenario, request.body);
  const { variables: given, label, source, countInUptime, notify } = request.body;
  const trigger = principal.actor.type === 'user' ? 'manual' : 'api';
  const origin = { trigger, label, source, countInUptime, notify } as const;
  const queued = queuedRuns(needs, scenario, { regions, origin, inEnvironment });
  await storeWithinLimit(needs, scenario, queued);
  await handOver(needs, scenario, {
    queued,
    manual: {
      ...origin,
      ...(inEnvironment !== null && { inEnvironment }),
      queuedAtMs: queued[0]?.queuedAtMs ?? needs.clock.now(),
      runs: queued.map(({ runId, region }) => {
        return {
          runId,
          region,
          variables: sealRunVariables(needs, scenario, { runId, region, given }),
        };
      }),
    },
  });
  return responseFor(needs, queued, request.waitSeconds);
}

/** Returns the regions in the body, or by default the first region of the scenario. */
async function chooseRegions(
  needs: Dependencies,
  scenario: Scenario,
  { regions: named }: RunScenarioBody,
): Promise<readonly string[]> {
  if (named === null) return scenario.regions.slice(0, 1);
  const regions = await resolveRegions(needs, named);
  refuseProblems(findUnknownRegions(regions));
  return regions.names;
}

interface Requested {
  readonly regions: readonly string[];
  readonly origin: RunOrigin;
  readonly inEnvironment: RunInEnvironment | null;
}

function queuedRuns(
  { newId, clock }: Dependencies,
  scenario: Scenario,
  { regions, origin, inEnvironment }: Requested,
): readonly RunRecord[] {
  const nowMs = clock.now();
  const { trigger, label, source } = origin;
  return regions.map((region) => ({
    accountId: scenario.accountId,
    scenarioId: scenario.id,
    runId: newId('run'),
    revision: scenario.revision,
    ...(inEnvironment !== null && { environment: inEnvironment.environment }),
    region,
    trigger,
    label,
    source,
    status: 'queued',
    sequence: 0,
    slotMs: nowMs,
    queuedAtMs: nowMs,
    startedAtMs: null,
    finishedAtMs: null,
    steps: createPendingSteps(
      scenario.steps.map((step) => ({ name: step.name, method: readMethod(step) })),
    ),
    failure: null,
    countedInUptime: origin.countInUptime,
  }));
}

/**
 * Stores the runs. Concurrent requests see each other's runs. If there are too many runs, only those with the lowest
 * ids are kept.
 */
async function storeWithinLimit(
  { stores }: Dependencies,
  { accountId, id: scenarioId }: Scenario,
  queued: readonly RunRecord[],
): Promise<void> {
  const ids = queued.map(({ runId }) => runId);
  const [beforeId = ''] = ids.toSorted();
  const isFull = async (): Promise<boolean> => {
    const query = { scenarioId, beforeId, limit: UNFINISHED_MAX };
    return (await stores.runs.countRequested(accountId, query)) + ids.length > UNFINISHED_MAX;
  };
  const refusal = (): AppError => {
    const message = `This scenario has ${UNFINISHED_MAX} runs in progress. Wait for one to end.`;
    return new AppError('run_in_progress', message);
  };
  if (await isFull()) throw refusal();
  await Promise.all(queued.map((run) => stores.runs.save(accountId, run)));
  if (!(await isFull())) return;
  await stores.runs.discard(accountId, ids);
  throw refusal();
}

async function handOver(
  needs: Dependencies,
  scenario: Scenario,
  { queued, manual }: { readonly queued: readonly RunRecord[]; readonly manual: ManualRun },
): Promise<void> {
  try {
    const state = await readScenarioState(needs, scenario);
    await needs.gateway.runScenarioNow(state.config, manual, state);
  } catch (reason) {
    await Promise.all(queued.map((run) => markNotStarted(needs, run)));
    throw reason;
  }
}

/** Ends a run that will never start, so that it does not stay queued. */
async function markNotStarted({ stores, clock }: Dependencies, run: RunRecord): Promise<void> {
  const atMs = clock.now();
  const failure = {
    code: 'internal_error',
    message: 'The run could not be started in Temporal.',
    phase: null,
    stepIndex: null,
    stepName: null,
  } as const;
  await stores.runs.save(run.accountId, {
    ...run,
    status: 'error',
    sequence: 1,
    finishedAtMs: atMs,
    steps: abandonSteps(run.steps, { reason: 'the run was never started', atMs }),
    failure,
  });
}

async function responseFor(
  needs: Dependencies,
  queued: readonly RunRecord[],
  waitSeconds: number,
): Promise<RunStarted> {
  const seen = await Promise.all(
    queued.map(({ accountId, scenarioId, runId }) =>
      waitForEnd(needs, accountId, { scenarioId, runId, waitSeconds }),
    ),
  );
  const [first] = seen;
  if (first === undefined) throw new AppError('internal', 'This scenario has no region.');
  const runs = seen.map((run) => {
    const { id, region, status, links } = presentRun(needs, run);
    return { id, region, status, links };
  });
  const run = { ...presentRun(needs, first), runs };
  return { run, isFinished: seen.every(({ status }) => isFinished(status)) };
}

/**
 * The lowest revision number for runs with another environment. Revision numbers of saved definitions start at 1 and
 * never become this large.
 */
const FIRST_REVISION = 10 ** 14;
const HASHED_BYTES = 6;

/**
 * Composes the scenario with another environment. Returns null if the request names no environment. Throws one error
 * for all unknown variables and blocked targets. A secret variable of the scenario is not sent to an origin that the
 * scenario does not contain. In that case, the request must contain its value.
 */
async function composeInEnvironment(
  needs: Dependencies,
  scenario: Scenario,
  { environment: reference, variables: given }: Pick<RunScenarioBody, 'environment' | 'variables'>,
): Promise<RunInEnvironment | null> {
  if (reference === null) return null;
  const { accountId, id, revision } = scenario;
  const environment = await findEnvironment(needs, accountId, reference);
  if (environment === null) refuseUnknownEnvironment(reference);
  const kind = createScenarioKind(needs);
  const names = new Set(given.map(({ name }) => name));
  const own = withoutFields(kind.present(scenario, null), kind.readOnlyFields);
  const { references, ...body } = readChange(kind.shape, { sent: own, stored: own });
  const open = references?.variables.filter(({ name }) => !names.has(name)) ?? [];
  const fields = await kind.compose(
    { accountId, id, stored: scenario },
    {
      ...body,
      environment: environment.key,
      references: { secrets: references?.secrets ?? [], variables: open },
    },
  );
  const variables = fields.variables.filter(({ name }) => !names.has(name));
  const change = createDefinitionChange(needs, kind, {
    fields: { ...fields, variables },
    isEnabled: null,
  });
  const composed = change(scenario);
  const definition = buildScenarioDefinition({ ...composed, revision: 0 });
  const definitionRevision = FIRST_REVISION + hashToNumber(toCanonicalJson(definition));
  await needs.stores.revisions.save(accountId, { ...definition, revision: definitionRevision });
  const { steps } = buildScenarioConfig(composed, needs.clock.now());
  return { environment: environment.key, definitionRevision, revision, steps };
}

function hashToNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, HASHED_BYTES);
}
