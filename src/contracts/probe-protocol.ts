/** The internal endpoint between probes and the API: paths, headers and sealed bodies. */
import type { Definition, NamedValue, ResourceKind } from './definition';

export const PROBE_REGION_HEADER = 'x-keepwatch-region';
export const PROBE_HELLO_PATH = '/internal/probe/hello';

/** A probe says hello this often; three missed ones make its region offline. */
export const PROBE_HELLO_EVERY_MS = 20_000;

export interface DefinitionReference {
  readonly accountId: string;
  readonly kind: ResourceKind;
  readonly id: string;
  readonly rev: number;
}

export function definitionPath({ accountId, kind, id, rev }: DefinitionReference): string {
  return `/internal/probe/definitions/${accountId}/${kind}/${id}/${rev}`;
}

/** What the API answers, inside the sealed body. */
export interface DefinitionAnswer {
  /** Secret variables in clear. */
  readonly definition: Definition;
}

/** Names that one request for secrets may hold. */
export const SECRET_NAMES_MAX = 40;

/** Path and query; names are such that they need no escaping. */
export function secretsPath(accountId: string, names: readonly string[]): string {
  return `/internal/probe/secrets/${accountId}?names=${names.join(',')}`;
}

/** A secret in clear, with the hosts that it may be sent to; absent: to any. */
export interface ProbeSecret extends NamedValue {
  readonly hosts?: readonly string[];
}

/** Those of the named secrets that exist; sealed for exactly the path that was asked. */
export interface SecretsAnswer {
  readonly secrets: readonly ProbeSecret[];
}

export interface ProbeHello {
  readonly region: string;
  readonly identity: string;
  /** Since when the probe takes its own network for broken; null or absent: it does not. */
  readonly networkSuspectSinceMs?: number | null;
}
