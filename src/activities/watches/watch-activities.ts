/** The activity of a watch. An attempt lasts as long as its probe runs the watch. */
import {
  ApplicationFailure,
  CancelledFailure,
  CompleteAsyncError,
  Context,
} from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { WatchActivities } from '../../contracts/activities';
import { WATCH_HANDED_OVER, type WatchEnd } from '../../contracts/watches';
import type { AttemptEnd } from './running-watch';
import type { Watcher } from './watcher';

/** Reports to Temporal how the running attempt ended. Returns the result of the activity, or throws its failure. */
export type ReportEnd = (end: AttemptEnd) => Promise<WatchEnd>;

export function createWatchActivities(
  watcher: Pick<Watcher, 'watch'>,
  reportEnd: ReportEnd = endBySdk,
): WatchActivities {
  return {
    watchMonitor: async (watch) => {
      const context = Context.current();
      const end = await watcher.watch(watch, {
        taskToken: context.info.base64TaskToken,
        signal: context.cancellationSignal,
        beat: (words) => context.heartbeat(words),
      });
      const isUnasked = end.kind === 'cancelled' && !isCancelRequested(context);
      return reportEnd(isUnasked ? { kind: 'handed over' } : end);
    },
  };
}

/**
 * True if the workflow cancelled the attempt. False if an operator paused or reset the activity, or if the attempt
 * timed out. In these cases, Temporal would not accept a cancellation from the probe.
 */
function isCancelRequested({ cancellationDetails: why }: Context): boolean {
  return why === undefined || why.cancelRequested || !(why.paused || why.reset || why.timedOut);
}

/**
 * Lets the SDK report the end of the attempt, as for any other activity. The SDK gives up if Temporal does not accept
 * the report within ten seconds.
 */
async function endBySdk(end: AttemptEnd): Promise<WatchEnd> {
  if (end.kind === 'ended') return end.end;
  if (end.kind === 'cancelled') throw new CancelledFailure('', [end.end]);
  throw end.kind === 'replaced' ? new CompleteAsyncError() : createHandedOverFailure();
}

export function createHandedOverFailure(): ApplicationFailure {
  return ApplicationFailure.create({
    type: WATCH_HANDED_OVER,
    message: 'the probe hands the watch over',
    nextRetryDelay: 1,
    category: ApplicationFailureCategory.BENIGN,
  });
}
