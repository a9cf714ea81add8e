/**
 * The probe's HTTP channel to the API's internal endpoint: its region's token on every request,
 * sealed answers opened. It caches and retries nothing.
 */
import { Agent, request } from 'undici';
import type { Definition } from '../contracts/definition';
import {
  type DefinitionResponse,
  PROBE_HELLO_PATH,
  PROBE_REGION_HEADER,
  PROBE_RESULTS_PATH,
  type ProbeHello,
  type ProbeSecret,
  type SecretsResponse,
  secretsPath,
} from '../contracts/probe-protocol';
import type { QuietReceipt, QuietResult } from '../contracts/quiet-checks';
import { createSealer, probeTokens } from '../platform/sealing';
import { createDeliverySeal } from './delivery-seal';

const ANSWER_DEADLINE_MS = 2_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** Longer than the API gives its database. */
const POST_DEADLINE_MS = 4_000;

export interface InternalApiOptions {
  readonly apiUrl: string;
  readonly region: string;
  readonly secretKeys: readonly string[];
}

export interface InternalApiClient {
  /** null when the API says that there is no such revision; throws when it can't be asked. */
  readonly fetchDefinition: (path: string) => Promise<Definition | null>;
  /** Those of the named secrets that exist; at most SECRET_NAMES_MAX names. */
  readonly fetchSecrets: (
    accountId: string,
    names: readonly string[],
  ) => Promise<readonly ProbeSecret[]>;
  readonly sayHello: (hello: ProbeHello) => Promise<void>;
  /** One receipt for each result, once all are stored; throws when the API does not say so. */
  readonly deliverResults: (results: readonly QuietResult[]) => Promise<readonly QuietReceipt[]>;
  readonly close: () => Promise<void>;
}

export function createInternalApiClient(options: InternalApiOptions): InternalApiClient {
  const { apiUrl, region, secretKeys } = options;
  const dispatcher = new Agent({ connections: 16, keepAliveTimeout: 60_000 });
  const sealer = createSealer(secretKeys, 'probe-answer');
  const deliveries = createDeliverySeal(secretKeys, region);
  const [token = ''] = probeTokens(secretKeys, region);
  const headers = { authorization: `Bearer ${token}`, [PROBE_REGION_HEADER]: region };

  /** What was sealed for this path; null for 404. */
  async function fetchSealed(path: string): Promise<unknown> {
    const signal = AbortSignal.timeout(ANSWER_DEADLINE_MS);
    const answer = await request(apiUrl + path, { dispatcher, headers, signal });
    const body = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode === 404) return null;
    if (answer.statusCode !== 200) throw new Error(`the API answered ${answer.statusCode}`);
    if (body.length > ANSWER_BYTES_MAX) throw new Error('the answer is too large');
    return JSON.parse(sealer.open(body, path).toString('utf8'));
  }

  async function fetchDefinition(path: string): Promise<Definition | null> {
    const opened = await fetchSealed(path);
    if (opened === null) return null;
    if (!isDefinitionAnswer(opened)) throw new Error('the answer is not understood');
    return opened.definition;
  }

  async function fetchSecrets(
    accountId: string,
    names: readonly string[],
  ): Promise<readonly ProbeSecret[]> {
    const opened = await fetchSealed(secretsPath(accountId, names));
    if (!isSecretsAnswer(opened)) throw new Error('the answer is not understood');
    return opened.secrets;
  }

  async function post(path: string, type: string, body: string | Buffer): Promise<Buffer> {
    const answer = await request(apiUrl + path, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
      signal: AbortSignal.timeout(POST_DEADLINE_MS),
    });
    const sent = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode >= 300) throw new Error(`the API answered ${answer.statusCode}`);
    return sent;
  }

  const sayHello = async (hello: ProbeHello): Promise<void> =>
    void (await post(PROBE_HELLO_PATH, 'application/json', JSON.stringify(hello)));

  async function deliverResults(results: readonly QuietResult[]): Promise<readonly QuietReceipt[]> {
    const sealed = deliveries.seal(results);
    const sent = await post(PROBE_RESULTS_PATH, 'application/octet-stream', sealed);
    return deliveries.openReceipts(sent, results.length);
  }

  const close = () => dispatcher.destroy();
  return { fetchDefinition, fetchSecrets, sayHello, deliverResults, close };
}

/** The seal proves who wrote it; this only guards against another release's shape. */
function isDefinitionAnswer(answer: unknown): answer is DefinitionResponse {
  if (typeof answer !== 'object' || answer === null || !('definition' in answer)) return false;
  const { definition } = answer;
  return typeof definition === 'object' && definition !== null && 'steps' in definition;
}

function isSecretsAnswer(answer: unknown): answer is SecretsResponse {
  return typeof answer === 'object' && answer !== null && 'secrets' in answer;
}
