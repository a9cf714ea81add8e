/** Interprets the response to an alert's POST: sent, refused, or worth a retry. */
import type { DeliveryOutcome } from '../contracts/alerts';
import { parseJson } from '../contracts/json';

export interface PostRequest {
  /** The method. The default is POST. */
  readonly method?: 'PUT' | 'PATCH';
  readonly url: string;
  /** If the body is not JSON, the headers must contain `content-type`. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** A response. Header names are in lower case. `text` is the start of the body. */
export interface PostedResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export type PostResponse =
  | PostedResponse
  | { readonly failure: { readonly code: string; readonly message: string } };

/** Sends the request. Follows no redirects and refuses private targets. Never rejects because of the receiver. */
export type Post = (request: PostRequest) => Promise<PostResponse>;

/** Interprets a service's response. null means that the default interpretation applies. */
export type ReadResponse = (response: PostedResponse) => DeliveryOutcome | null;

const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * Returns the outcome. If given, `read` decides first. Otherwise, 2xx means sent. No response, 408, 425, 429 and 5xx
 * mean that a retry may help. A blocked target, or any other status, means refused.
 */
export function readPostOutcome(response: PostResponse, read?: ReadResponse): DeliveryOutcome {
  if ('failure' in response) {
    const { code, message } = response.failure;
    if (code === 'blocked_target') return { kind: 'refused', detail: message };
    return { kind: 'later', detail: message, afterMs: null };
  }
  const special = read?.(response) ?? null;
  if (special !== null) return special;
  const { status, headers } = response;
  const detail = formatDetail(response);
  if (status >= 200 && status < 300) return { kind: 'sent', detail };
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { kind: 'later', detail, afterMs: readWait(headers.get('retry-after'), Date.now()) };
  return { kind: 'refused', detail };
}

/** Describes the response by its status. For a refusal, adds the reason if the receiver gives one. */
export function formatDetail(response: PostedResponse): string {
  const { status } = response;
  const reason = status < 300 ? '' : reasonIn(response);
  return `Receiver response: ${status}${reason === '' ? '' : ` (${reason})`}.`;
}

/** Converts seconds to milliseconds, with RETRY_AFTER_MAX_MS as the maximum. null if the value is not a number. */
export function readWaitSeconds(seconds: unknown): number | null {
  const ms = typeof seconds === 'number' ? Math.ceil(seconds * 1_000) : Number.NaN;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS) : null;
}

/**
 * Returns the wait in milliseconds from a `Retry-After` header, which contains seconds or an HTTP date (RFC 9110
 * §10.2.3). null if the header is missing or invalid.
 */
export function readWait(retryAfter: string | undefined, nowMs: number): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS) : null;
}

/** Returns the body as an object. Empty if the body is not a JSON object. */
export function readJson({ text }: PostedResponse): Readonly<Record<string, unknown>> {
  return readRecord(parseJson(text));
}

export function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Fields in which services describe a problem. */
const REASON_FIELDS = ['description', 'message', 'error', 'detail', 'errors'] as const;

function reasonIn(response: PostedResponse): string {
  const json = readJson(response);
  const given = REASON_FIELDS.map((name) => json[name]).find((value) => value !== undefined);
  const inner = readRecord(given)['message'];
  const [first] = Array.isArray(given) ? given : [typeof inner === 'string' ? inner : given];
  const isPlain = response.headers.get('content-type')?.startsWith('text/plain') === true;
  const text = typeof first === 'string' ? first : isPlain ? response.text : '';
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}
