/** The kinds of alerts, and the events that a webhook can get in addition. */
import type { JsonValue } from '../definition';

export const ALERT_KINDS = [
  'failure',
  'recovery',
  'degraded',
  'reminder',
  'flapping',
  'certificate',
  'digest',
  'test',
  'event',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The kinds of alerts that a channel can be limited to. */
export const CHOSEN_KINDS = [
  'failure',
  'recovery',
  'degraded',
  'reminder',
  'flapping',
  'certificate',
] as const satisfies readonly AlertKind[];

/** The events that a webhook can get in addition to alerts. */
export const EVENT_TYPES = [
  'run.finished',
  'monitor.changed',
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The content of an alert whose kind is `event`. */
export interface AlertEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/**
 * How far back changes are read again. Clocks of processes may differ, and writes may be slow, so a change may appear
 * late.
 */
export const EVENTS_OVERLAP_MS = 60_000;

/** Lists the events that the config of a channel names. */
export function listChosenEvents({
  events,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(events) ? events : [];
}
