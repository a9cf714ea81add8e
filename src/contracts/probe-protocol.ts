/** The internal endpoint between probes and the API: paths, headers and sealed bodies. */
import type { Definition, NamedValue, ResourceKind } from './definition';
import type { QuietReceipt, QuietResult } from './quiet-checks';

/** Beside the token: for which region the probe speaks, and which key it has. */
export const PROBE_REGION_HEADER = 'x-keepwatch-region';
export const PROBE_KEY_HEADER = 'x-keepwatch-probe-key';
export const PROBE_KEYS_PATH = '/internal/probe/keys';
export const PROBE_HELLO_PATH = '/internal/probe/hello';

/** A probe says hello this often; three missed ones make its region offline. */
export const PROBE_HELLO_EVERY_MS = 20_000;

export interface DefinitionReference {
  readonly accountId: string;
  readonly kind: ResourceKind;
  readonly id: string;
  readonly revision: number;
}

export function definitionPath({ accountId, kind, id, revision }: DefinitionReference): string {
  return `/internal/probe/definitions/${accountId}/${kind}/${id}/${revision}`;
}

/** What the API answers, inside the sealed body. */
export interface DefinitionResponse {
  /** Secret variables in clear. */
  readonly definition: Definition;
}

/** The keys of the probe's region, inside the sealed body: the first one writes, all of them read. */
export interface RegionKeysResponse {
  readonly keys: readonly string[];
}

/** Names that one request for secrets may hold. */
export const SECRET_NAMES_MAX = 40;

/** Path and query, for secrets that this definition names; names need no escaping. */
export function secretsPath(reference: DefinitionReference, names: readonly string[]): string {
  return `${definitionPath(reference)}/secrets?names=${names.join(',')}`;
}

/** A secret in clear, with the hosts that it may be sent to; absent: to any. */
export interface ProbeSecret extends NamedValue {
  readonly hosts?: readonly string[];
}

/** Those of the named secrets that exist; sealed for exactly the path that was asked. */
export interface SecretsResponse {
  readonly secrets: readonly ProbeSecret[];
}

export interface ProbeHello {
  readonly region: string;
  readonly identity: string;
  /** Since when the probe takes its own network for broken; null or absent: it does not. */
  readonly networkSuspectSinceMs?: number | null;
  /** The version that runs; absent from probes of before there was such a field. */
  readonly release?: string | undefined;
}

export const PROBE_RESULTS_PATH = '/internal/probe/results';

/** Bounds of one delivery; sealed it is a little longer. */
export const DELIVERY_RESULTS_MAX = 100;
export const DELIVERY_BYTES_MAX = 1024 * 1024;

/** Results of quiet checks, inside the sealed body. They may come more than once. */
export interface ResultDelivery {
  readonly region: string;
  readonly results: readonly QuietResult[];
}

/** One for each result, in their order, after all of them are stored; inside the sealed body. */
export interface DeliveryReceipts {
  readonly receipts: readonly QuietReceipt[];
}

/** What a delivery and its receipts are sealed for. */
export function deliveryContext(part: 'results' | 'receipts', region: string): string {
  return `${PROBE_RESULTS_PATH} ${part} ${region}`;
}
