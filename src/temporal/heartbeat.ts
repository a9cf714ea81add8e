/**
 * Sends heartbeats of long activities. A heartbeat shows that the process is alive and that its event loop is running.
 */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';

/** Interval between heartbeats. An activity that is shorter sends none. */
export const HEARTBEAT_EVERY_MS = 5_000;

const details = new WeakMap<Context, unknown>();

/** Sets the details of the activity's heartbeats from now on. */
export function setHeartbeatDetails(context: Context, said: unknown): void {
  details.set(context, said);
}

/** Creates the interceptor for a worker whose activities may take longer than the heartbeat timeout. */
export function createHeartbeatInterceptor(context: Context): ActivityInterceptors {
  return {
    inbound: {
      execute: async (input, next) => {
        // Keeps the details of an earlier attempt until this attempt sets its own.
        setHeartbeatDetails(context, context.info.heartbeatDetails);
        const beat = () => context.heartbeat(details.get(context));
        const beating = setInterval(beat, HEARTBEAT_EVERY_MS);
        try {
          return await next(input);
        } finally {
          clearInterval(beating);
        }
      },
    },
  };
}
