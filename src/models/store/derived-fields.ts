/** Fields that are computed from a document: the ids of its encryption keys, and the names of its secrets. */
import type { AlertTarget } from '../../contracts/alerts';
import type { Definition, SentStep, Variable } from '../../contracts/definition';
import { listReferencedSecrets } from '../../domain/secrets/secret-names';
import { readKeyId } from '../../platform/sealing';
import type { IndexDefinition } from './define-schema';

/** The computed fields. A field is absent if nothing is encrypted, or if there is no reference to a secret. */
export interface DerivedFields {
  readonly keyIds?: readonly string[];
  readonly secretNames?: readonly string[];
}

/** The default `undefined` prevents Mongoose from adding an empty list. */
export const keyIdField = { type: [String], default: undefined };
export const derivedFields = {
  keyIds: keyIdField,
  secretNames: { type: [String], default: undefined },
};

/** The index by key id. It contains only documents with the field. */
export const keyIdIndex: IndexDefinition = {
  key: { keyIds: 1 },
  partialFilterExpression: { keyIds: { $exists: true } },
};
export const secretNamesIndex: IndexDefinition = {
  key: { accountId: 1, secretNames: 1 },
  partialFilterExpression: { secretNames: { $exists: true } },
};

/** Returns the ids of the keys, without duplicates. */
export function readKeyIds(sealed: readonly string[]): readonly string[] {
  return [...new Set(sealed.map(readKeyId))];
}

/** Returns the ids of the keys that encrypted the secret variables. */
export function listVariableKeys(variables: Definition['variables']): readonly string[] {
  return readKeyIds(variables.filter(isSecret).map(({ value }) => value));
}

export function isSecret({ secret }: Variable): boolean {
  return secret === true;
}

/** The encrypted parts of a monitor or scenario. */
export interface SealedParts {
  readonly variables: Definition['variables'];
  readonly alertTargets: readonly AlertTarget[];
  /** The encrypted token of a heartbeat. */
  readonly pingSealed?: string;
}

/** Returns the ids of the keys that encrypted any of these parts. */
export function listKeyIds({
  variables,
  alertTargets,
  pingSealed,
}: SealedParts): readonly string[] {
  const ping = pingSealed === undefined ? [] : [pingSealed];
  const targets = readKeyIds([...alertTargets.map(({ sealed }) => sealed), ...ping]);
  return [...new Set([...listVariableKeys(variables), ...targets])];
}

/** Computes the derived fields of a monitor or scenario. */
export function deriveFields(parts: SealedParts, steps: readonly SentStep[]): DerivedFields {
  const keys = listKeyIds(parts);
  const secretNames = listReferencedSecrets(steps);
  return {
    ...(keys.length > 0 && { keyIds: keys }),
    ...(secretNames.length > 0 && { secretNames }),
  };
}
