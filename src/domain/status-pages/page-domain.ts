/** A domain of a status page: it is served once it is verified to lead here. Pure rules for when to check again. */

export interface PageDomain {
  /** In lower case, without a port. */
  readonly host: string;
  readonly claimedAtMs: number;
  /** When it was first seen to lead here; null: not yet, and nothing is served under it. */
  readonly verifiedAtMs: number | null;
  /** null: it is not checked any more until the page is saved. */
  readonly nextCheckAtMs: number | null;
  /** Why the last check failed. */
  readonly problem: string | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** At first people wait for their DNS; a domain that does not lead here after two weeks is given up. */
const OFTEN_FOR_MS = HOUR_MS;
const GIVEN_UP_AFTER_MS = 14 * 24 * HOUR_MS;

/** Domains that stay keep what is known about them; one that was given up is checked again. */
export function claimDomains(
  hosts: readonly string[],
  before: readonly PageDomain[],
  nowMs: number,
): readonly PageDomain[] {
  return hosts.map((host) => {
    const known = before.find((domain) => domain.host === host);
    if (known !== undefined && (known.verifiedAtMs !== null || known.nextCheckAtMs !== null))
      return known;
    return { host, claimedAtMs: nowMs, verifiedAtMs: null, nextCheckAtMs: nowMs, problem: null };
  });
}

/** The domain after a check; `problem` null: it leads here. */
export function checkedDomain(
  domain: PageDomain,
  problem: string | null,
  nowMs: number,
): PageDomain {
  if (problem === null)
    return { ...domain, verifiedAtMs: nowMs, nextCheckAtMs: null, problem: null };
  const ageMs = nowMs - domain.claimedAtMs;
  const everyMs = ageMs < OFTEN_FOR_MS ? MINUTE_MS : HOUR_MS;
  return { ...domain, problem, nextCheckAtMs: ageMs < GIVEN_UP_AFTER_MS ? nowMs + everyMs : null };
}

/** The hosts that are served: those whose domain was verified. */
export function listVerifiedHosts(domains: readonly PageDomain[]): readonly string[] {
  return domains.flatMap(({ host, verifiedAtMs }) => (verifiedAtMs === null ? [] : [host]));
}
