/** What goes wrong with the service itself, until its end was told; a handful of documents. */
import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';

export const OPERATOR_EVENT_KINDS = ['region_offline', 'network_suspect', 'service_blind'] as const;

export type OperatorEventKind = (typeof OPERATOR_EVENT_KINDS)[number];

export interface OperatorEvent {
  /** `<kind>:<subject>`; there is one of each at a time. */
  readonly id: string;
  readonly kind: OperatorEventKind;
  /** A region, or nothing for the service as a whole. */
  readonly subject: string;
  readonly sinceMs: number;
  /** Looks in a row that found it so. */
  readonly notices: number;
  readonly noticedAtMs: number;
  /** null: it goes on. */
  readonly endedAtMs: number | null;
  /** That it began stands in the log; its end is told only then. */
  readonly isLogged: boolean;
  /** That it began was told by mail, where there is a way to. */
  readonly isMailed: boolean;
  readonly isEndLogged: boolean;
}

/** Of the whole service; it belongs to no account. */
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
