/**
 * The HTTP client of the command line. It calls only `/v1`, retries safe requests, and turns error responses into
 * sentences with exit codes.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { parseJson } from '../contracts/json';
import { startTimeLimit } from '../platform/time-limit';
import { CliError, EXIT_CODES, formatReason } from './cli-error';
import { buildProxyHint, createFetch } from './proxied-fetch';
import { pageShape, problemShape } from './shapes';
import type { Environment } from './stored-login';

export interface ClientOptions {
  readonly url: string;
  /**
   * The key, or a function that is called for the key before each request. null means that requests are sent without a
   * key.
   */
  readonly apiKey: string | null | (() => Promise<string>);
  readonly userAgent: string;
  /** The environment variables of the command line. They may name a proxy. */
  readonly environment: Environment;
  /** Called when a request is retried. */
  readonly note: (line: string) => void;
}

/** The options, plus the function that sends requests directly or through a proxy. */
interface Way extends ClientOptions {
  readonly send: typeof fetch;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The idempotency key of a POST. By default, each call gets a new key. */
  readonly idempotencyKey?: string;
}

export interface Client {
  readonly url: string;
  /** Sends the request, and returns the response after validating it against the shape. */
  readonly call: <Result>(path: string, shape: z.ZodType<Result>, call?: Call) => Promise<Result>;
  /** Sends a request whose response has no body. */
  readonly send: (path: string, call: Call) => Promise<void>;
  /** Reads all pages of a list. */
  readonly list: <Item>(
    path: string,
    shape: z.ZodType<Item>,
    query?: Call['query'],
  ) => Promise<readonly Item[]>;
  /** Returns the open response of a stream, which the caller reads. */
  readonly open: (
    path: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ) => Promise<Response>;
}

const TIMEOUT_MS = 30_000;
const TRIES_MAX = 3;
const PAUSE_MS = 400;
const RETRY_AFTER_MAX_MS = 65_000;
const PAGE_ITEMS = '500';

export function createClient(given: ClientOptions): Client {
  const options: Way = { ...given, send: createFetch(given.environment) };
  const ask = (path: string, call: Call = {}) => retryCall(options, path, call);
  return {
    url: options.url,
    call: async (path, shape, call) => read(await readJson(await ask(path, call)), shape),
    send: async (path, call) => {
      await (await ask(path, call)).body?.cancel();
    },
    async list(path, shape, query = {}) {
      const items: unknown[] = [];
      for (let cursor: string | undefined; ; ) {
        const response = await ask(path, { query: { limit: PAGE_ITEMS, ...query, cursor } });
        const page = read(await readJson(response), pageShape);
        items.push(...page.data);
        if (page.nextCursor === null || page.nextCursor === undefined) break;
        cursor = page.nextCursor;
      }
      return items.map((item) => read(item, shape));
    },
    async open(path, headers, signal) {
      const response = await options
        .send(new URL(path, options.url), {
          headers: { ...(await buildHeaders(options)), ...headers },
          signal,
        })
        .catch((error: unknown) => {
          throw notReached(options, error);
        });
      if (!response.ok) throw await readRefusal(response);
      return response;
    },
  };
}

async function readJson(response: Response): Promise<unknown> {
  const value = parseJson(await response.text());
  if (value === undefined) throw notOurs();
  return value;
}

function read<Result>(response: unknown, shape: z.ZodType<Result>): Result {
  const parsed = shape.safeParse(response);
  if (parsed.success) return parsed.data;
  throw notOurs(parsed.error);
}

function notOurs(cause?: unknown): CliError {
  return new CliError(EXIT_CODES.notReached, 'The response is not from a Keepwatch service.', {
    hint: 'Check the URL, and that the service and the command line are of the same release.',
    cause,
  });
}

/**
 * Makes a call, and repeats it after a temporary failure. A POST has an Idempotency-Key, so that the service does not
 * execute it twice.
 */
async function retryCall(options: Way, path: string, call: Call): Promise<Response> {
  const idempotencyKey = call.idempotencyKey ?? randomUUID();
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(options, path, { ...call, idempotencyKey });
    if (outcome instanceof Response && outcome.ok) return outcome;
    const waitMs = outcome instanceof Response ? readRetryAfter(outcome) : PAUSE_MS * tries;
    const isFinal = tries >= TRIES_MAX || waitMs === null || call.signal?.aborted === true;
    if (isFinal) throw outcome instanceof Response ? await readRefusal(outcome) : outcome;
    if (outcome instanceof Response) await outcome.body?.cancel();
    if (waitMs > 1_000) options.note(`The service is busy; trying again in ${waitMs / 1_000} s.`);
    await sleep(waitMs);
  }
}

async function tryOnce(
  options: Way,
  path: string,
  call: Call & { readonly idempotencyKey: string },
): Promise<Response | CliError> {
  const { method = 'GET', query = {}, body, timeoutMs = TIMEOUT_MS, signal } = call;
  const url = new URL(path, options.url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const own = await buildHeaders(options);
  const limit = startTimeLimit(timeoutMs, signal);
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  try {
    return await options.send(url, {
      method,
      signal: limit.signal,
      headers: {
        ...own,
        ...(method === 'POST' && { 'idempotency-key': call.idempotencyKey }),
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    return notReached(options, error);
  }
}

async function buildHeaders({ apiKey, userAgent }: ClientOptions): Promise<Record<string, string>> {
  const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
  const own = { accept: 'application/json', 'user-agent': userAgent };
  return key === null ? own : { authorization: `Bearer ${key}`, ...own };
}

function notReached({ url, environment }: ClientOptions, error: unknown): CliError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return new CliError(EXIT_CODES.notReached, `${url} cannot be reached: ${formatReason(cause)}.`, {
    hint: `Check the URL (KEEPWATCH_URL or keepwatch login), and that the service is running.${buildProxyHint(environment)}`,
    cause: error,
  });
}

/**
 * Returns the wait before a retry in milliseconds. null if a retry would not help, or if the wait would be too long.
 */
function readRetryAfter({ status, headers }: Response): number | null {
  if (status !== 429 && status !== 503) return null;
  const seconds = Number(headers.get('retry-after') ?? 1);
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : PAUSE_MS;
  return waitMs > RETRY_AFTER_MAX_MS ? null : waitMs;
}

async function readRefusal(response: Response): Promise<CliError> {
  const body: unknown = await response.json().catch(() => null);
  const problem = problemShape.safeParse(body);
  if (!problem.success) {
    return new CliError(EXIT_CODES.notReached, `The service responded with ${response.status}.`, {
      hint: 'Check that the URL is that of a Keepwatch service.',
    });
  }
  const { code, detail, errors = [] } = problem.data;
  const exitCode = chooseExitCode(response.status);
  const hint = HINTS[code];
  return new CliError(exitCode, detail, { code, errors, ...(hint !== undefined && { hint }) });
}

function chooseExitCode(status: number): number {
  if (status === 401 || status === 403) return EXIT_CODES.refused;
  return status >= 500 || status === 429 ? EXIT_CODES.notReached : EXIT_CODES.rejected;
}

const HINTS: Readonly<Record<string, string>> = {
  missing_token: 'Set KEEPWATCH_API_KEY, or run keepwatch login.',
  invalid_token: 'Check KEEPWATCH_API_KEY, or run keepwatch login with a new key.',
  expired_token: 'Create a new key in the dashboard, then run keepwatch login.',
  revoked_token: 'Create a new key in the dashboard, then run keepwatch login.',
  insufficient_scope: 'Use a key that may do this. Create it under API keys in the dashboard.',
  rate_limited: 'The key has used up its requests. Wait, or make fewer calls.',
};
