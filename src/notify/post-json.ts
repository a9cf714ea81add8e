/**
 * Posts JSON to an address that people gave, through the same guard as every check: no redirect is
 * followed, and private targets are refused.
 */
import type { DeliveryOutcome } from '../contracts/alerts';

/** What a post came to, as far as a sender must know it. */
export type PostResponse =
  | { readonly status: number; readonly retryAfter: string | null }
  | { readonly failure: { readonly code: string; readonly message: string } };

export type PostJson = (request: {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}) => Promise<PostResponse>;

const RETRY_AFTER_MAX_MS = 3_600_000;

/** 2xx is yes; 408, 429 and 5xx are worth another try; everything else is a no for good. */
export function outcomeOfPost(answer: PostResponse): DeliveryOutcome {
  if ('failure' in answer) {
    const { code, message } = answer.failure;
    if (code === 'blocked_target') return { kind: 'refused', detail: message };
    return { kind: 'later', detail: message, afterMs: null };
  }
  const { status, retryAfter } = answer;
  const detail = `Receiver response: ${status}.`;
  if (status >= 200 && status < 300) return { kind: 'sent', detail };
  if (status === 408 || status === 429 || status >= 500)
    return { kind: 'later', detail, afterMs: waitOf(retryAfter, Date.now()) };
  return { kind: 'refused', detail };
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3). */
export function waitOf(retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS) : null;
}
