/** Problems of the service itself. A problem is deleted after its end has been reported. */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';

export const OPERATOR_EVENT_KINDS = ['region_offline', 'network_suspect', 'service_blind'] as const;

export type OperatorEventKind = (typeof OPERATOR_EVENT_KINDS)[number];

export interface OperatorEvent {
  /** `<kind>:<subject>`. A subject has at most one event of a kind at a time. */
  readonly id: string;
  readonly kind: OperatorEventKind;
  /** The region that has the problem. Empty means the service as a whole. */
  readonly subject: string;
  readonly sinceMs: number;
  /** The number of times in a row that the problem was observed. */
  readonly notices: number;
  readonly noticedAtMs: number;
  /** null means that the problem is ongoing. */
  readonly endedAtMs: number | null;
  /** True means that the start of the event was logged, so that its end must be reported. */
  readonly isLogged: boolean;
  /** True if the start of the event was reported by email. Without a mail server, nothing is sent. */
  readonly isMailed: boolean;
  readonly isEndLogged: boolean;
}

/** Stores events of the whole service. They belong to no account. */
export interface OperatorEventStore {
  readonly list: () => Promise<readonly OperatorEvent[]>;
  readonly save: (event: OperatorEvent) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

export type OperatorEventDocument = Omit<OperatorEvent, 'id'> & { readonly _id: string };

export const operatorEventCollection = defineCollection<OperatorEventDocument>('operatorEvents', {
  kind: String,
  subject: String,
  sinceMs: Number,
  notices: Number,
  noticedAtMs: Number,
  endedAtMs: Number,
  isLogged: Boolean,
  isMailed: Boolean,
  isEndLogged: Boolean,
});

const EVENTS_MAX = 1_000;

export function createOperatorEventStore(events: Model<OperatorEventDocument>): OperatorEventStore {
  return {
    async list() {
      const found = await events
        .find({})
        .sort({ _id: 1 })
        .limit(EVENTS_MAX)
        .lean<OperatorEventDocument[]>();
      return found.map(({ _id: id, ...event }) => ({ ...event, id }));
    },
    async save({ id, ...event }) {
      await events.replaceOne({ _id: id }, { ...event, _id: id }, { upsert: true });
    },
    async remove(id) {
      await events.deleteOne({ _id: id });
    },
  };
}
