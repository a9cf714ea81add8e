/** The rate limit windows of a key as headers (draft-ietf-httpapi-ratelimit-headers). */
import type { QuotaStates } from '../../services/accounts/spend-quota';

/** Returns `RateLimit-Policy` and `RateLimit`. The window of a minute comes first. */
export function buildQuotaHeaders(states: QuotaStates): Record<string, string> {
  const policy = states.map(
    ({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`,
  );
  const left = states.map(
    ({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`,
  );
  return { 'RateLimit-Policy': policy.join(', '), RateLimit: left.join(', ') };
}
