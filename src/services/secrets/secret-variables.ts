/**
 * Secret variables of monitors and scenarios. The database contains their encrypted values. Probes get the decrypted
 * values, and responses contain no values.
 */
import type { Definition, NamedValue, Variable } from '../../contracts/definition';
import { variableContext } from '../../contracts/seal-contexts';
import { AppError } from '../../platform/errors';
import { openOrNull, type TextSealer } from '../../platform/sealing';
import type { SentVariable } from '../../schemas/fields';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'sealers'>;

/** The resource to which the variables belong, with its stored variables. */
interface Owner {
  readonly accountId: string;
  readonly id: string;
  readonly variables?: readonly Variable[];
}

/** Fields that were composed from a body, with encrypted secret variables. */
export type Sealed<Fields> = Omit<Fields, 'variables'> & {
  readonly variables: readonly Variable[];
};

/**
 * Encrypts the values of secret variables. A variable without a value keeps its stored value. An unchanged value keeps
 * its encrypted text, so that it does not count as changed. Throws `validation_failed` for a variable without a new or
 * stored value.
 */
export function sealVariables<Fields extends { readonly variables: readonly SentVariable[] }>(
  { sealers }: Needs,
  owner: Owner,
  fields: Fields,
): Sealed<Fields> {
  const stored = new Map(owner.variables?.map((variable) => [variable.name, variable]));
  const sealed = fields.variables.map((sent): Variable | string => {
    const { name, value } = sent;
    if (!('secret' in sent)) return { name, value: value ?? '' };
    return sealOne(sealers.stored, sent, {
      context: variableContext(owner.accountId, owner.id, name),
      before: stored.get(name),
    });
  });
  refuseProblems(
    sealed
      .filter((entry) => typeof entry === 'string')
      .map((name) => ({
        path: `variables.${name}.value`,
        code: 'required',
        message: 'is required: no secret value is stored under this name',
      })),
  );
  return { ...fields, variables: sealed.filter((entry) => typeof entry !== 'string') };
}

interface SealingPlace {
  readonly context: string;
  readonly before: Variable | undefined;
}

/** Returns the variable in its stored form. Returns only its name if there is no value. */
function sealOne(
  sealer: TextSealer,
  { name, value }: SentVariable,
  { context, before }: SealingPlace,
): Variable | string {
  const kept = before?.secret === true ? before : undefined;
  if (value === null) return kept ?? name;
  const isSame = kept !== undefined && openOrNull(sealer, kept.value, context) === value;
  return isSame ? kept : { name, value: sealer.seal(value, context), secret: true };
}

/**
 * Returns the definition with all values in plain text, for probes. Throws `internal` for a value that cannot be
 * decrypted.
 */
export function openDefinition(
  { sealers }: Needs,
  accountId: string,
  definition: Definition,
): Definition {
  const variables = definition.variables.map((variable) => {
    if (variable.secret !== true) return variable;
    const context = variableContext(accountId, definition.id, variable.name);
    return { ...variable, value: openStored(sealers.stored, variable.value, context) };
  });
  return { ...definition, variables };
}

/**
 * Decrypts a value. Throws `internal` if the text was altered or belongs to another context, or if its encryption key
 * was removed.
 */
export function openStored(sealer: TextSealer, sealed: string, context: string): string {
  try {
    return sealer.open(sealed, context);
  } catch (cause) {
    const where = new Error(`the secret value of ${context} cannot be decrypted`, { cause });
    throw new AppError('internal', 'A stored secret cannot be read.', { cause: where });
  }
}

/** A variable as /v1 returns it. */
type VariableResponse = string | { readonly secret: true };

/** Returns a map of names to values. For secret variables, the map shows only that they are secret. */
export function presentVariables(
  variables: readonly Variable[],
): Readonly<Record<string, VariableResponse>> {
  return Object.fromEntries(
    variables.map(({ name, value, secret }) => [name, secret === true ? { secret } : value]),
  );
}

/** Returns the variables that are not secret. */
export function listPlainVariables(
  variables: readonly (Variable | SentVariable)[],
): readonly NamedValue[] {
  return variables.flatMap(({ name, value, ...rest }) =>
    'secret' in rest && rest.secret === true ? [] : [{ name, value: value ?? '' }],
  );
}
