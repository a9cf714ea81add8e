/** The internal protocol between probes and the API: paths, headers and encrypted bodies. */
import type { Definition, NamedValue, ResourceKind } from './definition';
import type { MovedGrid, OpenedWatch, WatchedResult, WatchOpening, WatchReceipt } from './watches';

/** Headers that are sent with the token. They name the region and the key of the probe. */
export const PROBE_REGION_HEADER = 'x-keepwatch-region';
export const PROBE_KEY_HEADER = 'x-keepwatch-probe-key';
export const PROBE_KEYS_PATH = '/internal/probe/keys';
export const PROBE_HELLO_PATH = '/internal/probe/hello';

/** How often a probe reports to the API (a hello). A probe whose last three hellos are missing counts as offline. */
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

/** The API's response to a request for a definition, before encryption. */
export interface DefinitionResponse {
  /** The definition with secret variables in plain text. */
  readonly definition: Definition;
}

/** The keys of the probe's region, before the response is encrypted. The first key encrypts. All keys decrypt. */
export interface RegionKeysResponse {
  readonly keys: readonly string[];
}

/** How many names one request for secrets may contain. */
export const SECRET_NAMES_MAX = 40;

export function secretsPath(reference: DefinitionReference, names: readonly string[]): string {
  return `${definitionPath(reference)}/secrets?names=${names.join(',')}`;
}

/** A secret in plain text, with the hosts that may receive it. If the hosts are absent, any host may. */
export interface ProbeSecret extends NamedValue {
  readonly hosts?: readonly string[];
}

/** The requested secrets that exist. The response is encrypted for exactly the requested path. */
export interface SecretsResponse {
  readonly secrets: readonly ProbeSecret[];
}

export interface ProbeHello {
  readonly region: string;
  readonly identity: string;
  /** When the probe began to consider its own network broken. null or absent means that the network works. */
  readonly networkSuspectSinceMs?: number | null;
  /** The version of the probe. Absent from probes that are older than this field. */
  readonly release?: string | undefined;
}

export const PROBE_RESULTS_PATH = '/internal/probe/results';

/** Limits of one delivery, before encryption. */
export const DELIVERY_RESULTS_MAX = 100;
export const DELIVERY_BYTES_MAX = 1024 * 1024;

/** The results of watches in one delivery, before it is encrypted. A delivery may arrive more than once. */
export interface ResultDelivery {
  readonly region: string;
  /** The id of the probe process that measured the results. */
  readonly instance: string;
  readonly results: readonly WatchedResult[];
}

/** One receipt per result, in the order of the results. Sent after all results are stored. */
export interface DeliveryReceipts {
  readonly receipts: readonly WatchReceipt[];
  /** The API's time, from which probes compute the slots. */
  readonly nowMs: number;
}

/**
 * The path on which a probe opens watches: it reports which watches it runs. The request is an encrypted WatchOpenings.
 * The response is an encrypted OpenedWatches. A probe may repeat the request.
 */
export const PROBE_WATCHES_PATH = '/internal/probe/watches';
export const WATCHES_OPENED_MAX = 200;

export interface WatchOpenings {
  readonly region: string;
  readonly instance: string;
  readonly watches: readonly WatchOpening[];
}

/** One entry per watch, in the order of the request. */
export interface OpenedWatches {
  readonly watches: readonly OpenedWatch[];
  readonly nowMs: number;
}

/**
 * The path on which a probe reports that it is alive, and how often it reports. If `changedSince` is given, the
 * response is an encrypted AliveResponse. Otherwise the response is 204.
 */
export const PROBE_ALIVE_PATH = '/internal/probe/alive';
export const PROBE_ALIVE_EVERY_MS = 2_000;
/** A probe that has not reported for this long is lost, and its watches are handed over. */
export const PROBE_LOST_AFTER_MS = 6_000;

export interface ProbeAlive {
  readonly region: string;
  readonly instance: string;
}

/** Returns the path with the cursor of the last AliveResponse. The first request has the cursor 0. */
export function alivePath(changedSinceMs: number): string {
  return `${PROBE_ALIVE_PATH}?changedSince=${changedSinceMs}`;
}

/** The changes since the cursor. A change may be sent more than once. */
export interface AliveResponse {
  readonly moved: readonly MovedGrid[];
  /** The cursor of the next request. */
  readonly changedSinceMs: number;
}

/** The types of encrypted bodies: results and receipts, openings and opened watches, and moved grids. */
export type SealedPart = 'results' | 'receipts' | 'openings' | 'opened' | 'moved';

export function deliveryContext(part: SealedPart, region: string): string {
  return `${PROBE_RESULTS_PATH} ${part} ${region}`;
}
