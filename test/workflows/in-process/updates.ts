/** Handles updates on their way to a workflow, and the clients that wait for them. */
import type { temporal } from '@temporalio/proto';
import {
  type Failure,
  type Job,
  NOT_FOUND,
  type Payload,
  payloadsOf,
  RefusedCall,
} from './protocol';

type Request = temporal.api.update.v1.IRequest;
type Outcome = temporal.api.update.v1.IOutcome;

export interface Update {
  readonly id: string;
  readonly request: Request;
  readonly job: Job;
  readonly outcome: Promise<Outcome>;
  readonly accepted: Promise<void>;
  readonly accept: () => void;
  readonly isAccepted: () => boolean;
  readonly complete: (result: Payload | null) => Outcome;
  readonly reject: (failure: Failure) => Outcome;
  /** Ends the update, because the workflow has closed before the update was done. */
  readonly abandon: () => void;
}

export function createUpdate(request: Request): Update {
  const id = request.meta?.updateId ?? '';
  const outcome = defer<Outcome>();
  const accepted = defer<void>();
  outcome.promise.catch(() => undefined);
  accepted.promise.catch(() => undefined);
  let isAccepted = false;
  const end = (ended: Outcome): Outcome => {
    accepted.resolve();
    outcome.resolve(ended);
    return ended;
  };
  return {
    id,
    request,
    job: {
      doUpdate: {
        id,
        protocolInstanceId: id,
        name: request.input?.name ?? '',
        input: request.input?.args?.payloads ?? [],
        headers: request.input?.header?.fields ?? {},
        meta: request.meta ?? {},
        runValidator: true,
      },
    },
    outcome: outcome.promise,
    accepted: accepted.promise,
    accept: () => {
      isAccepted = true;
      accepted.resolve();
    },
    isAccepted: () => isAccepted,
    complete: (result) => end({ success: payloadsOf(result === null ? [] : [result]) }),
    reject: (failure) => end({ failure }),
    abandon: () => {
      const over = new RefusedCall(NOT_FOUND, 'workflow execution already completed');
      accepted.reject(over);
      outcome.reject(over);
    },
  };
}

function defer<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<Value>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return {
    promise,
    resolve: (value: Value) => resolve(value),
    reject: (reason: Error) => reject(reason),
  };
}
