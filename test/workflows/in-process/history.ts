/** Stores the history of one run, as the server writes it and the SDK's core replays it. */
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { EventType, type HistoryEvent, type UserMetadata } from './protocol';

const { HistoryEvent: Message } = temporal.api.history.v1;

type EventName = keyof typeof EventType;
type Suffixed<Name> = Name extends `${infer Kind}EventAttributes` ? Kind : never;
/** The kind of an event, such as `timerStarted`. */
type EventKind = Suffixed<keyof HistoryEvent>;

export interface History {
  /** Adds an event to the history. Returns the id of the event. */
  readonly add: (kind: EventKind, attributes: object, metadata?: UserMetadata | null) => number;
  readonly length: () => number;
  /** Returns the size in bytes, as sent. */
  readonly size: () => number;
  /** Returns the events from this index. A negative index counts from the end. */
  readonly read: (from?: number) => readonly HistoryEvent[];
  readonly types: () => readonly EventType[];
  /** Removes all events after the first `length` events. */
  readonly cutTo: (length: number) => void;
}

/**
 * An event in the wire format, from which clients get numbers. The event is decoded only when it is needed, because few
 * events are ever read.
 */
interface Written {
  readonly type: EventType;
  readonly bytes: Uint8Array;
}

export function createHistory(nowMs: () => number): History {
  const written: Written[] = [];
  let size = 0;
  return {
    add: (kind, attributes, metadata) => {
      const eventId = written.length + 1;
      const type = EventType[nameOf(kind)];
      const event = Message.fromObject({
        eventId,
        eventTime: msToTs(nowMs()),
        eventType: type,
        [`${kind}EventAttributes`]: attributes,
        ...(metadata != null && { userMetadata: metadata }),
      });
      const bytes = Message.encode(event).finish();
      written.push({ type, bytes });
      size += bytes.length;
      return eventId;
    },
    length: () => written.length,
    size: () => size,
    read: (from = 0) => written.slice(from).map(({ bytes }) => Message.decode(bytes)),
    types: () => written.map(({ type }) => type),
    cutTo: (length) => {
      for (const { bytes } of written.splice(length)) size -= bytes.length;
    },
  };
}

function nameOf(kind: EventKind): EventName {
  const name = `EVENT_TYPE_${kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  if (!isEventName(name)) throw new Error(`there is no event ${name}`);
  return name;
}

function isEventName(name: string): name is EventName {
  return name in EventType;
}
