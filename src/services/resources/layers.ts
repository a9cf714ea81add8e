/** Reads the environment and the account's variables. A definition inherits values from both. */
import type { Inherited } from '../../contracts/definitions/inherited';
import { isId } from '../../domain/definitions/ids';
import { type Inheritance, inherit, NOTHING_INHERITED } from '../../domain/definitions/inherit';
import type { Environment } from '../../models/environments/environments';
import type { Resource } from '../../models/resources/resource';
import { AppError, type FieldProblem } from '../../platform/errors';
import type { OpenReferences } from '../../schemas/issues';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores'>;

/** Finds an environment by key or id. null if the account has no such environment. */
export async function findEnvironment(
  { stores: { environments } }: Needs,
  accountId: string,
  reference: string,
): Promise<Environment | null> {
  const byId = isId('environment', reference)
    ? await environments.find(accountId, reference)
    : null;
  return byId ?? (await environments.findByKey(accountId, reference));
}

/** A definition that may inherit values from an environment. */
interface Inheriting {
  readonly accountId: string;
  /** The key or id of the environment. */
  readonly environment: string | null;
  readonly references: OpenReferences | undefined;
  /** The stored values. The definition keeps them if its environment was deleted. */
  readonly stored: Pick<Resource, 'environment' | 'inherited'> | null;
}

/** The environment and the inherited values of a resource. A field that is undefined replaces the stored value. */
export interface Completion {
  readonly environment?: string | undefined;
  readonly inherited?: Inherited | undefined;
}

const NO_REFERENCES: OpenReferences = { variables: [], secrets: [] };
const NOT_COMPLETED: Completion = { environment: undefined, inherited: undefined };

function unknownEnvironment(reference: string): FieldProblem {
  const message = `${reference} is not the key or id of an environment of this account`;
  return { path: 'environment', code: 'unknown_key', message };
}

/**
 * Returns the environment and the inherited values of a definition. Also returns a problem for an unknown environment
 * and for each undefined variable.
 */
export async function complete(
  needs: Needs,
  given: Inheriting,
): Promise<{ readonly completion: Completion; readonly problems: readonly FieldProblem[] }> {
  const { accountId, environment: reference, references = NO_REFERENCES, stored } = given;
  const isAlone = reference === null && references.variables.length === 0;
  if (isAlone) return { completion: NOT_COMPLETED, problems: [] };
  const found = reference === null ? null : await findEnvironment(needs, accountId, reference);
  const isKept = found === null && reference !== null && reference === stored?.environment;
  if (reference !== null && found === null && !isKept)
    return { completion: NOT_COMPLETED, problems: [unknownEnvironment(reference)] };
  const key = isKept ? reference : found?.key;
  const own = isKept ? stored?.inherited : found;
  const { inherited, missing } = await readInheritance(needs, accountId, {
    environment: own ?? null,
    references,
  });
  const isEmpty = inherited.variables.length + inherited.secrets.length === 0;
  const completion = { environment: key, inherited: isEmpty ? undefined : inherited };
  if (missing.length === 0) return { completion, problems: [] };
  const all = await needs.stores.environments.listAll(accountId);
  const problems = references.variables
    .filter(({ name }) => missing.includes(name))
    .map(({ path, name }) => ({
      path,
      code: 'unknown_variable',
      message: describeMissing(name, key, all),
    }));
  return { completion, problems };
}

export function refuseUnknownEnvironment(reference: string): never {
  const problem = unknownEnvironment(reference);
  throw new AppError('validation_failed', `environment ${problem.message}.`, { errors: [problem] });
}

interface Layered {
  readonly environment: Inherited | null;
  readonly references: OpenReferences;
}

/** Returns the values that the definition would inherit now. */
export async function readInheritance(
  { stores }: Needs,
  accountId: string,
  { environment, references: { variables, secrets } }: Layered,
): Promise<Inheritance> {
  const account = await stores.accountVariables.find(accountId);
  const ofAccount = { variables: account?.variables ?? [], secrets: [] };
  const layers = [environment ?? NOTHING_INHERITED, ofAccount];
  return inherit(layers, { variables: variables.map(({ name }) => name), secrets });
}

/**
 * Returns the message about an undefined variable. The message names the environment without the variable, and other
 * environments that define the variable.
 */
function describeMissing(
  name: string,
  key: string | undefined,
  all: readonly Environment[],
): string {
  const having = all
    .filter(({ variables }) => variables.some((one) => one.name === name))
    .map((one) => one.key)
    .toSorted();
  const lacking = key === undefined ? '' : `; the environment ${key} lacks it`;
  const others = having.length === 0 ? '' : `; environments that define it: ${having.join(', ')}`;
  return `uses {{${name}}}, which is not defined${lacking}${others}; for literal text, write {{'${name}'}}`;
}
