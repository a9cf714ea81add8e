/**
 * Passes traces through Temporal. Clients send the header `traceparent`, and activities and workflows with this header
 * get spans. Without tracing, nothing is installed.
 */
import type { Context } from '@temporalio/activity';
import type { ClientInterceptors } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import { TRACEPARENT, type WorkflowSpan } from '../contracts/trace';
import type { Tracing } from '../platform/tracing';

/** Builds interceptors of workflow clients. A call continues the span that makes it. */
export function traceCalls(tracing: Tracing): ClientInterceptors {
  const withTrace = (headers: Headers): Headers => {
    const current = tracing.current();
    if (current === undefined) return headers;
    return { ...headers, [TRACEPARENT]: defaultPayloadConverter.toPayload(current) };
  };
  return {
    workflow: [
      {
        startWithDetails: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
        signal: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
        signalWithStart: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
        startUpdate: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
        startUpdateWithStart: (input, next) =>
          next({
            ...input,
            workflowStartHeaders: withTrace(input.workflowStartHeaders),
            updateHeaders: withTrace(input.updateHeaders),
          }),
      },
    ],
  };
}

/**
 * Builds interceptors of activities that continue a trace. An activity without a trace gets no span. The HTTP request
 * of a check has a span of its own.
 */
export function traceActivities(tracing: Tracing): (context: Context) => ActivityInterceptors {
  return ({ info }) => ({
    inbound: {
      execute: async (input, next) => {
        const parent = traceparentIn(input.headers);
        if (parent === undefined) return next(input);
        const span = tracing.begin({
          name: info.activityType,
          kind: 'CONSUMER',
          parent,
          facts: { 'temporal.task_queue': info.taskQueue, 'temporal.attempt': info.attempt },
        });
        try {
          const result = await span.run(() => next(input));
          span.end();
          return result;
        } catch (error) {
          span.end(error instanceof Error ? error.name : 'error');
          throw error;
        }
      },
    },
  });
}

interface TraceSinks extends Sinks {
  readonly trace: { readonly record: (span: WorkflowSpan) => void };
}

/**
 * Builds the sinks that record the spans of workflows. If this process has no tracing, traces from the API end here.
 */
export function traceSinks(tracing: Tracing | undefined): InjectedSinks<TraceSinks> {
  return { trace: { record: { fn: (_info, span) => tracing?.record(span) } } };
}

function traceparentIn(headers: Headers): string | undefined {
  const payload = headers[TRACEPARENT];
  if (payload === undefined) return undefined;
  const value = defaultPayloadConverter.fromPayload<unknown>(payload);
  return typeof value === 'string' ? value : undefined;
}
