/** The history of one run, as the server writes it and the SDK's core replays it. */
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { EventType, type HistoryEvent, type UserMetadata } from './protocol';

const { HistoryEvent: Message } = temporal.api.history.v1;

type EventName = keyof typeof EventType;
type Suffixed<Name> = Name extends `${infer Kind}EventAttributes` ? Kind : never;
/** As `timerStarted`. */
type EventKind = Suffixed<keyof HistoryEvent>;

export interface History {
  readonly events: readonly HistoryEvent[];
  /** The id of the new event. */
  readonly add: (kind: EventKind, attributes: object, metadata?: UserMetadata | null) => number;
  /** In bytes, as it is sent. */
  readonly size: () => number;
  /** Forgets all but the first events. */
  readonly cutTo: (length: number) => void;
}

export function createHistory(nowMs: () => number): History {
  const events: HistoryEvent[] = [];
  const sizes: number[] = [];
  let size = 0;
  return {
    events,
    add: (kind, attributes, metadata) => {
      const eventId = events.length + 1;
      const event = Message.fromObject({
        eventId,
        eventTime: msToTs(nowMs()),
        eventType: EventType[nameOf(kind)],
        [`${kind}EventAttributes`]: attributes,
        ...(metadata != null && { userMetadata: metadata }),
      });
      // On the wire, where numbers become what clients expect.
      const bytes = Message.encode(event).finish();
      events.push(Message.decode(bytes));
      sizes.push(bytes.length);
      size += bytes.length;
      return eventId;
    },
    size: () => size,
    cutTo: (length) => {
      events.splice(length);
      for (const bytes of sizes.splice(length)) size -= bytes;
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
