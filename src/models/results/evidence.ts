/**
 * Stores evidence (requests and responses) of passed results: the last pass per resource and region, and the last pass
 * before each failure. An earlier pass never replaces a later pass. The evidence of a failure itself is part of its
 * result.
 */
import type { Model } from 'mongoose';
import type { Evidence } from '../../domain/health/evidence';
import { buildFirstResultId } from '../../domain/health/result-id';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { atMost, between, matchAny } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { toRawCollection } from '../store/raw-collection';

/** The evidence of each step, in order. null for a step without evidence. */
export type StepEvidence = readonly (Evidence | null)[];

export interface EvidenceQuery {
  readonly resourceId: string;
  readonly region: string;
  /** The id of the result or run that the evidence must belong to. */
  readonly resultId: string;
}

export interface EvidenceStore {
  /**
   * Returns the evidence. null if it is not stored, for example because a later result has passed without a failure in
   * between.
   */
  readonly find: (accountId: string, query: EvidenceQuery) => Promise<StepEvidence | null>;
}

/** The evidence of a passed result. */
export interface EvidenceRecord extends EvidenceQuery {
  readonly accountId: string;
  /** The slot of the result, or the end of the run. */
  readonly atMs: number;
  readonly steps: StepEvidence;
}

export interface EvidenceDocument {
  /** `<resource id>:<region>` */
  readonly _id: string;
  /** The account. */
  readonly a: string;
  /** The result or run. */
  readonly r: string;
  readonly at: number;
  /** The evidence of the steps as JSON text. */
  readonly e: string;
  /** Present if a failure followed, so that a copy of the evidence is kept. */
  readonly k?: true;
}

interface EvidenceModels {
  readonly evidence: Model<EvidenceDocument>;
  readonly evidenceBefore: Model<EvidenceDocument>;
}

export const evidenceCollection = defineCollection<EvidenceDocument>(
  'evidence',
  { a: String, r: String, at: Number, e: String, k: Boolean },
  { indexes: [] },
);

/** Evidence of the last pass before a failure. Ids have the form of result ids, and documents expire like results. */
export const evidenceBeforeCollection = defineCollection<EvidenceDocument>(
  'evidence_before_failures',
  { a: String, r: String, at: Number, e: String },
  { indexes: [] },
);

export function createEvidenceStore({ evidence, evidenceBefore }: EvidenceModels): EvidenceStore {
  return {
    async find(accountId, query) {
      const id = evidenceId(query);
      const owned = { a: accountId, r: query.resultId };
      const found =
        (await evidence.findOne({ ...owned, _id: id }).lean<EvidenceDocument>()) ??
        (await evidenceBefore
          .findOne({ ...owned, _id: between(`${id}:`, `${id};`) })
          .lean<EvidenceDocument>());
      return found === null ? null : fromJsonText<StepEvidence>(found.e);
    },
  };
}

/** Stores each record, unless a later record is stored. */
export async function saveEvidence(
  evidence: Model<EvidenceDocument>,
  records: readonly EvidenceRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const writes = records.map((record) => ({
    updateOne: {
      filter: { _id: evidenceId(record), a: record.accountId, at: atMost(record.atMs) },
      update: {
        $set: { r: record.resultId, at: record.atMs, e: toJsonText(record.steps) },
        $unset: { k: '' as const },
      },
      upsert: true,
    },
  }));
  // If the stored record is later, the upsert fails with a duplicate id, which is ignored.
  await writeUnlessPresent(() => toRawCollection(evidence).bulkWrite(writes, { ordered: false }));
}

/** The resource, region and time of a failed check. */
export type FailedAt = Pick<EvidenceRecord, 'accountId' | 'resourceId' | 'region' | 'atMs'>;

/** Keeps the evidence of the last pass before each failure. Consecutive failures share one copy. Idempotent. */
export async function keepEvidenceBefore(
  { evidence, evidenceBefore }: EvidenceModels,
  failures: readonly FailedAt[],
): Promise<void> {
  if (failures.length === 0) return;
  const failedAt = new Map(failures.map((failure) => [evidenceId(failure), failure]));
  const held = await evidence
    .find({ _id: matchAny([...failedAt.keys()]), k: null })
    .lean<EvidenceDocument[]>();
  const kept = held.flatMap((document) => {
    const failure = failedAt.get(document._id);
    const isBefore = failure?.accountId === document.a && document.at < failure.atMs;
    if (!isBefore) return [];
    const id = buildFirstResultId(failure.resourceId, failure.region, document.at);
    return [{ document, copy: { ...document, _id: id } }];
  });
  if (kept.length === 0) return;
  const copies = kept.map(({ copy }) => copy);
  await writeUnlessPresent(() => evidenceBefore.insertMany(copies, { ordered: false, lean: true }));
  const marks = kept.map(({ document: { _id, r } }) => ({
    updateOne: { filter: { _id, r }, update: { $set: { k: true as const } } },
  }));
  await evidence.bulkWrite(marks, { ordered: false });
}

function evidenceId({ resourceId, region }: Pick<EvidenceQuery, 'resourceId' | 'region'>): string {
  return `${resourceId}:${region}`;
}
