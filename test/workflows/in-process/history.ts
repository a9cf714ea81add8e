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
  /** The id of the new event. */
  readonly add: (kind: EventKind, attributes: object, metadata?: UserMetadata | null) => number;
  readonly length: () => number;
  /** In bytes, as it is sent. */
  readonly size: () => number;
  /** From the event of this index on; the last ones when it is negative. */
  readonly read: (from?: number) => readonly HistoryEvent[];
  readonly types: () => readonly EventType[];
  /** Forgets all but the first events. */
  readonly cutTo: (length: number) => void;
}

/** On the wire, where numbers become what clients expect; few events are ever read. */
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
