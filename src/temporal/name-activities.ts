/**
 * Registers the names of running activities, so that the watcher of the event loop can log which activity blocks it.
 */
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
