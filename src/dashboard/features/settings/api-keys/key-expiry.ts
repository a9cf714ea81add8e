/** When a key expires, and whether it has been revoked or has expired. Pure. */
import type { ApiKey } from '../../../shared/data/api-types';

const DAY_MS = 86_400_000;

/**
 * Returns when a key that is valid for this number of days expires (RFC 3339). null means never. If the text is not a
 * number, returns null.
 */
export function expiryAfter(days: string, nowMs: number): string | null {
  const count = Number(days);
  return Number.isFinite(count) ? new Date(nowMs + count * DAY_MS).toISOString() : null;
}

export function findKeyEnd(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): 'revoked' | 'expired' | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : null;
}
