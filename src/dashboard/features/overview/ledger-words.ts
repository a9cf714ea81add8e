/** Describes the ledger (the count of due and missed checks and alerts) in words. Pure. */
import type { Ledger } from '../../shared/data/api-types';

type Slots = Ledger['total']['slots'];
type Alerts = Ledger['total']['alerts'];

const REASON_WORDS: Readonly<Record<string, string>> = {
  missed: 'the service was away',
  overrun: 'the check before took too long',
  worker_lost: 'the probe was lost',
  region_unavailable: 'the region had no probe',
  secret_missing: 'a secret was missing',
};

function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** Returns a sentence like `20,160 checks due: 20,158 made (3 late), 2 missed (the service was away: 2).` */
export function slotWords({ due, made, late, missed, missedReasons, unaccounted }: Slots): string {
  const reasons = Object.entries(missedReasons)
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${REASON_WORDS[reason] ?? reason}: ${formatCount(count)}`);
  const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
  const parts = [
    `${formatCount(made)} made${late === 0 ? '' : ` (${formatCount(late)} late)`}`,
    `${formatCount(missed)} missed${why}`,
    ...(unaccounted === 0 ? [] : [`${formatCount(unaccounted)} unaccounted for`]),
  ];
  return `${formatCount(due)} checks due: ${parts.join(', ')}.`;
}

const MILLION = 1_000_000;

/** Returns a sentence like `At most one missed slot per million outside named gaps: 0 per million of 20,160 slots.` */
export function promiseWords({ unaccounted, verified }: Slots): string {
  const promise = 'At most one missed slot per million outside named gaps';
  if (verified === 0) return `${promise}: nothing was counted yet.`;
  const rate = Math.round((unaccounted / verified) * MILLION * 100) / 100;
  return `${promise}: ${formatCount(rate)} per million of ${formatCount(verified)} slots.`;
}

/** Returns a sentence like `14 alerts due: 14 sent, 0 doubled.` */
export function alertWords({ due, sent, pending, failed, doubled }: Alerts): string {
  const parts = [
    `${formatCount(sent)} sent`,
    ...(pending === 0 ? [] : [`${formatCount(pending)} pending`]),
    ...(failed === 0 ? [] : [`${formatCount(failed)} failed`]),
    `${formatCount(doubled)} doubled`,
  ];
  return `${formatCount(due)} alerts due: ${parts.join(', ')}.`;
}
