/** The internal endpoint between probes and the API: paths, headers and sealed bodies. */
import type { Definition, ResourceKind } from './definition';

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
  readonly definition: Definition;
}

export interface ProbeHello {
  readonly region: string;
  readonly identity: string;
}
