/** What goes wrong with the service itself, until its end was told; a handful of documents. */
import type { Model } from 'mongoose';
import type { OperatorEventRow, OperatorEventStore } from '../../services/ports/operator-store';
import { defineCollection } from '../store/define-schema';

export type OperatorEventDocument = Omit<OperatorEventRow, 'id'> & { readonly _id: string };

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
