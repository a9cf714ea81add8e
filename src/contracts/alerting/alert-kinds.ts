/** What alerts are about, and the events that a webhook can be sent beside them. */
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

/** Those that a channel can be kept to. */
export const CHOSEN_KINDS = [
  'failure',
  'recovery',
  'degraded',
  'reminder',
  'flapping',
  'certificate',
] as const satisfies readonly AlertKind[];

/** What a webhook can be sent beside alerts. */
export const EVENT_TYPES = [
  'run.finished',
  'monitor.changed',
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What an alert of kind `event` says. */
export interface AlertEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, JsonValue>>;
}
