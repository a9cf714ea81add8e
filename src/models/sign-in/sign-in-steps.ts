/** Unfinished steps of sign-ins. Each step can be used once. Only the hash of its token is stored. */
import type { Model } from 'mongoose';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { above } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';

/**
 * `provider`: the person is at an identity provider. `second_factor`: the first factor was verified. `passkey`,
 * `new_passkey`: a challenge for an authenticator. `new_app`: an authenticator app whose first code has not been
 * entered. `owner_link`: a link with which an owner signs in. `logout_token`: a token that was accepted once.
 */
export type SignInStepKind =
  | 'provider'
  | 'second_factor'
  | 'passkey'
  | 'new_passkey'
  | 'new_app'
  | 'owner_link'
  | 'logout_token';

export interface SignInStep {
  /** SHA-256 of the value that must be presented for this step, in hex. */
  readonly hash: string;
  readonly kind: SignInStepKind;
  /** The person. null means that the person is not known yet. */
  readonly personId: string | null;
  readonly detail: Readonly<Record<string, string | null>>;
  readonly expiresAtMs: number;
}

/** Stores the steps. They belong to no account, because the person is not signed in yet. */
export interface SignInStepStore {
  /** Stores the step. Resolves to false if there is already a step with this hash. */
  readonly create: (step: SignInStep) => Promise<boolean>;
  /** Returns the step, unless it has expired. */
  readonly find: (kind: SignInStepKind, hash: string, nowMs: number) => Promise<SignInStep | null>;
  /** Like find, but also removes the step. Exactly one of several parallel callers gets the step. */
  readonly take: (kind: SignInStepKind, hash: string, nowMs: number) => Promise<SignInStep | null>;
  readonly removeForPerson: (personId: string) => Promise<void>;
}

export interface SignInStepDocument {
  readonly _id: string;
  readonly kind: SignInStepKind;
  readonly personId: string | null;
  readonly detail: string;
  readonly expiresAtMs: number;
}

export const signInStepCollection = defineCollection<SignInStepDocument>(
  'signInSteps',
  { kind: String, personId: String, detail: String, expiresAtMs: Number },
  { indexes: [{ key: { expiresAtMs: 1 } }, { key: { personId: 1 } }] },
);

export function createSignInStepStore(steps: Model<SignInStepDocument>): SignInStepStore {
  return {
    async create({ hash, detail, ...step }) {
      const document = { ...step, _id: hash, detail: toJsonText(detail) };
      return writeUnlessPresent(() => steps.create([document]));
    },
    find: (kind, hash, nowMs) =>
      readOne(steps.findOne({ _id: hash, kind, expiresAtMs: above(nowMs) }).lean(), fromDocument),
    take: (kind, hash, nowMs) =>
      readOne(
        steps.findOneAndDelete({ _id: hash, kind, expiresAtMs: above(nowMs) }).lean(),
        fromDocument,
      ),
    async removeForPerson(personId) {
      await steps.deleteMany({ personId });
    },
  };
}

function fromDocument({ _id, detail, ...step }: SignInStepDocument): SignInStep {
  return { ...step, hash: _id, detail: fromJsonText<SignInStep['detail']>(detail) };
}
