/**
 * One extra command at the start of every workflow, as a careless change would add, once it is
 * enabled.
 */
import { sleep, type WorkflowInterceptors } from '@temporalio/workflow';

/** The replay test writes `careless-change: yes` into the bundle. */
const CHANGE: string = 'careless-change: no';

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      execute: async (input, next) => {
        if (CHANGE.endsWith('yes')) await sleep(1);
        return next(input);
      },
    },
  ],
});
