/** Registers the running activities by name for the monitoring of the event loop. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { beginWork } from '../platform/watch-event-loop';

export const nameActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    async execute(input, next) {
      const end = beginWork(`activity ${info.activityType}`);
      try {
        return await next(input);
      } finally {
        end();
      }
    },
  },
});
