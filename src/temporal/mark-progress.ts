/**
 * Has the server keep how far an activity has come, and waits until it has. The SDK's own heartbeats are held back for
 * seconds and acknowledged to nobody. A mark is sent once: one that is not acknowledged ends the activity's work.
 */
import { Context } from '@temporalio/activity';
import { type DataConverter, defaultPayloadConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { MarkProgress } from '../activities/run-stretch';
import { setHeartbeatDetails } from './heartbeat';
import { createSealForActivity, WORKER_IDENTITY } from './seal-for-activity';

/** With the time that a stretch has for its marks, less than the time between two heartbeats of the SDK. */
const MARK_DEADLINE_MS = 2_000;

export function createMarkProgress(
  connection: Pick<NativeConnection, 'withDeadline' | 'workflowService'>,
  namespace: string,
  dataConverter: DataConverter,
): MarkProgress {
  const seal = createSealForActivity(namespace, dataConverter);
  return async (progress) => {
    const context = Context.current();
    // Before the mark is sent: a heartbeat must never take one back.
    setHeartbeatDetails(context, progress);
    const about = { namespace, identity: WORKER_IDENTITY, taskToken: context.info.taskToken };
    try {
      const payloads = await seal([defaultPayloadConverter.toPayload(progress)]);
      const mark = { ...about, details: { payloads } };
      const { cancelRequested } = await connection.withDeadline(Date.now() + MARK_DEADLINE_MS, () =>
        connection.workflowService.recordActivityTaskHeartbeat(mark),
      );
      return !cancelRequested;
    } catch {
      // The server is away, or the activity is over: what has been done is reported, and nothing more is sent.
      return false;
    }
  };
}
