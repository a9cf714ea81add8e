/** Authenticator apps of people, at most one per person, and recovery codes. */
import type { Model } from 'mongoose';
import { readKeyId } from '../../platform/sealing';
import { defineCollection } from '../store/define-schema';
import { below } from '../store/filters';

export interface CodeApp {
  readonly personId: string;
  /** The secret that the app shares with the service, encrypted for this person. */
  readonly sealed: string;
  readonly createdAtMs: number;
  /** The time step of the last accepted code. */
  readonly lastStep: number;
}

export interface CodeAppStore {
  readonly find: (personId: string) => Promise<CodeApp | null>;
  /** Stores the app. Replaces an earlier app of the person. */
  readonly save: (app: CodeApp) => Promise<void>;
  /**
   * Accepts a time step only once. Resolves to false if this step or a later one was accepted before, or if the person
   * has no app.
   */
  readonly takeStep: (personId: string, step: number) => Promise<boolean>;
  /** Removes the app. Resolves to false if the person has none. */
  readonly remove: (personId: string) => Promise<boolean>;
}

export type CodeAppDocument = Omit<CodeApp, 'personId'> & {
  /** The id of the person. */
  readonly _id: string;
  /** Id of the key that encrypted the secret. */
  readonly keyIds: readonly string[];
};

export const codeAppCollection = defineCollection<CodeAppDocument>(
  'codeApps',
  { sealed: String, keyIds: [String], createdAtMs: Number, lastStep: Number },
  { indexes: [{ key: { keyIds: 1 } }] },
);

export function createCodeAppStore(apps: Model<CodeAppDocument>): CodeAppStore {
  return {
    async find(personId) {
      const found = await apps.findOne({ _id: personId }).lean();
      if (found === null) return null;
      const { sealed, createdAtMs, lastStep } = found;
      return { personId, sealed, createdAtMs, lastStep };
    },
    async save({ personId, ...app }) {
      const keyIds = [readKeyId(app.sealed)];
      await apps.updateOne({ _id: personId }, { $set: { ...app, keyIds } }, { upsert: true });
    },
    async takeStep(personId, step) {
      const outcome = await apps.updateOne(
        { _id: personId, lastStep: below(step) },
        { $set: { lastStep: step } },
      );
      return outcome.matchedCount === 1;
    },
    async remove(personId) {
      return (await apps.deleteOne({ _id: personId })).deletedCount === 1;
    },
  };
}

export interface RecoveryCodeStore {
  /** Replaces all codes of the person. */
  readonly replace: (personId: string, hashes: readonly string[]) => Promise<void>;
  readonly count: (personId: string) => Promise<number>;
  /** Uses up a code. Resolves to true once per code. */
  readonly use: (personId: string, hash: string) => Promise<boolean>;
}

export interface RecoveryCodeDocument {
  /** SHA-256 of the code, in hex. */
  readonly _id: string;
  readonly personId: string;
}

export const recoveryCodeCollection = defineCollection<RecoveryCodeDocument>(
  'recoveryCodes',
  { personId: String },
  { indexes: [{ key: { personId: 1 } }] },
);

export function createRecoveryCodeStore(codes: Model<RecoveryCodeDocument>): RecoveryCodeStore {
  return {
    async replace(personId, hashes) {
      await codes.deleteMany({ personId });
      if (hashes.length > 0) await codes.create(hashes.map((_id) => ({ _id, personId })));
    },
    async count(personId) {
      return codes.countDocuments({ personId });
    },
    async use(personId, hash) {
      return (await codes.deleteOne({ _id: hash, personId })).deletedCount === 1;
    },
  };
}
