/**
 * Ensures that workflows run on a build that has workers. When a process starts, its build becomes the current build,
 * and workflows of other builds move to it. If this build cannot replay a workflow, and the workflow's own build has no
 * workers, the workflow is ended. The reconcile pass then starts it again from the database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { HOUSEKEEPING_WORKFLOW_ID, PASS_NOW_SIGNAL } from '../../contracts/housekeeping';
import { SIGNALS, WORKFLOW_TYPES } from '../../contracts/workflows';
import type { Logger } from '../../platform/logger';
import { runAtPace } from '../../platform/paced';
import { callTemporal } from '../temporal-call';
import {
  isServedWithoutBuild,
  isUnfit,
  listElsewhere,
  listMoved,
  listUnfit,
  makeCurrent,
  moveToCurrent,
  pinAgain,
  type RunningWorkflow,
  readCurrentBuild,
  readWaitMs,
} from './builds';

const LOOK_EVERY_MS = 20_000;
/** Interval between checks while another build is the current one. */
const WATCH_EVERY_MS = 4_000;
/** Interval between checks while workflows are moving. */
const MOVE_EVERY_MS = 3_000;
/** Interval between checks until the server knows this build. */
const CLAIM_EVERY_MS = 200;
/** If tasks of a build have waited this long, the build has no worker, or far too few. */
const UNSERVED_MS = 5_000;
/** If the current build has had no workers for this time, another build takes over. */
const TAKE_OVER_MS = 8_000;
const DEADLINE_MS = 5_000;
const AT_ONCE = 8;
const PER_SECOND = 100;
const PER_PASS = 1_000;

/**
 * Types of workflows that sleep for a long time. A signal wakes them, and they continue as new. All other workflows end
 * soon, or wake by themselves.
 */
const WOKEN: ReadonlySet<string> = new Set([
  WORKFLOW_TYPES.monitor,
  WORKFLOW_TYPES.heartbeat,
  WORKFLOW_TYPES.scenario,
  WORKFLOW_TYPES.escalation,
  WORKFLOW_TYPES.housekeeping,
  WORKFLOW_TYPES.watchdog,
]);

export interface BuildNeeds {
  readonly client: Client;
  /** The build of this process. null if the process runs workflows of all builds. */
  readonly build: string | null;
  readonly logger: Logger;
}

interface BuildContext extends BuildNeeds {
  readonly stopping: AbortController;
  /** True if this build has been the current one before. */
  isClaimed: boolean;
  /** Run ids of the workflows that were woken. */
  readonly woken: Set<string>;
  readonly moved: Set<string>;
}

/** Checks regularly, until the returned function is called. */
export function ensureCurrentBuild(needs: BuildNeeds): () => void {
  const stopping = new AbortController();
  const context = {
    ...needs,
    stopping,
    isClaimed: false,
    woken: new Set<string>(),
    moved: new Set<string>(),
  };
  void ensure(context);
  return () => stopping.abort();
}

