/**
 * Heartbeats of activities that last: as long as their process is alive and its event loop turns, the
 * server knows it, whatever the activity waits for. It looks at nothing else.
 */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';

/** Shorter activities send none, and cost no call more. */
export const HEARTBEAT_EVERY_MS = 5_000;

const details = new WeakMap<Context, unknown>();

/** What the heartbeats of the activity say from now on. */
export function setHeartbeatDetails(context: Context, said: unknown): void {
  details.set(context, said);
}

/** For a worker whose activities may outlast the heartbeat timeout that their caller sets. */
export function heartbeatInterceptor(context: Context): ActivityInterceptors {
  return {
    inbound: {
      execute: async (input, next) => {
        // What an earlier attempt left is kept for the next one.
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
