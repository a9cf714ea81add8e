/**
 * Adds values of the environment and the account to a definition. If a name is defined several times, the definition's
 * own variable counts first, then the environment's value, and then the account's. Pure.
 */
import type { SentStep, Variable } from '../../contracts/definition';
import type { Inherited, SecretAlias } from '../../contracts/definitions/inherited';
import { isRecord } from '../../contracts/json';
import { renameSecrets } from '../templates/template';

export const NOTHING_INHERITED: Inherited = { variables: [], secrets: [] };

/** The names that a definition uses but does not define. */
export interface WantedNames {
  readonly variables: readonly string[];
  readonly secrets: readonly string[];
}

export interface Inheritance {
  readonly inherited: Inherited;
  /** Variables without a value, each once. */
  readonly missing: readonly string[];
}

/**
 * Returns the value of each wanted name, sorted by name. If several layers have the name, the first of these layers
 * provides the value. A secret without an alias is the account's secret of that name.
 */
export function inherit(layers: readonly Inherited[], wanted: WantedNames): Inheritance {
  const names = sortNames(wanted.variables);
  const variables = names.flatMap((name) => {
    const found = findFirst(layers, (layer) => layer.variables.find((one) => one.name === name));
    return found === undefined ? [] : [{ name, value: found.value }];
  });
  const secrets = sortNames(wanted.secrets).flatMap((alias) => {
    const found = findFirst(layers, (layer) => layer.secrets.find((one) => one.alias === alias));
    return found === undefined ? [] : [{ alias, name: found.name }];
  });
  const known = new Set(variables.map(({ name }) => name));
  return { inherited: { variables, secrets }, missing: names.filter((name) => !known.has(name)) };
}

function sortNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

function findFirst<Found>(
  layers: readonly Inherited[],
  find: (layer: Inherited) => Found | undefined,
): Found | undefined {
  return layers.map(find).find((found) => found !== undefined);
}

/** The variables of a resource, and the values that it inherits. */
interface Inheriting<Own> {
  readonly variables: readonly Own[];
  readonly inherited?: Inherited | undefined;
}

/** Returns the resource's own variables, and inherited variables with other names. */
export function listEffectiveVariables<Own extends Pick<Variable, 'name'>>({
  variables,
  inherited,
}: Inheriting<Own>): readonly (Own | Variable)[] {
  if (inherited === undefined || inherited.variables.length === 0) return variables;
  const own = new Set(variables.map(({ name }) => name));
  return [...variables, ...inherited.variables.filter(({ name }) => !own.has(name))];
}

/** Replaces each alias in `{{secret:alias}}` and `{{$totp:alias}}` with the name of its secret. */
export function withSecretNames<Step extends SentStep>(
  steps: readonly Step[],
  secrets: readonly SecretAlias[] = [],
): readonly Step[] {
  if (secrets.length === 0) return steps;
  const names = new Map(secrets.map(({ alias, name }) => [alias, name]));
  return steps.map((step) => ({ ...renameIn(step, names), name: step.name }));
}

function renameIn<Value>(value: Value, names: ReadonlyMap<string, string>): Value;
function renameIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renameSecrets(value, names);
  if (Array.isArray(value)) return value.map((child: unknown) => renameIn(child, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, renameIn(child, names)]),
  );
}
