/** The internal endpoint between probes and the API: paths, headers and sealed bodies. */
import type { Definition, NamedValue, ResourceKind } from './definition';
import type { OpenedWatch, WatchedResult, WatchOpening, WatchReceipt } from './watches';

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

/** Results of watches, inside the sealed body. They may come more than once. */
export interface ResultDelivery {
  readonly region: string;
  /** Of the probe process that measured them. */
  readonly instance: string;
  readonly results: readonly WatchedResult[];
}

/** One for each result, in their order, after all of them are stored; inside the sealed body. */
export interface DeliveryReceipts {
  readonly receipts: readonly WatchReceipt[];
  /** The API's clock, by which probes keep the grid. */
  readonly nowMs: number;
}

/** Opens watches: a sealed WatchOpenings, answered by a sealed OpenedWatches. May be repeated. */
export const PROBE_WATCHES_PATH = '/internal/probe/watches';
export const WATCHES_OPENED_MAX = 200;

export interface WatchOpenings {
  readonly region: string;
  readonly instance: string;
  readonly watches: readonly WatchOpening[];
}

/** One for each watch, in their order. */
export interface OpenedWatches {
  readonly watches: readonly OpenedWatch[];
  readonly nowMs: number;
}

/** A probe that has watches says so this often: JSON ProbeAlive, answered by 204. */
export const PROBE_ALIVE_PATH = '/internal/probe/alive';
export const PROBE_ALIVE_EVERY_MS = 2_000;
/** A probe that was not heard for so long, while the API could hear it, is lost: its watches are handed over. */
export const PROBE_LOST_AFTER_MS = 6_000;

export interface ProbeAlive {
  readonly region: string;
  readonly instance: string;
}

/** What bodies of the two sealed exchanges are sealed for. */
export type SealedPart = 'results' | 'receipts' | 'openings' | 'opened';

export function deliveryContext(part: SealedPart, region: string): string {
  return `${PROBE_RESULTS_PATH} ${part} ${region}`;
}
