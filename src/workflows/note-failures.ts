/**
 * Interceptors that report why a workflow task failed. The SDK's own log line names only the run, and its failure is
 * encrypted.
 */
import { TemporalFailure } from '@temporalio/common';
import { ContinueAsNew, proxySinks, type WorkflowInterceptors } from '@temporalio/workflow';
import type { TaskFailure } from '../contracts/task-failure';

/** The worker of the orchestrator provides these sinks. */
type FailureSinks = { readonly failures: { readonly note: (failure: TaskFailure) => void } };

const CAUSE_MAX = 500;
const FRAME = /^\s*at /;

export function interceptors(): WorkflowInterceptors {
  const noted = new WeakSet<Error>();

  /** Notes an error, but ignores errors that end the workflow or are its outcome. */
  function note(error: unknown): void {
    if (!(error instanceof Error) || noted.has(error)) return;
    if (error instanceof TemporalFailure || error instanceof ContinueAsNew) return;
    noted.add(error);
    proxySinks<FailureSinks>().failures.note(toTaskFailure(error));
  }

  async function noteRejection<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      note(error);
      throw error;
    }
  }

  function noteError<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      note(error);
      throw error;
    }
  }

  return {
    inbound: [
      {
        execute: (input, next) => noteRejection(next(input)),
        handleSignal: (input, next) => noteRejection(next(input)),
        handleUpdate: (input, next) => noteRejection(next(input)),
      },
    ],
    internals: [
      {
        activate: (input, next) => noteError(() => next(input)),
        concludeActivation: (input, next) => noteError(() => next(input)),
      },
    ],
  };
}

function toTaskFailure({ name, message, stack }: Error): TaskFailure {
  const frame = (stack ?? '').split('\n').find((line) => FRAME.test(line));
  return {
    cause: `${name}: ${message}`.slice(0, CAUSE_MAX),
    at: frame?.replace(FRAME, '').slice(0, CAUSE_MAX) ?? null,
  };
}
