/** Runs one attempt of an activity as a worker does: the function in its context, and its result. */
import type { Info } from '@temporalio/activity';
import {
  ActivityCancellationDetails,
  type ActivityFunction,
  defaultFailureConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  noopMetricMeter,
  SdkComponent,
} from '@temporalio/common';
import { arrayFromPayloads } from '@temporalio/common/lib/converter/payload-converter';
import { LoggerWithComposedMetadata } from '@temporalio/common/lib/logger';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { DefaultLogger } from '@temporalio/worker';
import { Activity } from '@temporalio/worker/lib/activity';
import {
  type ActivityResult,
  type Failure,
  NAMESPACE,
  type Payload,
  type RetryPolicy,
  TimeoutType,
} from './protocol';

export type Activities = Readonly<Record<string, ActivityFunction | undefined>>;

/** Data that all attempts of one activity share. */
export interface ActivityOrder {
  readonly activityId: string;
  readonly activityType: string;
  readonly taskQueue: string;
  readonly input: readonly Payload[];
  readonly isLocal: boolean;
  readonly workflow: { readonly workflowId: string; readonly runId: string; readonly type: string };
  readonly scheduledMs: number;
  readonly scheduleToCloseMs: number;
  readonly startToCloseMs: number;
  readonly heartbeatMs: number;
}

export interface Attempt {
  readonly ended: Promise<ActivityResult>;
  /** Requests the cancellation of the attempt. The attempt ends when the activity checks for cancellation. */
  readonly cancel: (reason: 'CANCELLED' | 'TIMED_OUT' | 'NOT_FOUND') => void;
}

interface AttemptTime {
  readonly attempt: number;
  readonly scheduledMs: number;
  readonly heartbeatDetails: Payload | null;
  readonly onHeartbeat: (details: Payload) => void;
}

const CONVERTER: LoadedDataConverter = {
  payloadConverter: defaultPayloadConverter,
  payloadCodecs: [],
  failureConverter: defaultFailureConverter,
};

const LOGGER = LoggerWithComposedMetadata.compose(new DefaultLogger('ERROR'), {
  sdkComponent: SdkComponent.worker,
});

let tokens = 0;

export function beginAttempt(
  activities: Activities,
  order: ActivityOrder,
  { attempt, scheduledMs, heartbeatDetails, onHeartbeat }: AttemptTime,
): Attempt {
  const { activityId, activityType, isLocal, workflow } = order;
  tokens += 1;
  const info: Info = {
    taskToken: Buffer.from(String(tokens)),
    base64TaskToken: Buffer.from(String(tokens)).toString('base64'),
    activityId,
    activityType,
    attempt,
    isLocal,
    namespace: NAMESPACE,
    activityNamespace: NAMESPACE,
    workflowNamespace: NAMESPACE,
    workflowExecution: { workflowId: workflow.workflowId, runId: workflow.runId },
    workflowType: workflow.type,
    inWorkflow: true,
    taskQueue: order.taskQueue,
    heartbeatDetails:
      heartbeatDetails === null ? undefined : defaultPayloadConverter.fromPayload(heartbeatDetails),
    scheduledTimestampMs: order.scheduledMs,
    currentAttemptScheduledTimestampMs: scheduledMs,
    scheduleToCloseTimeoutMs: order.scheduleToCloseMs,
    startToCloseTimeoutMs: order.startToCloseMs,
    ...(order.heartbeatMs > 0 && { heartbeatTimeoutMs: order.heartbeatMs }),
  };
  const activity = new Activity(
    info,
    activities[activityType] ?? unknownActivity(activityType),
    CONVERTER,
    {
      type: 'activity',
      namespace: NAMESPACE,
      activityId,
      isLocal,
      workflowId: workflow.workflowId,
    },
    undefined,
    (details) => onHeartbeat(defaultPayloadConverter.toPayload(details)),
    undefined,
    LOGGER,
    noopMetricMeter,
    [],
  );
  const args = arrayFromPayloads(defaultPayloadConverter, [...order.input], undefined);
  return {
    ended: activity.run({ args, headers: {} }),
    cancel: (reason) =>
      activity.cancel(
        reason,
        new ActivityCancellationDetails(
          reason === 'CANCELLED'
            ? { cancelRequested: true }
            : reason === 'TIMED_OUT'
              ? { timedOut: true }
              : { notFound: true },
        ),
      ),
  };
}

function unknownActivity(name: string): ActivityFunction {
  return async () => {
    throw new Error(`no activity of the name ${name} is registered`);
  };
}

export function timeoutFailure(
  kind: keyof typeof TimeoutType,
  lastHeartbeat: Payload | null = null,
): Failure {
  return {
    message: `activity ${kind.replace('TIMEOUT_TYPE_', '').toLowerCase()} timeout`,
    source: 'Server',
    timeoutFailureInfo: {
      timeoutType: TimeoutType[kind],
      lastHeartbeatDetails: lastHeartbeat === null ? null : { payloads: [lastHeartbeat] },
    },
  };
}

/** Returns the delay in milliseconds before a failed attempt is retried. null if it is never retried. */
export function retryDelayMs(
  policy: RetryPolicy | null | undefined,
  failure: Failure,
  { attempt, leftMs }: { readonly attempt: number; readonly leftMs: number },
): number | null {
  const { applicationFailureInfo: application, timeoutFailureInfo: timeout } = failure;
  const refused = policy?.nonRetryableErrorTypes ?? [];
  if (application?.nonRetryable === true || refused.includes(typeName(failure))) return null;
  if (timeout && timeout.timeoutType !== TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE) {
    if (timeout.timeoutType !== TimeoutType.TIMEOUT_TYPE_HEARTBEAT) return null;
  }
  const most = policy?.maximumAttempts ?? 0;
  if (most > 0 && attempt >= most) return null;
  const firstMs = optionalTsToMs(policy?.initialInterval) ?? 1_000;
  const longestMs = optionalTsToMs(policy?.maximumInterval) || firstMs * 100;
  const grownMs = firstMs * (policy?.backoffCoefficient || 2) ** (attempt - 1);
  const delayMs = optionalTsToMs(application?.nextRetryDelay) || Math.min(grownMs, longestMs);
  return delayMs < leftMs ? delayMs : null;
}

function typeName({ applicationFailureInfo, timeoutFailureInfo }: Failure): string {
  if (!timeoutFailureInfo) return applicationFailureInfo?.type ?? '';
  return timeoutFailureInfo.timeoutType === TimeoutType.TIMEOUT_TYPE_HEARTBEAT
    ? 'TemporalTimeout:Heartbeat'
    : 'TemporalTimeout:StartToClose';
}
