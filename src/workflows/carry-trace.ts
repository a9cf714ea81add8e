/**
 * Interceptors that propagate a trace: a workflow passes the header `traceparent` of a call on to the calls that it
 * schedules. A replay sees the same header in the history.
 */
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { proxySinks, type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import { TRACEPARENT, type WorkflowSpan } from '../contracts/trace';
import { WORKFLOW_TYPES } from '../contracts/workflows';

/** The worker of the orchestrator provides these sinks. */
type TraceSinks = { readonly trace: { readonly record: (span: WorkflowSpan) => void } };

/** Workflows that never end. Some time after a call, they stop passing on the trace of this call. */
const ENDLESS: ReadonlySet<string> = new Set([
  WORKFLOW_TYPES.monitor,
  WORKFLOW_TYPES.scenario,
  WORKFLOW_TYPES.heartbeat,
  WORKFLOW_TYPES.housekeeping,
]);
const CARRIED_FOR_MS = 5_000;
const SPAN_ID = /[0-9a-f]{12}$/;

interface Carried {
  readonly headers: Headers;
  readonly sinceMs: number;
}

export function interceptors(): WorkflowInterceptors {
  const { take, note, withTrace } = createCarrier();
  return {
    inbound: [
      {
        execute: (input, next) => {
          const { workflowType } = workflowInfo();
          if (ENDLESS.has(workflowType)) {
            note(workflowType, input.headers);
            return next(input);
          }
          const begun = take(workflowType, input.headers);
          if (begun === null) return next(input);
          return next(input).finally(() => record({ ...begun, endMs: Date.now() }));
        },
        handleSignal: (input, next) => {
          note(`${workflowInfo().workflowType} ${input.signalName}`, input.headers);
          return next(input);
        },
        handleUpdate: (input, next) => {
          note(`${workflowInfo().workflowType} ${input.name}`, input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
      },
    ],
    internals: [],
  };
}

/** Creates functions that store and read the trace of one execution. */
function createCarrier() {
  let carried: Carried | null = null;
  let spans = 0;

  /** Reads the trace of a call. Returns null if the call is not traced. */
  function take(name: string, headers: Headers): Omit<WorkflowSpan, 'endMs'> | null {
    const payload = headers[TRACEPARENT];
    if (payload === undefined) return null;
    const parent = defaultPayloadConverter.fromPayload<unknown>(payload);
    if (typeof parent !== 'string') return null;
    const sinceMs = Date.now();
    spans += 1;
    const spanId = buildSpanId(spans);
    const own = parent.replace(/-[0-9a-f]{16}-/, `-${spanId}-`);
    carried = { sinceMs, headers: { [TRACEPARENT]: defaultPayloadConverter.toPayload(own) } };
    return { name, parent, spanId, startMs: sinceMs };
  }

  /** Records the trace of a call that the workflow handles at once. The span of this call has no duration. */
  function note(name: string, headers: Headers): void {
    const begun = take(name, headers);
    if (begun !== null) record({ ...begun, endMs: begun.startMs });
  }

  function withTrace<Input extends { readonly headers: Headers }>(input: Input): Input {
    if (carried === null) return input;
    const isOver = Date.now() - carried.sinceMs > CARRIED_FOR_MS;
    if (isOver && ENDLESS.has(workflowInfo().workflowType)) carried = null;
    if (carried === null) return input;
    return { ...input, headers: { ...input.headers, ...carried.headers } };
  }

  return { take, note, withTrace };
}

/** Builds a span id from the run id, so that a replay yields the same span id. */
function buildSpanId(nth: number): string {
  const tail = SPAN_ID.exec(workflowInfo().runId)?.[0] ?? '0'.repeat(12);
  return `${(nth % 0xffff).toString(16).padStart(4, '0')}${tail}`;
}

function record(span: WorkflowSpan): void {
  proxySinks<TraceSinks>().trace.record(span);
}
