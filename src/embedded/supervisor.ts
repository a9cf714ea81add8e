/** Manages all child processes of all-in-one. Starts them in groups, records them, and stops them stage by stage. */
import { join } from 'node:path';
import { openChildLog } from './child-log';
import type { DataFolder } from './data-folder';
import { endProcess, noteProcess } from './process-identity';
import type { Progress } from './progress';
import {
  type ProcessPlan,
  type Stage,
  type SupervisedProcess,
  superviseProcess,
} from './supervised-process';

export interface Supervisor {
  /** Starts the given processes in parallel. Resolves when all are ready. Rejects after `stop`. */
  readonly start: (plans: readonly ProcessPlan[]) => Promise<void>;
  /** Stops everything in order. Resolves within 14 s, even if children do not end. */
  readonly stop: () => Promise<void>;
}

const STOP_ORDER: readonly { readonly stage: Stage; readonly withinMs: number }[] = [
  { stage: 'probe', withinMs: 5_000 },
  { stage: 'orchestrator', withinMs: 4_000 },
  { stage: 'api', withinMs: 2_000 },
  { stage: 'temporal', withinMs: 1_500 },
  { stage: 'database', withinMs: 1_500 },
];
const STOP_WITHIN_MS = STOP_ORDER.reduce((sum, { withinMs }) => sum + withinMs, 0);
const LEFTOVER_GRACE_MS = 5_000;
/**
 * Stages whose warnings and errors are shown on the terminal. Third-party servers log too much, so their lines go only
 * to the log file.
 */
const SHOWN_STAGES: ReadonlySet<Stage> = new Set(['probe', 'orchestrator', 'api']);

/** Ends the processes that are left from an earlier run on this data folder, if that run was killed. */
export async function endLeftovers({ record }: DataFolder, progress: Progress): Promise<void> {
  const { processes } = record.current();
  await Promise.all(processes.map((noted) => endProcess(noted, LEFTOVER_GRACE_MS)));
  if (processes.length > 0) progress.say('Cleaned up after a run that did not end in order.');
  await record.update(() => ({ processes: [] }));
}

export function createSupervisor(folder: DataFolder, progress: Progress): Supervisor {
  const running: SupervisedProcess[] = [];
  const { record } = folder;
  // False while processes start or stop. Meanwhile, they cannot reach each other, so their warnings mean nothing and
  // are not shown.
  let isRunning = false;
  let isStopping = false;

  function show(sentence: string): void {
    if (isRunning) progress.say(sentence);
  }

  function onStarted(name: string, pid: number): void {
    void noteProcess(pid).then((noted) =>
      noted === undefined
        ? undefined
        : record.update(({ processes }) => ({
            processes: [...processes.filter((other) => other.name !== name), { name, ...noted }],
          })),
    );
  }

  function startOne(plan: ProcessPlan): Promise<void> {
    const log = openChildLog({
      folder: join(folder.path, 'logs'),
      name: plan.name,
      ...(SHOWN_STAGES.has(plan.stage) ? { show } : {}),
    });
    const child = superviseProcess(plan, log, { onStarted, onEvent: progress.say });
    running.push(child);
    return child.ready;
  }

  return {
    start: async (plans) => {
      if (isStopping) throw new Error('Nothing can start, because the service is stopping.');
      isRunning = false;
      await Promise.all(plans.map(startOne));
      isRunning = true;
    },
    stop: async () => {
      isStopping = true;
      isRunning = false;
      const deadline = Date.now() + STOP_WITHIN_MS;
      let laterMs = STOP_WITHIN_MS;
      for (const { stage, withinMs } of STOP_ORDER) {
        laterMs -= withinMs;
        // If earlier stages stopped quickly, this stage may use their remaining time. A database may have much to
        // write.
        const graceMs = Math.max(withinMs, deadline - Date.now() - laterMs);
        const children = running.filter(({ plan }) => plan.stage === stage);
        await Promise.all(children.map((child) => child.stop(graceMs)));
      }
      await record.update(() => ({ processes: [] }));
    },
  };
}
