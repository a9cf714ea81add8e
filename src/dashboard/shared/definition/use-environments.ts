/**
 * Reads the environments of the account, and the names of the variables that a definition gets from its environment and
 * account.
 */
import type { AccountVariables, Environment, Page } from '../data/api-types';
import { useRead } from '../data/queries';

export interface EnvironmentOption {
  readonly value: string;
  readonly label: string;
}

function useEnvironments(): readonly Environment[] {
  return useRead<Page<Environment>>('/v1/environments?limit=100').data?.data ?? [];
}

/** Lists the environments, which are chosen by key. The chosen one is always in the list. */
export function useEnvironmentOptions(chosen: string | null): readonly EnvironmentOption[] {
  const known = useEnvironments().map(({ key, name }) => ({ value: key, label: name }));
  const isKnown = chosen === null || known.some(({ value }) => value === chosen);
  return isKnown ? known : [...known, { value: chosen, label: chosen }];
}

/** Returns the names of the variables of the environment and of the account. Empty until they are read. */
export function useInheritedNames(environment: string | null): readonly string[] {
  const environments = useEnvironments();
  const { data } = useRead<AccountVariables>('/v1/variables');
  const chosen = environments.find(({ key }) => key === environment);
  const names = [...Object.keys(data?.variables ?? {}), ...Object.keys(chosen?.variables ?? {})];
  return [...new Set(names)].toSorted();
}
