/** Adds one command at the start of every workflow, as a careless change would. It must be enabled first. */
import { sleep, type WorkflowInterceptors } from '@temporalio/workflow';

/** The replay test replaces this text in the bundle by `careless-change: yes`. */
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
