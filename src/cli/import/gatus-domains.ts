/** Conditions of Gatus on the end of a domain's registration, as monitors of the type domain. */
import { getDomain } from 'tldts';
import { assertionOfCondition } from './gatus-conditions';
import type { Fields, NoteTaker } from './imported';

const CONDITION = /^\[DOMAIN_EXPIRATION\]\s*>=?\s*/;

/** What a monitor beside that of the endpoint checks, and the conditions that are left. */
interface SplitConditions {
  /** null: no condition is about the domain. */
  readonly domain: Fields | null;
  readonly rest: readonly string[];
}

export function splitDomainConditions(
  {
    url,
    conditions,
  }: { readonly url: string; readonly conditions?: readonly string[] | null | undefined },
  { note }: NoteTaker,
): SplitConditions {
  const all = conditions ?? [];
  const days = all.flatMap((condition) => daysOf(condition) ?? []);
  const rest = all.filter((condition) => daysOf(condition) === null);
  if (days.length === 0) return { domain: null, rest };
  const host = getDomain(url);
  if (host !== null)
    return { domain: { type: 'domain', host, warnDays: [...new Set(days)] }, rest };
  note(
    'conditions on [DOMAIN_EXPIRATION] are left out: the URL names no domain that is registered',
  );
  return { domain: null, rest };
}

/** null: it is another condition. */
function daysOf(condition: string): number | null {
  const text = condition.trim();
  if (!CONDITION.test(text)) return null;
  const read = assertionOfCondition(text.replace(CONDITION, '[CERTIFICATE_EXPIRATION] > '));
  const value = Number(read?.['value'] ?? Number.NaN);
  return Number.isFinite(value) ? Math.min(365, Math.max(1, value)) : null;
}
