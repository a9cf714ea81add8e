/**
 * A probe's HTTP client for the internal API. It sends the probe's token and decrypts the responses. It does not cache
 * or retry.
 */
import { Agent, request } from 'undici';
import type { Definition } from '../contracts/definition';
import type { ProbeKey } from '../contracts/probe-key';
import {
  type AliveResponse,
  alivePath,
  type DefinitionReference,
  type DefinitionResponse,
  PROBE_HELLO_PATH,
  PROBE_KEY_HEADER,
  PROBE_KEYS_PATH,
  PROBE_REGION_HEADER,
  PROBE_RESULTS_PATH,
  PROBE_WATCHES_PATH,
  type ProbeAlive,
  type ProbeHello,
  type ProbeSecret,
  type RegionKeysResponse,
  type ResultDelivery,
  type SecretsResponse,
  secretsPath,
  type WatchOpenings,
} from '../contracts/probe-protocol';
import type { OpenedWatch, WatchedResult, WatchOpening, WatchReceipt } from '../contracts/watches';
import { createBoundedQueue } from '../platform/bounded-queue';
import { createSealer, deriveProbeToken } from '../platform/sealing';
import { createDeliverySeal } from './delivery-seal';
import type { ApiClock } from './watches/api-clock';

const RESPONSE_DEADLINE_MS = 2_000;
/**
 * Limit of concurrent reads per region. After a restart, hundreds of checks read their definitions at once. Without the
 * limit, many of these reads would time out.
 */
const READS_AT_ONCE = 8;
/**
 * Maximum number of waiting reads. It is enough for all checks that start at the same moment. Further reads fail at
 * once.
 */
const READS_WAITING_MAX = 2_000;
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
const SEALED = 'application/octet-stream';
/** Time limit of a POST. It is longer than the timeout with which the API itself calls the database. */
const POST_DEADLINE_MS = 4_000;

export interface InternalApiOptions {
  readonly apiUrl: string;
  readonly key: ProbeKey;
  /** The id of this process. */
  readonly instance: string;
  /** Is given the API's time from each response. */
  readonly clock: Pick<ApiClock, 'note'>;
  /** Called when the API refuses a request because the key was revoked. The key cannot be used again. */
  readonly onRevoked: () => void;
}

export interface InternalApiClient {
  /** Fetches one revision of a definition. null means that it does not exist. Throws if the API is unavailable. */
  readonly fetchDefinition: (path: string) => Promise<Definition | null>;
  /**
   * Fetches those of the named secrets that exist. `names` must be used in the definition, and may contain at most
   * SECRET_NAMES_MAX names.
   */
  readonly fetchSecrets: (
    reference: DefinitionReference,
    names: readonly string[],
  ) => Promise<readonly ProbeSecret[]>;
  /** The keys of the region. The first key encrypts. */
  readonly fetchKeys: () => Promise<readonly string[]>;
  readonly sayHello: (hello: ProbeHello) => Promise<void>;
  /** Reports the watches of this probe. Returns the API's data about each watch. Throws if the API does not respond. */
  readonly openWatches: (watches: readonly WatchOpening[]) => Promise<readonly OpenedWatch[]>;
  /**
   * Delivers the results. Returns one receipt per result after the API has stored all results. Throws if the API does
   * not confirm that it stored them.
   */
  readonly deliverResults: (results: readonly WatchedResult[]) => Promise<readonly WatchReceipt[]>;
  /**
   * Reports that this process is alive. Without these reports, the API gives its watches to another probe. Returns the
   * slot grids that have changed since `changedSinceMs`. null means that the API is of an earlier release.
   */
  readonly sayAlive: (changedSinceMs: number) => Promise<AliveResponse | null>;
  readonly close: () => Promise<void>;
}

export function createInternalApiClient(options: InternalApiOptions): InternalApiClient {
  const { fetchSealed, post, close } = createChannel(options);

  async function fetchDefinition(path: string): Promise<Definition | null> {
    const opened = await fetchSealed(path);
    if (opened === null) return null;
    if (!isDefinitionResponse(opened)) throw notUnderstood();
    return opened.definition;
  }

  async function fetchSecrets(
    reference: DefinitionReference,
    names: readonly string[],
  ): Promise<readonly ProbeSecret[]> {
    const opened = await fetchSealed(secretsPath(reference, names));
    if (opened === null) throw new Error('the API has no such definition in this region');
    if (!isSecretsResponse(opened)) throw notUnderstood();
    return opened.secrets;
  }

  async function fetchKeys(): Promise<readonly string[]> {
    const opened = await fetchSealed(PROBE_KEYS_PATH);
    if (!isKeysResponse(opened)) throw notUnderstood();
    return opened.keys;
  }

  const sayHello = async (hello: ProbeHello): Promise<void> =>
    void (await post(PROBE_HELLO_PATH, 'application/json', JSON.stringify(hello)));

  const watchCalls = createWatchCalls(options, post);

  return { fetchDefinition, fetchSecrets, fetchKeys, sayHello, ...watchCalls, close };
}

