/** Texts of a row: why it fails, since when, and when its certificate expires. */
import type { ListedCheck } from '../../shared/data/api-types';
import { degradedReason, troubleSince } from '../../shared/data/trouble';
import { STATUS_WORDS } from '../../shared/text/strings';
import { lengthSince } from '../../shared/text/time-text';

/** Returns a text like `Down for 12 min: Expected status 2xx, got 503`. null unless the check is down or degraded. */
export function reasonText(check: ListedCheck, nowMs: number) {
  const { status, failure } = check;
  if (status !== 'down' && status !== 'degraded') return null;
  const since = `${STATUS_WORDS[status]} for ${lengthSince(troubleSince(check), nowMs)}`;
  const known = failure?.message ?? '';
  const message = known === '' && status === 'degraded' ? degradedReason(check) : known;
  return message === '' ? since : `${since}: ${message}`;
}

const DAY_MS = 86_400_000;
const URGENT_DAYS = 7;
const SOON_DAYS = 30;

interface TlsDays {
  readonly text: string;
  readonly tone: 'urgent' | 'soon' | 'well';
}

export function tlsDays({ tlsExpiresAt }: ListedCheck, nowMs: number): TlsDays | null {
  if (tlsExpiresAt === null) return null;
  const days = Math.floor((Date.parse(tlsExpiresAt) - nowMs) / DAY_MS);
  if (days < 0) return { text: 'expired', tone: 'urgent' };
  const tone = days < URGENT_DAYS ? 'urgent' : days < SOON_DAYS ? 'soon' : 'well';
  return { text: `${days} d`, tone };
}
