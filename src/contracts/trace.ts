/** The headers that pass a trace from one process to the next (https://www.w3.org/TR/trace-context/). */

/** The name of the header, both in Temporal calls and in HTTP requests. */
export const TRACEPARENT = 'traceparent';

/**
 * A span of a workflow. Workflows cannot export spans themselves, so they pass each span to the worker through a sink.
 */
export interface WorkflowSpan {
  readonly name: string;
  readonly parent: string;
  /** 16 hex digits, the same in every replay. */
  readonly spanId: string;
  readonly startMs: number;
  readonly endMs: number;
}