type Post = (path: string, type: string, body: string | Buffer) => Promise<Buffer>;

/** Creates the calls about watches. Requests and responses are encrypted, and responses contain the API's time. */
function createWatchCalls({ key, instance, clock }: InternalApiOptions, post: Post) {
  const { region, secret } = key;
  const deliveries = createDeliverySeal(secret, region);

  async function openWatches(watches: readonly WatchOpening[]): Promise<readonly OpenedWatch[]> {
    const body: WatchOpenings = { region, instance, watches };
    const sent = await post(PROBE_WATCHES_PATH, SEALED, deliveries.seal('openings', body));
    const opened = deliveries.openOpened(sent, watches.length);
    clock.note(opened.nowMs);
    return opened.watches;
  }

  async function deliverResults(
    results: readonly WatchedResult[],
  ): Promise<readonly WatchReceipt[]> {
    const body: ResultDelivery = { region, instance, results };
    const sent = await post(PROBE_RESULTS_PATH, SEALED, deliveries.seal('results', body));
    const { receipts, nowMs } = deliveries.openReceipts(sent, results.length);
    clock.note(nowMs);
    return receipts;
  }

  async function sayAlive(changedSinceMs: number): Promise<AliveResponse | null> {
    const alive: ProbeAlive = { region, instance };
    const path = alivePath(changedSinceMs);
    const sent = await post(path, 'application/json', JSON.stringify(alive));
    return sent.length === 0 ? null : deliveries.openMoved(sent);
  }

  return { openWatches, deliverResults, sayAlive };
}

function createChannel({
  apiUrl,
  key,
  onRevoked,
}: Pick<InternalApiOptions, 'apiUrl' | 'key' | 'onRevoked'>) {
  const dispatcher = new Agent({ connections: 16, keepAliveTimeout: 60_000 });
  const sealer = createSealer([key.secret], 'probe-response');
  const inTurn = createBoundedQueue({ atOnce: READS_AT_ONCE, waitingMax: READS_WAITING_MAX });
  const headers = {
    authorization: `Bearer ${deriveProbeToken(key.secret)}`,
    [PROBE_REGION_HEADER]: key.region,
    [PROBE_KEY_HEADER]: key.id,
  };

  function refuse(status: number, body: Buffer): never {
    if (status === 401 && body.includes('"revoked_token"')) onRevoked();
    const why = status === 401 ? ': it does not accept the key of this probe' : '';
    throw new Error(`the API responded with ${status}${why}`);
  }

  /** Fetches a body that the API encrypted for this path. null means that the response was 404. */
  const fetchSealed = (path: string): Promise<unknown> => inTurn(() => fetchNow(path));

  async function fetchNow(path: string): Promise<unknown> {
    const signal = AbortSignal.timeout(RESPONSE_DEADLINE_MS);
    const response = await request(apiUrl + path, { dispatcher, headers, signal });
    const body = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode === 404) return null;
    if (response.statusCode !== 200) refuse(response.statusCode, body);
    if (body.length > RESPONSE_BYTES_MAX) throw new Error('the response is too large');
    return JSON.parse(sealer.open(body, path).toString('utf8'));
  }

  async function post(path: string, type: string, body: string | Buffer): Promise<Buffer> {
    const response = await request(apiUrl + path, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
      signal: AbortSignal.timeout(POST_DEADLINE_MS),
    });
    const sent = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode >= 300) refuse(response.statusCode, sent);
    return sent;
  }

  return { fetchSealed, post, close: () => dispatcher.destroy() };
}

function notUnderstood(): Error {
  return new Error('the response has an unknown format');
}

/** Checks the format of a response, because an API of another release may use another format. */
function isDefinitionResponse(response: unknown): response is DefinitionResponse {
  if (typeof response !== 'object' || response === null || !('definition' in response))
    return false;
  const { definition } = response;
  return typeof definition === 'object' && definition !== null && 'steps' in definition;
}

function isKeysResponse(response: unknown): response is RegionKeysResponse {
  if (typeof response !== 'object' || response === null || !('keys' in response)) return false;
  return Array.isArray(response.keys) && response.keys.length > 0;
}

function isSecretsResponse(response: unknown): response is SecretsResponse {
  return typeof response === 'object' && response !== null && 'secrets' in response;
}
