/** The draft of an environment in its form: rows for variables and for names of secrets. Pure. */
import type { Environment } from '../../../shared/data/api-types';
import { type HeaderRow, newHeaderRow, readRows, toRecord } from '../../../shared/form/rows/rows';

export interface EnvironmentDraft {
  readonly key: string;
  readonly name: string;
  readonly variables: readonly HeaderRow[];
  /** Maps the names of secrets in definitions to the names of stored secrets. */
  readonly secrets: readonly HeaderRow[];
}

export function createDraft(environment: Environment | null): EnvironmentDraft {
  if (environment === null) return { key: '', name: '', variables: [newHeaderRow()], secrets: [] };
  const { key, name, variables, secrets } = environment;
  return { key, name, variables: readRows(variables), secrets: readRows(secrets) };
}

export function buildBody({ key, name, variables, secrets }: EnvironmentDraft) {
  return { key, name, variables: toRecord(variables), secrets: toRecord(secrets) };
}
