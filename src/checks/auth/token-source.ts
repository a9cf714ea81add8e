/**
 * Fetches OAuth 2.0 access tokens (RFC 6749 §5). A token is cached in memory for 80% of its lifetime, separately for
 * each account and token request. Concurrent callers share one fetch. A failing provider gives `auth_failed`, not a
 * failure of the target.
 */
import { createHash } from 'node:crypto';
import { parseJson } from '../../contracts/json';
import type { FailureCode, SignInFault } from '../../contracts/outcome';
import { isHeaderValue } from '../../domain/definitions/header-rules';
import { createLruCache } from '../../platform/lru-cache';
import { readRecord, readText } from '../../schemas/loose';
import { runAttempt, type TargetResponse } from '../attempt';
import type { WireRequest } from '../http/write-request';
import type { ConnectionDependencies } from '../open-connection';
import { SignInFailure, StepFailure } from '../step-failure';

export interface TokenRequest {
  readonly accountId: string;
  readonly request: WireRequest;
}

export interface TokenSource {
  /**
   * Returns a token. Rejects with StepFailure `auth_failed` after `timeoutMs` at the latest. The fetch itself continues
   * for other callers.
   */
  readonly get: (request: TokenRequest, timeoutMs: number) => Promise<string>;
  /** Removes the token from the cache. Keeps a newer token that has replaced it. */
  readonly forget: (request: TokenRequest, token: string) => void;
}

interface Token {
  readonly text: string;
  readonly untilMs: number;
}

const TOKENS_MAX = 1_000;
const FETCH_MS = 30_000;
const USED_LIFE = 0.8;
/** The lifetime of a token whose response has no `expires_in`. */
const DEFAULT_LIFE_MS = 5 * 60_000;
const LIFE_MAX_MS = 24 * 3_600_000;
/**
 * Error codes of providers that are shown to users (RFC 6749 §5.2, RFC 8707). Other text is hidden, because it may
 * repeat parts of the request.
 */
const KNOWN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
];

/** Statuses with which a provider refuses the client, the user or the grant (RFC 6749 §5.2). */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);
/** Error codes that mean a fault of the provider itself, whatever the status is. */
const OWN_ERRORS = ['server_error', 'temporarily_unavailable'];
/** Failures of the fetch that say nothing about the provider. */
const NOT_ASKED: ReadonlySet<FailureCode> = new Set(['blocked_target', 'internal_error']);

export function createAuthFailure(message: string): StepFailure {
  return new StepFailure('auth_failed', message, 'prepare');
}

function providerFailure(
  { origin, pathname }: URL,
  message: string,
  { problem = 'unavailable', reason }: Partial<SignInFault> & Pick<SignInFault, 'reason'>,
): SignInFailure {
  return new SignInFailure(message, { tokenUrl: origin + pathname, problem, reason });
}

export function createTokenSource(
  connection: ConnectionDependencies,
  now: () => number = () => performance.now(),
): TokenSource {
  const kept = createLruCache<Token>(TOKENS_MAX);
  const fetches = new Map<string, Promise<string>>();

  async function fetchToken(key: string, request: WireRequest): Promise<string> {
    const begunAtMs = now();
    const { text, lifeMs } = readToken(await send(request, connection), request.url);
    kept.set(key, { text, untilMs: begunAtMs + lifeMs * USED_LIFE });
    return text;
  }

  function join(key: string, request: WireRequest): Promise<string> {
    const begun = fetches.get(key);
    if (begun !== undefined) return begun;
    const fetching = fetchToken(key, request).finally(() => fetches.delete(key));
    fetches.set(key, fetching);
    return fetching;
  }

  return {
    get: async (wanted, timeoutMs) => {
      const key = hashRequest(wanted);
      const known = kept.get(key);
      if (known !== undefined && known.untilMs > now()) return known.text;
      const { url } = wanted.request;
      const reason = `no response within ${timeoutMs / 1_000} s`;
      const sentence = `The token URL ${url.host} did not respond within ${timeoutMs / 1_000} s.`;
      const late = providerFailure(url, sentence, { reason });
      return await within(join(key, wanted.request), timeoutMs, late);
    },
    forget: (wanted, token) => {
      const key = hashRequest(wanted);
      if (kept.get(key)?.text === token) kept.remove(key);
    },
  };
}

/**
 * Returns a cache key for the provider, the account and the credentials. The key is a hash, so nothing can be read from
 * it.
 */
function hashRequest({ accountId, request: { url, headers, body } }: TokenRequest): string {
  const parts = [accountId, url.href, headers, body?.toString('base64')];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

async function within<Value>(
  value: Promise<Value>,
  timeoutMs: number,
  late: SignInFailure,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), timeoutMs);
  });
  try {
    return await Promise.race([value, isLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Sends the request to the token URL. It follows no redirects, so that credentials go only to the token URL. */
async function send(
  request: WireRequest,
  connection: ConnectionDependencies,
): Promise<TargetResponse> {
  const plan = {
    request,
    timeoutMs: FETCH_MS,
    cookies: null,
    auth: null,
    holdSecrets: async (texts: readonly string[]) => texts.map(() => true),
  };
  const { failure, response } = await runAttempt(plan, connection);
  if (failure === null && response !== null) return response;
  const why = failure?.message ?? 'It did not respond.';
  const sentence = `${request.url.host} gave no token. ${why}`;
  if (failure !== null && NOT_ASKED.has(failure.code)) throw createAuthFailure(sentence);
  throw providerFailure(request.url, sentence, { reason: why.replace(/\.$/, '') });
}

function readToken(
  { head, text, isCut }: TargetResponse,
  url: URL,
): { readonly text: string; readonly lifeMs: number } {
  const { host } = url;
  const body = readRecord(isCut ? null : parseJson(text));
  if (head.status !== 200) {
    const error = KNOWN_ERRORS.find((known) => known === body['error']);
    const isOwn = error !== undefined && OWN_ERRORS.includes(error);
    const problem = REFUSALS.has(head.status) && !isOwn ? 'refused' : 'unavailable';
    const reason = `${head.status}${error === undefined ? '' : ` (${error})`}`;
    const sentence = `The token URL ${host} responded with the status ${reason}.`;
    throw providerFailure(url, sentence, { problem, reason });
  }
  const token = readText(body['access_token']);
  const type = readText(body['token_type']).toLowerCase();
  if (token === '' || !isHeaderValue(token))
    throw providerFailure(url, `The token URL ${host} responded without an access_token.`, {
      reason: 'no access_token in the response',
    });
  if (type !== '' && type !== 'bearer')
    throw providerFailure(url, `The token of ${host} is not a bearer token.`, {
      reason: 'not a bearer token',
    });
  return { text: token, lifeMs: readLifeMs(body['expires_in']) };
}

function readLifeMs(expiresIn: unknown): number {
  const seconds = Number(expiresIn ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1_000, LIFE_MAX_MS) : DEFAULT_LIFE_MS;
}
