/**
 * Reports to Temporal how the watch of a probe ended, and repeats the report until it is accepted. The SDK would give
 * up after ten seconds, and the outcome that ended the watch would be lost.
 */
import { CompleteAsyncError, Context } from '@temporalio/activity';
import {
  type ApplicationFailure,
  type DataConverter,
  defaultPayloadConverter,
} from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { pause } from '../activities/watches/pause';
import type { AttemptEnd } from '../activities/watches/running-watch';
import { createHandedOverFailure, type ReportEnd } from '../activities/watches/watch-activities';
import { failureConverter } from './failure-converter';
import { createSealForActivity, WORKER_IDENTITY } from './seal-for-activity';

const CALL_DEADLINE_MS = 5_000;
const RETRY_MS = 1_000;
/** The gRPC codes of a final refusal. The attempt is over, or belongs to another probe. */
const FINAL_CODES: ReadonlySet<unknown> = new Set([3, 5]);

type Reach = Pick<NativeConnection, 'withDeadline' | 'workflowService'>;

/**
 * Builds the function that reports the end of a watch. After the report, it always rejects with an error that stops the
 * SDK from reporting the end itself.
 */
export function createReportEnd(
  connection: Reach,
  namespace: string,
  dataConverter: DataConverter,
): ReportEnd {
  const { workflowService } = connection;
  const seal = createSealForActivity(namespace, dataConverter);

  async function encodeFailure(error: ApplicationFailure) {
    const failure = failureConverter.errorToFailure(error, defaultPayloadConverter);
    const { encodedAttributes } = failure;
    const [attributes] = await seal(encodedAttributes ? [encodedAttributes] : []);
    return { ...failure, encodedAttributes: attributes ?? null };
  }

  async function respond(end: Exclude<AttemptEnd, { kind: 'replaced' }>): Promise<unknown> {
    const about = {
      namespace,
      identity: WORKER_IDENTITY,
      taskToken: Context.current().info.taskToken,
    };
    if (end.kind === 'handed over') {
      const failure = await encodeFailure(createHandedOverFailure());
      return workflowService.respondActivityTaskFailed({ ...about, failure });
    }
    const payloads = await seal([defaultPayloadConverter.toPayload(end.end)]);
    return end.kind === 'ended'
      ? workflowService.respondActivityTaskCompleted({ ...about, result: { payloads } })
      : workflowService.respondActivityTaskCanceled({ ...about, details: { payloads } });
  }

  return async (end) => {
    if (end.kind === 'replaced') throw new CompleteAsyncError();
    for (;;) {
      try {
        await connection.withDeadline(Date.now() + CALL_DEADLINE_MS, () => respond(end));
        break;
      } catch (error) {
        if (isFinal(error)) break;
        await pause(RETRY_MS);
      }
    }
    throw new CompleteAsyncError();
  };
}

function isFinal(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && FINAL_CODES.has(error.code)
  );
}
