/** The progress of escalations. An older state never replaces a newer one. */
import type { Model } from 'mongoose';
import type { EscalationRecord } from '../../contracts/escalation';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { below } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';

export interface EscalationStore {
  /** Stores the record, unless the stored state is as new or newer. */
  readonly save: (accountId: string, record: EscalationRecord) => Promise<void>;
  readonly find: (accountId: string, incidentId: string) => Promise<EscalationRecord | null>;
}

export interface EscalationDocument {
  /** Id of the incident. */
  readonly _id: string;
  readonly accountId: string;
  readonly resourceId: string;
  readonly sequence: number;
  readonly isOver: boolean;
  /** EscalationRecord.state as JSON text. */
  readonly state: string;
}

export const escalationCollection = defineCollection<EscalationDocument>(
  'escalations',
  { accountId: String, resourceId: String, sequence: Number, isOver: Boolean, state: String },
  {
    indexes: [
      { key: { accountId: 1, resourceId: 1 } },
      { key: { isOver: 1, _id: 1 }, partialFilterExpression: { isOver: false } },
    ],
  },
);

export function createEscalationStore(escalations: Model<EscalationDocument>): EscalationStore {
  return {
    async save(accountId, { incidentId, state }) {
      const { sequence = 0, isOver, alert } = state;
      const { resourceId } = alert;
      const own = { _id: incidentId, accountId };
      const document = { ...own, resourceId, sequence, isOver, state: toJsonText(state) };
      const older = { ...own, sequence: below(sequence) };
      await writeUnlessPresent(() => escalations.replaceOne(older, document, { upsert: true }));
    },
    find: (accountId, incidentId) =>
      readOne(
        escalations.findOne({ _id: incidentId, accountId }).lean<EscalationDocument>(),
        toEscalationRecord,
      ),
  };
}

export function toEscalationRecord({
  _id,
  accountId,
  state,
}: EscalationDocument): EscalationRecord {
  return { incidentId: _id, accountId, state: fromJsonText(state) };
}
