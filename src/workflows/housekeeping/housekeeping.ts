/**
 * Housekeeping of the whole service. Runs every task as a separate activity, once a minute and on request. If one task
 * fails, the others continue.
 */
import {
  condition,
  defineSignal,
  isCancellation,
  log,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  describeCounts,
  HOUSEKEEPING_TASKS,
  type HousekeepingActivities,
  type HousekeepingPass,
  type HousekeepingState,
  type HousekeepingTask,
  PASS_NOW_SIGNAL,
} from '../../contracts/housekeeping';
import { SIGNALS } from '../../contracts/workflows';
import { isTimeToContinue, startOver } from '../loop/continue';
import { migrate } from '../loop/migrate';
import { formatInstant, formatTime } from '../loop/show';

const EVERY_MS = 60_000;
/**
 * Tasks that later releases added. A workflow that was started by an older release runs them only after it has
 * continued as new.
 */
const LATER_TASKS: Readonly<Partial<Record<HousekeepingTask, string>>> = {
  returnOverdueWatches: 'housekeeping-returns-watches',
  writeStatusPosts: 'housekeeping-writes-status-posts',
  sendEvents: 'housekeeping-sends-events',
  tendProviders: 'housekeeping-tends-providers',
  continueRollouts: 'housekeeping-continues-rollouts',
};
const EVENTS_WITH_A_TASK_RUNNING_MAX = 1_500;

const DURABLE = {
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 3, initialInterval: '1 second', backoffCoefficient: 3 },
} as const;

const activities = proxyActivities<HousekeepingActivities>({
  ...DURABLE,
  startToCloseTimeout: '2 minutes',
});

/** This timeout is long enough to start ten thousand missing workflows at a limited pace. */
const { reconcileWorkflows } = proxyActivities<HousekeepingActivities>({
  ...DURABLE,
  startToCloseTimeout: '10 minutes',
});

/** The outcome of one task, for people to read. */
interface Report {
  readonly task: HousekeepingTask;
  readonly isDone: boolean;
  readonly outcome: string;
  readonly beganAtMs: number;
}

/** The memory of the workflow while it runs. */
interface HousekeepingRun {
  state: HousekeepingState;
  /** True if a pass was requested. */
  isRequested: boolean;
  /** True if the workflow must continue as new on another build after the current pass. */
  mustMoveOn: boolean;
  readonly running: Set<HousekeepingTask>;
  /** Tasks that were requested while they were running. When such a task ends, it runs again. */
  readonly again: Set<HousekeepingTask>;
  readonly reports: Map<HousekeepingTask, Report>;
  /** A bug of our own, or a cancellation. It ends the workflow or fails its task. */
  fault: unknown;
}

/** Runs forever, and continues as new between two passes. If a task hangs, it does not delay the other tasks. */
export async function housekeepingWorkflow(given: HousekeepingState): Promise<void> {
  const passes: HousekeepingRun = {
    state: migrate(given),
    isRequested: false,
    mustMoveOn: false,
    running: new Set(),
    again: new Set(),
    reports: new Map(),
    fault: null,
  };
  setHandler(defineSignal(PASS_NOW_SIGNAL), () => {
    passes.isRequested = true;
    for (const task of passes.running) passes.again.add(task);
  });
  setHandler(defineSignal(SIGNALS.moveOn), () => {
    passes.mustMoveOn = true;
  });
  for (;;) {
    passes.isRequested = false;
    const beganAtMs = Date.now();
    for (const task of tasksOfPass()) if (!passes.running.has(task)) begin(passes, task);
    const nextAtMs = beganAtMs + EVERY_MS;
    await condition(() => passes.isRequested || passes.fault !== null, EVERY_MS, {
      summary: `next pass ${formatTime(nextAtMs)}`,
    });
    if (passes.fault !== null) throw passes.fault;
    // A request is not lost, because the next execution begins with a pass.
    if (
      isTimeToContinue('housekeeping', passes.mustMoveOn) &&
      (passes.running.size === 0 || isVeryLong())
    )
      await startOver<typeof housekeepingWorkflow>(passes.state);
  }
}

function tasksOfPass(): readonly HousekeepingTask[] {
  return HOUSEKEEPING_TASKS.filter((task) => {
    const patch = LATER_TASKS[task];
    return patch === undefined || patched(patch);
  });
}

/** Returns true if the history is very long. The history must not grow forever, even if some task is always running. */
function isVeryLong(): boolean {
  return workflowInfo().historyLength >= EVENTS_WITH_A_TASK_RUNNING_MAX;
}

function begin(passes: HousekeepingRun, task: HousekeepingTask): void {
  passes.running.add(task);
  void repeatWhileRequested(passes, task)
    .catch((error: unknown) => {
      passes.fault = error;
    })
    .finally(() => passes.running.delete(task));
}

async function repeatWhileRequested(
  passes: HousekeepingRun,
  task: HousekeepingTask,
): Promise<void> {
  do {
    passes.again.delete(task);
    const beganAtMs = Date.now();
    const sinceMs = passes.state.doneSinceMs[task] ?? null;
    const report = await perform(task, { sinceMs, beganAtMs });
    passes.reports.set(task, { ...report, beganAtMs });
    if (report.isDone) {
      const doneSinceMs = { ...passes.state.doneSinceMs, [task]: beganAtMs };
      passes.state = { ...passes.state, doneSinceMs };
    }
    show([...passes.reports.values()]);
  } while (passes.again.has(task));
}

async function perform(
  task: HousekeepingTask,
  pass: HousekeepingPass,
): Promise<Omit<Report, 'beganAtMs'>> {
  const activity = task === 'reconcileWorkflows' ? reconcileWorkflows : activities[task];
  try {
    return { task, isDone: true, outcome: describeCounts(await activity(pass)) };
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a housekeeping task failed; the next pass runs it again', { task });
    return { task, isDone: false, outcome: 'failed; the next pass runs it again' };
  }
}

function show(reports: readonly Report[]): void {
  setCurrentDetails(
    [
      '| task | last begun | what it did |',
      '|---|---|---|',
      ...reports.map(
        ({ task, beganAtMs, outcome }) => `| ${task} | ${formatInstant(beganAtMs)} | ${outcome} |`,
      ),
    ].join('\n'),
  );
}
