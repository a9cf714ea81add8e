/**
 * Stores on the Temporal server how far an activity has come, and waits for the acknowledgement. The SDK cannot be used
 * for this, because it delays heartbeats and ignores acknowledgements. Without an acknowledgement, the activity stops.
 */
import { Context } from '@temporalio/activity';
import { type DataConverter, defaultPayloadConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { SaveProgress } from '../activities/run-stretch';
import { setHeartbeatDetails } from './heartbeat';
import { createSealForActivity, WORKER_IDENTITY } from './seal-for-activity';

/**
 * The deadline of one progress report. Together with the duration of a stretch (a series of steps in one activity), it
 * must be shorter than the time between two heartbeats of the SDK.
 */
const SAVE_DEADLINE_MS = 2_000;

export function createSaveProgress(
  connection: Pick<NativeConnection, 'withDeadline' | 'workflowService'>,
  namespace: string,
  dataConverter: DataConverter,
): SaveProgress {
  const seal = createSealForActivity(namespace, dataConverter);
  return async (progress) => {
    const context = Context.current();
    // Without this line, the next heartbeat would overwrite the report with older details.
    setHeartbeatDetails(context, progress);
    const about = { namespace, identity: WORKER_IDENTITY, taskToken: context.info.taskToken };
    try {
      const payloads = await seal([defaultPayloadConverter.toPayload(progress)]);
      const mark = { ...about, details: { payloads } };
      const { cancelRequested } = await connection.withDeadline(Date.now() + SAVE_DEADLINE_MS, () =>
        connection.workflowService.recordActivityTaskHeartbeat(mark),
      );
      return !cancelRequested;
    } catch {
      // The server is down, or the activity has ended. The results so far are reported, and no further step is sent.
      return false;
    }
  };
}
