/**
 * Which workflow a line of the SDK is about, and why its task failed. The native part of the SDK knows the
 * run alone and sees failures encrypted; what it leaves out is put together here from the lines that the
 * SDK writes when it begins and ends to keep a workflow, and from what workflows hand over.
 */
import type { LogMetadata } from '@temporalio/common';
import type { InjectedSinks } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { TaskFailure } from '../../contracts/task-failure';

const KEPT = 'Creating workflow';
const DROPPED = 'Disposing workflow';
/** More than any orchestrator keeps; the oldest are forgotten then. */
const RUNS_MAX = 100_000;
const CAUSE_MAX = 500;
/** As the native part writes a failure for people. */
const MESSAGE = /\bmessage: "((?:[^"\\]|\\.)*)"/;
const TYPE = /\btype: "((?:[^"\\]|\\.)*)"/;
/** Stands where the message of an encrypted failure was. */
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
  /** Keeps what a workflow says of the task that fails now; the line of the SDK follows. */
  readonly note: (runId: string, failure: TaskFailure) => void;
  /** To be given every line of the SDK, in order. */
  readonly observe: (message: string, meta: LogMetadata) => void;
  /** Run, workflow and cause of a line, as far as they are known; empty for a line about no run. */
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
    // The SDK gathers its lines: the one of the beginning may come after this.
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

/** Of the orchestrator's worker, for the interceptors of `note-failures`. */
export function failureSinks({ note }: Pick<TaskFailures, 'note'>): InjectedSinks<FailureSinks> {
  // A build that does not fit fails while it replays.
  return {
    failures: {
      note: { fn: ({ runId }, failure) => note(runId, failure), callDuringReplay: true },
    },
  };
}

/** What the server is told, in one line. */
function causeIn(failure: string): string {
  const [, message = ''] = MESSAGE.exec(failure) ?? [];
  const [, type = 'unknown'] = TYPE.exec(failure) ?? [];
  const isReadable = message !== '' && message !== ENCRYPTED;
  return (isReadable ? message : type).slice(0, CAUSE_MAX);
}
