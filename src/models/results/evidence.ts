/**
 * The evidence of the last passing result of each monitor or scenario and region: replaced as later ones
 * come, never by an earlier one. Failures keep theirs in the result itself.
 */
import type { Model } from 'mongoose';
import type { Evidence } from '../../domain/health/evidence';
import { isDuplicatesOnly } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { atMost } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';

/** Of each step, in order; null where a step has none. */
export type StepEvidence = readonly (Evidence | null)[];

export interface EvidenceQuery {
  readonly resourceId: string;
  readonly region: string;
  /** Of the result or run that it must belong to. */
  readonly resultId: string;
}

export interface EvidenceStore {
  /** null when a later result has passed since. */
  readonly find: (accountId: string, query: EvidenceQuery) => Promise<StepEvidence | null>;
}

/** What a passing result leaves. */
export interface EvidenceRecord extends EvidenceQuery {
  readonly accountId: string;
  /** Results are ordered by it: the slot, or the end of the run. */
  readonly atMs: number;
  readonly steps: StepEvidence;
}

export interface EvidenceDocument {
  /** `<resource id>:<region>` */
  readonly _id: string;
  /** Account. */
  readonly a: string;
  /** Result or run. */
  readonly r: string;
  readonly at: number;
  /** The evidence of the steps as JSON text. */
  readonly e: string;
}

export const evidenceCollection = defineCollection<EvidenceDocument>(
  'evidence',
  { a: String, r: String, at: Number, e: String },
  { indexes: [] },
);

export function createEvidenceStore(evidence: Model<EvidenceDocument>): EvidenceStore {
  return {
    async find(accountId, query) {
      const owned = { _id: evidenceId(query), a: accountId, r: query.resultId };
      const found = await evidence.findOne(owned).lean<EvidenceDocument>();
      return found === null ? null : fromJsonText<StepEvidence>(found.e);
    },
  };
}

/** Stores what is later than what is stored; the rest changes nothing. */
export async function saveEvidence(
  evidence: Model<EvidenceDocument>,
  records: readonly EvidenceRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const writes = records.map((record) => ({
    updateOne: {
      filter: { _id: evidenceId(record), a: record.accountId, at: atMost(record.atMs) },
      update: { $set: { r: record.resultId, at: record.atMs, e: toJsonText(record.steps) } },
      upsert: true,
    },
  }));
  try {
    await evidence.bulkWrite(writes, { ordered: false });
  } catch (error) {
    // The upsert finds the id taken: what is stored is later.
    if (!isDuplicatesOnly(error)) throw error;
  }
}

function evidenceId({ resourceId, region }: Pick<EvidenceQuery, 'resourceId' | 'region'>): string {
  return `${resourceId}:${region}`;
}
