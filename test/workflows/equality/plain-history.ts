/**
 * Converts a history to a form in which two servers must agree. It contains the events in order. It contains no ids,
 * instants or bookkeeping of workflow tasks, because these depend on the speed of the machine.
 */
import { defaultPayloadConverter } from '@temporalio/common';
import type { HistoryEvent, Payload } from '../in-process/protocol';

/** One event, with its kind and its facts. */
export interface PlainEvent {
  readonly kind: string;
  readonly facts: unknown;
}

/**
 * Matches the names of attributes that are left out: ids, names of servers, workers and builds, numbers of tries, and
 * durations.
 */
const OMITTED = new RegExp(
  [
    '(EventId|RunId|[iI]dentity|[rR]equestId|MessageId|BuildId|WorkflowNamespace(Id)?)$',
    '^(runId|protocolInstanceId|updateId|namespace(Id)?|workerVersion|rootWorkflowExecution)$',
    '^(prevAutoResetPoints|stackTrace|encodedAttributes|attempt|lastFailure|durationMs|lastResponseTimeMs)$',
  ].join('|'),
);
const ATTRIBUTES = 'EventAttributes';
/**
 * Matches the events that report the end of a child workflow. These events come at any time, independently of the other
 * events.
 */
const CHILD_ENDED = /^childWorkflowExecution(Completed|Failed|Canceled|TimedOut|Terminated)$/;
/**
 * Durations are rounded to this many milliseconds. The value is so coarse that the duration of a whole script changes
 * no rounded duration.
 */
const DURATION_GRAIN_MS = 600_000;
const FIRST_INSTANT_MS = 1_000_000_000_000;

/** Returns what the workflow decided and what happened to it. The ends of its children come last, in a fixed order. */
export function plainHistory(events: readonly HistoryEvent[]): readonly PlainEvent[] {
  const plainEvents = events.map(plainEvent).filter(({ kind }) => !kind.startsWith('workflowTask'));
  const ends = plainEvents.filter(({ kind }) => CHILD_ENDED.test(kind));
  const byText = ends.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return [...plainEvents.filter(({ kind }) => !CHILD_ENDED.test(kind)), ...byText];
}

/** Returns the kind of the event, such as `timerStarted`. */
export function kindOf(event: HistoryEvent): string {
  const name = Object.keys(event).find((key) => key.endsWith(ATTRIBUTES)) ?? '';
  return name.slice(0, -ATTRIBUTES.length);
}

/** Returns the attributes that the server wrote for the event. */
export function attributesOf(event: HistoryEvent): Readonly<Record<string, unknown>> {
  const name = `${kindOf(event)}${ATTRIBUTES}`;
  return { ...Object.entries(event).find(([key]) => key === name)?.[1] };
}

function plainEvent(event: HistoryEvent): PlainEvent {
  const { userMetadata } = event;
  return { kind: kindOf(event), facts: plain({ ...attributesOf(event), userMetadata }) };
}

/** Returns the value without parts that differ between two runs of the same script, and without empty values. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (typeof value === 'number') return value >= FIRST_INSTANT_MS ? 'an instant' : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (isPayload(value)) return plainPayload(value);
  if ('seconds' in value) return plainDuration({ ...value });
  const entries = Object.entries(value)
    .filter(([name]) => !OMITTED.test(name))
    .map(([name, part]): [string, unknown] => [name, plain(part)])
    .filter(([, part]) => !isEmpty(part));
  return Object.fromEntries(entries);
}

function plainText(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/:[0-9a-f]{8}$/, ':short')
    .replace(/_[0-9a-hjkmnp-tv-z]{26}\b/g, '_ulid')
    .replace(/\d{4}-\d\d-\d\d[ T]/g, '')
    .replace(/\d\d:\d\d:\d\d(\.\d+)?Z/g, 'an instant');
}

function plainDuration({ seconds, nanos }: Partial<Record<string, unknown>>): unknown {
  const ms = Number(seconds ?? 0) * 1_000 + Number(nanos ?? 0) / 1_000_000;
  return ms >= FIRST_INSTANT_MS ? 'an instant' : Math.ceil(ms / DURATION_GRAIN_MS);
}

function plainPayload(payload: Payload): unknown {
  const type = payload.metadata?.['type'];
  const value = plain(defaultPayloadConverter.fromPayload(payload));
  return type === undefined ? value : { value, type: Buffer.from(type).toString() };
}

function isPayload(value: object): value is Payload {
  return 'metadata' in value && 'data' in value && value.data instanceof Uint8Array;
}

/** Returns true for values that the wire format leaves out. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false)
    return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
