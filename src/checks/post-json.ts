/** One POST of JSON to an address that people gave, under the same guard as every check. */
import { runAttempt } from './attempt';
import type { OutgoingOptions } from './outgoing-options';
import { createResolveHost } from './resolve-host';
import { createTrust } from './secure-socket';
import { createTargetGuard } from './target-guard';

const TIMEOUT_MS = 15_000;

interface PostRequest {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

type PostAnswer =
  | { readonly status: number; readonly retryAfter: string | null }
  | { readonly failure: { readonly code: string; readonly message: string } };

/**
 * Follows no redirect; answers within the time. The status counts as soon as it is there: a receiver
 * whose body breaks off, hangs or is too large has answered.
 */
export function createPostJson(
  options: OutgoingOptions,
  userAgent: string,
  timeoutMs = TIMEOUT_MS,
): (request: PostRequest) => Promise<PostAnswer> {
  const dependencies = {
    guard: createTargetGuard(options),
    resolveHost: createResolveHost(),
    trust: createTrust(options.extraAuthorities ?? []),
  };
  return async ({ url, headers, body }) => {
    const request = {
      method: 'POST' as const,
      url: new URL(url),
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'user-agent', value: userAgent },
        ...headers,
      ],
      body: Buffer.from(body),
    };
    const plan = {
      request,
      timeoutMs,
      options: { followRedirects: false, maxRedirects: 0 },
      cookies: null,
      holdSecrets: async (texts: readonly string[]) => texts.map(() => true),
    };
    const { failure, answer } = await runAttempt(plan, dependencies);
    if (answer === null)
      return { failure: failure ?? { code: 'invalid_response', message: 'No response.' } };
    const retryAfter = answer.head.headers.get('retry-after') ?? null;
    return { status: answer.head.status, retryAfter };
  };
}