async function ensure(context: BuildContext): Promise<void> {
  const { logger, stopping } = context;
  while (!stopping.signal.aborted) {
    const waitMs = await look(context).catch((error: unknown) => {
      if (!stopping.signal.aborted)
        logger.warn({ err: error }, 'could not check the workflows of other builds');
      return MOVE_EVERY_MS;
    });
    await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

/** Checks once and returns the wait until the next check. */
async function look(context: BuildContext): Promise<number> {
  if (!(await isCurrent(context))) return context.isClaimed ? WATCH_EVERY_MS : CLAIM_EVERY_MS;
  const { client, build, woken, moved } = context;
  const elsewhere = await listElsewhere(client, build, PER_PASS);
  if (elsewhere.length > 0) await bringOver(context, elsewhere);
  if (build !== null) await pinMoved(context, build);
  await endUnfit(context);
  if (elsewhere.length > 0) return MOVE_EVERY_MS;
  woken.clear();
  moved.clear();
  return LOOK_EVERY_MS;
}

/**
 * Makes this build the current one if that is allowed, and returns whether it is. The build that started last stays the
 * current one until it has no workers.
 */
async function isCurrent(context: BuildContext): Promise<boolean> {
  const { client, build, logger } = context;
  const current = await readCurrentBuild(client);
  if (current !== build) {
    if (context.isClaimed && (await isServed(context, current))) return false;
    if (!(await makeCurrent(client, build))) return false;
    logger.info({ build, before: current }, 'this build takes new workflows');
  }
  context.isClaimed = true;
  return true;
}

async function isServed({ client }: BuildContext, build: string | null): Promise<boolean> {
  // null may also mean that the server has lost its data. In this case, no orchestrator without a build polls.
  if (build === null) return isServedWithoutBuild(client);
  const waitMs = await readWaitMs(client, build);
  return waitMs !== null && waitMs < TAKE_OVER_MS;
}

async function bringOver(
  context: BuildContext,
  elsewhere: readonly RunningWorkflow[],
): Promise<void> {
  const { client, logger, stopping } = context;
  const builds = [...new Set(elsewhere.flatMap(({ build }) => build ?? []))];
  const waits = await Promise.all(builds.map((build) => readWaitMs(client, build)));
  const unserved = new Set(builds.filter((_, at) => (waits[at] ?? UNSERVED_MS) >= UNSERVED_MS));
  const done = { woken: 0, moved: 0, restarted: 0 };
  const pace = {
    perSecond: PER_SECOND,
    atOnce: AT_ONCE,
    sleep: (ms: number) => sleep(ms),
    signal: stopping.signal,
  };
  await runAtPace(elsewhere, pace, async (workflow) => {
    const step = await bringOverOne(
      context,
      workflow,
      workflow.isStuck || unserved.has(workflow.build ?? ''),
    );
    if (step !== null) done[step] += 1;
  });
  if (done.restarted > 0) await requestPass(client);
  if (done.woken + done.moved + done.restarted > 0)
    logger.info(
      { ...done, builds, elsewhere: elsewhere.length },
      'workflows of other builds move to this build',
    );
}

/**
 * Moves one workflow to the current build. Returns what was done, or null if nothing was done. A workflow that was
 * woken continues as new on the current build. If the workflow's own build has no workers, the current build replays it
 * instead.
 */
async function bringOverOne(
  { client, woken, moved }: BuildContext,
  workflow: RunningWorkflow,
  isLost: boolean,
): Promise<'woken' | 'moved' | 'restarted' | null> {
  const { runId, type } = workflow;
  if (isLost && !moved.has(runId)) {
    await moveToCurrent(client, workflow);
    moved.add(runId);
    if (WOKEN.has(type)) await wake(client, workflow);
    return 'moved';
  }
  if (moved.has(runId)) {
    if (!(await isUnfit(client, workflow))) return null;
    await end(client, workflow);
    return 'restarted';
  }
  if (woken.has(runId) || !WOKEN.has(type)) return null;
  await wake(client, workflow);
  woken.add(runId);
  return 'woken';
}

async function pinMoved({ client }: BuildContext, build: string): Promise<void> {
  for (const workflow of await listMoved(client, build, PER_PASS)) await pinAgain(client, workflow);
}

/**
 * Ends workflows that the current build cannot replay. Such workflows may come from a release without builds, or may be
 * caused by a bug in Keepwatch.
 */
async function endUnfit({ client, logger }: BuildContext): Promise<void> {
  const unfit = await listUnfit(client, PER_PASS);
  if (unfit.length === 0) return;
  for (const workflow of unfit) await end(client, workflow);
  const workflowIds = unfit.slice(0, 10).map(({ workflowId }) => workflowId);
  logger.warn(
    { count: unfit.length, workflowIds },
    'workflows that do not fit this build are restarted',
  );
  await requestPass(client);
}

function wake(client: Client, { workflowId, runId }: RunningWorkflow): Promise<void> {
  return unlessEnded(client, () =>
    client.workflow.getHandle(workflowId, runId).signal(SIGNALS.moveOn),
  );
}

function end(client: Client, { workflowId, runId }: RunningWorkflow): Promise<void> {
  const reason = 'the current build cannot replay it; it is restarted from the database';
  return unlessEnded(client, async () => {
    await client.workflow.getHandle(workflowId, runId).terminate(reason);
  });
}

/**
 * Requests a pass of the housekeeping workflow. The pass starts the ended workflows again. If the housekeeping workflow
 * itself was ended, it is soon started again by `ensureHousekeeping`.
 */
function requestPass(client: Client): Promise<void> {
  return unlessEnded(client, () =>
    client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).signal(PASS_NOW_SIGNAL),
  );
}

function unlessEnded(client: Client, call: () => Promise<void>): Promise<void> {
  return callTemporal(client, DEADLINE_MS, async () => {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  });
}
