/**
 * Stores on the Temporal server how far an activity has come, and waits for the acknowledgement. The SDK cannot do
 * this, because it delays heartbeats and drops acknowledgements. If there is no acknowledgement, the activity stops.
 */
import { Context } from '@temporalio/activity';
import { type DataConverter, defaultPayloadConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { SaveProgress } from '../activities/run-stretch';
import { setHeartbeatDetails } from './heartbeat';
import { createSealForActivity, WORKER_IDENTITY } from './seal-for-activity';

/**
 * This deadline, plus the time that a stretch (a series of steps in one activity) reserves for progress reports, is
 * shorter than the time between two heartbeats of the SDK.
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
    // The details are set before the report is sent, so that no heartbeat restores older details.
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
      // Either the server is down, or the activity has ended. The results so far are reported, and nothing more is
      // sent.
      return false;
    }
  };
}
