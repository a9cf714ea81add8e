/**
 * Runs an unsaved definition once, from one region. The definition is stored for a moment, because the probe reads
 * definitions from the database.
 */

import type { StepOutcome } from '../../contracts/outcome';
import type { Fields } from '../../domain/definitions/layers';
import type { Monitor } from '../../models/resources/monitors';
import { AppError } from '../../platform/errors';
import { leaveVariablesOpen } from '../../schemas/environments/open-references';
import { type MonitorTestBody, monitorTestBody } from '../../schemas/monitor';
import type { TestResultResponse } from '../../schemas/responses/checks';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { findUnknownRegions, resolveRegions } from '../regions/regions';
import {
  buildMonitorDefinition,
  buildStepConfig,
  buildTestDefinition,
} from '../resources/compose-config';
import { readUnsaved, withExplanations } from '../resources/compose-layered';
import { buildResource } from '../resources/resource-verbs';
import { presentResult } from '../results/present-result';
import { createMonitorKind, MONITOR_FACTS } from './kind';

/**
 * Time that a test needs in addition to the check itself: to wait for a worker, to report the result, and for the
 * request.
 */
export const TEST_SLACK_MS = 15_000;

/** The interval of the tested monitor. The check waits up to half of this time for a worker of the region. */
const INTERVAL_MS = 10_000;
const REVISION_KEPT_MS = 600_000;

const TESTED = { ...MONITOR_FACTS, shape: leaveVariablesOpen<MonitorTestBody>(monitorTestBody) };

/**
 * Runs the test. Makes one attempt, regardless of `retries`. A region without a worker is an outcome and not an error.
 * Throws `unknown_region`, `blocked_target` or `unavailable`.
 */
export async function testMonitor(
  needs: Dependencies,
  accountId: string,
  sent: Fields,
): Promise<TestResultResponse> {
  const read = await readUnsaved(needs, TESTED, { accountId, sent });
  const { region, ...body } = read.body;
  const regions = await resolveRegions(needs, [region]);
  refuseProblems(findUnknownRegions(regions).map((problem) => ({ ...problem, path: 'region' })));
  const unsaved = { ...body, regions: [region], retries: 0 };
  const kind = createMonitorKind(needs);
  const owner = { accountId, id: needs.newId(kind.idKind), stored: null };
  const fields = await withExplanations(read.explain, () => kind.compose(owner, unsaved));
  const monitor = buildResource(needs, kind, { owner, fields, isEnabled: true });
  return present(monitor, region, await checkOnce(needs, monitor, region));
}

async function checkOnce(
  { stores, gateway, clock }: Dependencies,
  monitor: Monitor,
  region: string,
): Promise<StepOutcome> {
  const { step } = monitor;
  if (step === null)
    throw new AppError(
      'validation_failed',
      'A heartbeat cannot be tested, because its job reports.',
    );
  const { accountId, id, revision } = monitor;
  const expiresAtMs = clock.now() + REVISION_KEPT_MS;
  await stores.revisions.saveForTest(
    accountId,
    buildTestDefinition(buildMonitorDefinition(monitor)),
    {
      region,
      expiresAtMs,
    },
  );
  try {
    const config = { ...buildStepConfig(monitor, step, clock.now()), intervalMs: INTERVAL_MS };
    return await gateway.testMonitor(config, config.budgetMs + TEST_SLACK_MS);
  } finally {
    // If the removal fails, the revision is deleted when it expires.
    await stores.revisions.removeTest(accountId, id, revision).catch(() => undefined);
  }
}

function present(monitor: Monitor, region: string, outcome: StepOutcome): TestResultResponse {
  const { id, accountId, revision, anchorMs: slotMs } = monitor;
  const { status, responseTimeMs } = outcome;
  const result = presentResult({
    id,
    accountId,
    monitorId: id,
    revision,
    region,
    slotMs,
    kind: 'manual',
    trigger: 'manual',
    status,
    inMaintenance: false,
    responseTimeMs,
    outcome,
    gap: null,
  });
  const nowhere = { id: null, monitorId: null, revision: null } as const;
  return { ...result, ...nowhere, kind: 'test', trigger: 'test' };
}
