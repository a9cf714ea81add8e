/** The headers that pass a trace from one process to the next (https://www.w3.org/TR/trace-context/). */

/** Name of the header, both in Temporal calls and in HTTP requests. */
export const TRACEPARENT = 'traceparent';

/** A span that a workflow hands over, since it exports nothing itself. */
export interface WorkflowSpan {
  readonly name: string;
  /** The span above it. */
  readonly parent: string;
  /** 16 hex digits, the same in every replay. */
  readonly spanId: string;
  readonly startMs: number;
  readonly endMs: number;
}
