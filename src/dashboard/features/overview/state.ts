/** Summarizes the state of an account's checks in one line, and finds the checks that need attention. */
import { WORST_FIRST } from '../../../contracts/check-list';
import type { ListedCheck, Status } from '../../shared/data/api-types';
import { troubleSince } from '../../shared/data/trouble';
import { STATUS_WORDS } from '../../shared/text/strings';
import { lengthSince } from '../../shared/text/time-text';

/** Lists the checks that are down, followed by degraded checks. Within each status, the longest failure comes first. */
export function listFailing(checks: readonly ListedCheck[]): readonly ListedCheck[] {
  return (['down', 'degraded'] as const).flatMap((status) =>
    checks
      .filter((check) => check.status === status)
      .toSorted((left, right) => troubleSince(left).localeCompare(troubleSince(right))),
  );
}

interface StateLine {
  readonly status: Status;
  readonly text: string;
  /** The worst check and the duration of its failure. null means that no check fails. */
  readonly worst: { readonly check: ListedCheck; readonly length: string } | null;
}

/** Builds a line like `3 of 9 checks are down. Longest:`. The page shows the worst check after the line. */
export function stateLine(checks: readonly ListedCheck[], nowMs: number): StateLine {
  const [worst] = listFailing(checks);
  if (worst === undefined) return { ...buildLineWithoutTrouble(checks), worst: null };
  const count = checks.filter(({ status }) => status === worst.status).length;
  return {
    status: worst.status,
    text: troubleWords(count, checks.length, STATUS_WORDS[worst.status].toLowerCase()),
    worst: { check: worst, length: lengthSince(troubleSince(worst), nowMs) },
  };
}

function troubleWords(count: number, total: number, status: string): string {
  const verb = count === 1 ? 'is' : 'are';
  const words = `${count} of ${checkWords(total)} ${verb} ${status}`;
  return count === 1 ? `${words}:` : `${words}. Longest:`;
}

function buildLineWithoutTrouble(
  checks: readonly ListedCheck[],
): Pick<StateLine, 'status' | 'text'> {
  const notUp = WORST_FIRST.filter((status) => status !== 'up').flatMap((status) => {
    const count = checks.filter((check) => check.status === status).length;
    return count === 0 ? [] : [{ status, text: `${count} ${STATUS_WORDS[status].toLowerCase()}` }];
  });
  const up = checks.filter(({ status }) => status === 'up').length;
  if (up === checks.length)
    return { status: 'up', text: up === 1 ? '1 check up' : `All ${up} checks up` };
  const rest = notUp.map(({ text }) => text).join(', ');
  if (up > 0) return { status: 'up', text: `${up} of ${checkWords(checks.length)} up, ${rest}` };
  return { status: notUp[0]?.status ?? 'pending', text: `${checkWords(checks.length)}: ${rest}` };
}

function checkWords(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
}

const CERTIFICATE_DAYS = 30;
const DAY_MS = 86_400_000;

/** Lists certificates that expire within 30 days, the earliest first. */
export function expiringSoon(checks: readonly ListedCheck[], nowMs: number) {
  return checks
    .flatMap((check) =>
      check.tlsExpiresAt === null ? [] : [{ check, expiresAt: check.tlsExpiresAt }],
    )
    .filter(({ expiresAt }) => Date.parse(expiresAt) - nowMs < CERTIFICATE_DAYS * DAY_MS)
    .toSorted((left, right) => left.expiresAt.localeCompare(right.expiresAt));
}
