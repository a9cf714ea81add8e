/**
 * An interceptor that carries out the local activities of a workflow one at a time. Of several at once, a replay resolves
 * the first that was scheduled first, whichever ended first, and the commands that follow would change their order.
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
