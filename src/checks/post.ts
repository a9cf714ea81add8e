/** Sends one POST, PUT or PATCH request to a URL that a user configured. Uses the same target guard as checks. */
import { cutText } from '../domain/text/cut-text';
import { runAttempt } from './attempt';
import type { OutgoingOptions } from './outgoing-options';
import { createResolveHost } from './resolve-host';
import { createTargetGuard } from './target-guard';
import { createTrust } from './tls/secure-socket';

const TIMEOUT_MS = 15_000;
/** How much of a response is read. It is enough to see why a receiver rejects the request. */
const TEXT_MAX = 4_096;

interface PostRequest {
  readonly method?: 'PUT' | 'PATCH';
  readonly url: string;
  /** If the body is not JSON, the headers must contain `content-type`. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

type PostResponse =
  | {
      readonly status: number;
      readonly headers: ReadonlyMap<string, string>;
      readonly text: string;
    }
  | { readonly failure: { readonly code: string; readonly message: string } };

/**
 * Creates the function that sends a request. It follows no redirects and resolves within the timeout. Once the status
 * has arrived, the response counts, even if its body cannot be read.
 */
export function createPost(
  options: OutgoingOptions,
  userAgent: string,
  timeoutMs = TIMEOUT_MS,
): (request: PostRequest) => Promise<PostResponse> {
  const dependencies = {
    guard: createTargetGuard(options),
    resolveHost: options.resolveHost ?? createResolveHost(),
    trust: createTrust(options.extraAuthorities ?? []),
  };
  return async ({ method = 'POST' as const, url, headers, body }) => {
    const given = new Set(headers.map(({ name }) => name.toLowerCase()));
    const own = [
      { name: 'content-type', value: 'application/json' },
      { name: 'user-agent', value: userAgent },
    ].filter(({ name }) => !given.has(name));
    const request = {
      method,
      url: new URL(url),
      headers: [...own, ...headers],
      body: Buffer.from(body),
    };
    const plan = {
      request,
      timeoutMs,
      cookies: null,
      auth: null,
      holdSecrets: async (texts: readonly string[]) => texts.map(() => true),
    };
    const { failure, response } = await runAttempt(plan, dependencies);
    if (response === null)
      return { failure: failure ?? { code: 'invalid_response', message: 'No response.' } };
    const { head, text } = response;
    return { status: head.status, headers: head.headers, text: cutText(text, TEXT_MAX, '') };
  };
}
