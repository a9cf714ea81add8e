/**
 * Ends the attempt of an activity with a failure and leaves details to the next attempt, in one call of the
 * server. The SDK sends such details as a heartbeat of its own before the failure, which is a call and a
 * durable write more for each attempt.
 */
import { hostname } from 'node:os';
import { CompleteAsyncError, Context } from '@temporalio/activity';
import {
  type ApplicationFailure,
  type DataConverter,
  defaultPayloadConverter,
  type Payload,
} from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { failureConverter } from './failure-converter';

/** Then the SDK reports in its own way, within what is left of the attempt's time-out. */
const REPORTED_WITHIN_MS = 3_000;

/** One for all, since the SDK looks at its stack, which is put into words only once. */
const REPORTED = new CompleteAsyncError();

/** As the SDK names a worker. */
const IDENTITY = `${process.pid}@${hostname()}`;

/**
 * To be awaited as the last act of an attempt. Rejects always: with what makes the SDK report nothing more, or with
 * what kept the server from taking the failure.
 */
export type FailAttempt = (failure: ApplicationFailure, details: unknown) => Promise<never>;

export function createFailAttempt(
  connection: Pick<NativeConnection, 'withDeadline' | 'workflowService'>,
  namespace: string,
  { payloadCodecs = [] }: DataConverter,
): FailAttempt {
  async function encode(payloads: readonly Payload[]): Promise<Payload[]> {
    const { activityId } = Context.current().info;
    const context = { type: 'activity', namespace, activityId, isLocal: false } as const;
    let encoded = [...payloads];
    for (const codec of payloadCodecs) encoded = await codec.encode(encoded, context);
    return encoded;
  }

  async function encodeFailure(error: ApplicationFailure) {
    const failure = failureConverter.errorToFailure(error, defaultPayloadConverter);
    const { encodedAttributes, applicationFailureInfo: info } = failure;
    const [attributes] = await encode(encodedAttributes ? [encodedAttributes] : []);
    const details = await encode(info?.details?.payloads ?? []);
    return {
      ...failure,
      encodedAttributes: attributes ?? null,
      applicationFailureInfo: { ...info, details: { payloads: details } },
    };
  }

  return async (error, details) => {
    const { taskToken } = Context.current().info;
    const [failure, payloads] = await Promise.all([
      encodeFailure(error),
      encode([defaultPayloadConverter.toPayload(details)]),
    ]);
    const request = { namespace, identity: IDENTITY, taskToken, failure };
    await connection.withDeadline(Date.now() + REPORTED_WITHIN_MS, () =>
      connection.workflowService.respondActivityTaskFailed({
        ...request,
        lastHeartbeatDetails: { payloads },
      }),
    );
    throw REPORTED;
  };
}
