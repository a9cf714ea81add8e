/**
 * Finds out which workflow a log line of the SDK is about, and why the task of this workflow failed. The native part of
 * the SDK logs only the id of the run and an encrypted failure. The other facts come from earlier log lines and from
 * the workflows.
 */
import type { LogMetadata } from '@temporalio/common';
import type { InjectedSinks } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { TaskFailure } from '../../contracts/task-failure';

const KEPT = 'Creating workflow';
const DROPPED = 'Disposing workflow';
/** Maximum number of remembered runs, which is more than any orchestrator caches. The oldest are dropped. */
const RUNS_MAX = 100_000;
const CAUSE_MAX = 500;
/** How the SDK's native core prints a failure. */
const MESSAGE = /\bmessage: "((?:[^"\\]|\\.)*)"/;
const TYPE = /\btype: "((?:[^"\\]|\\.)*)"/;
/** The SDK replaces the message of an encrypted failure by this text. */
const ENCRYPTED = 'Encoded failure';

interface KnownRun {
  readonly workflowId: unknown;
  readonly workflowType: unknown;
  readonly failure: TaskFailure | null;
}

interface FailureSinks extends Sinks {
  readonly failures: { readonly note: (failure: TaskFailure) => void };
}

export interface TaskFailures {
  /** Stores a workflow's report about its failing task, before the SDK logs it. */
  readonly note: (runId: string, failure: TaskFailure) => void;
  /** Must receive every line of the SDK, in order. */
  readonly observe: (message: string, meta: LogMetadata) => void;
  /** Returns the known facts about a line: the run, the workflow and the cause. */
  readonly describe: (meta: LogMetadata) => Readonly<Record<string, unknown>>;
}

export function createTaskFailures(): TaskFailures {
  const runs = new Map<string, KnownRun>();

  function observe(message: string, meta: LogMetadata): void {
    if (message !== KEPT && message !== DROPPED) return;
    const { runId, workflowId, workflowType } = meta;
    if (typeof runId !== 'string') return;
    const failure = runs.get(runId)?.failure ?? null;
    runs.delete(runId);
    if (message === DROPPED) return;
    runs.set(runId, { workflowId, workflowType, failure });
    for (const oldest of runs.keys()) {
      if (runs.size <= RUNS_MAX) break;
      runs.delete(oldest);
    }
  }

  function note(runId: string, failure: TaskFailure): void {
    // The SDK buffers its lines. The line that names the workflow may therefore come later than this line.
    const { workflowId, workflowType } = runs.get(runId) ?? {};
    runs.set(runId, { workflowId, workflowType, failure });
  }

  function describe({ run_id, runId = run_id, failure }: LogMetadata) {
    if (typeof runId !== 'string') return {};
    const { failure: noted, ...workflow } = runs.get(runId) ?? { failure: null };
    if (failure === undefined) return { ...workflow, runId };
    const read = { cause: causeIn(String(failure)), at: null };
    const { cause, at } = noted ?? read;
    return { ...workflow, runId, cause, ...(at !== null && { at }) };
  }

  return { note, observe, describe };
}

/** Builds sinks of the orchestrator's worker, for the interceptors of `note-failures`. */
export function createFailureSinks({
  note,
}: Pick<TaskFailures, 'note'>): InjectedSinks<FailureSinks> {
  // Replays report failures, too. A failure in a replay shows that the build does not fit the history.
  return {
    failures: {
      note: { fn: ({ runId }, failure) => note(runId, failure), callDuringReplay: true },
    },
  };
}

/**
 * Finds the cause in a failure as the SDK's native core prints it: the message, or the type if the message is empty or
 * encrypted.
 */
function causeIn(failure: string): string {
  const [, message = ''] = MESSAGE.exec(failure) ?? [];
  const [, type = 'unknown'] = TYPE.exec(failure) ?? [];
  const isReadable = message !== '' && message !== ENCRYPTED;
  return (isReadable ? message : type).slice(0, CAUSE_MAX);
}
