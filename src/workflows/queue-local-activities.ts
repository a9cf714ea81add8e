/**
 * An interceptor that carries out the local activities of a workflow one at a time. A replay resolves local activities
 * in the order of their start, not of their end. If several ran at once, later commands could change their order.
 */
import type { WorkflowInterceptors } from '@temporalio/workflow';

export function interceptors(): WorkflowInterceptors {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
    isBusy = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) isBusy = false;
      else next();
    }
  }

  return {
    inbound: [],
    outbound: [{ scheduleLocalActivity: (input, next) => takeTurn(() => next(input)) }],
    internals: [],
  };
}
