/** A domain of a status page: it is served once it was seen to lead here. Pure rules of when to look again. */

export interface PageDomain {
  /** In lower case, without a port. */
  readonly host: string;
  readonly claimedAtMs: number;
  /** When it was first seen to lead here; null: not yet, and nothing is served under it. */
  readonly verifiedAtMs: number | null;
  /** null: it is not looked at any more until the page is saved. */
  readonly nextCheckAtMs: number | null;
  /** Why the last look failed. */
  readonly problem: string | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** People wait for their DNS at first; what does not lead here after two weeks is given up. */
const OFTEN_FOR_MS = HOUR_MS;
const GIVEN_UP_AFTER_MS = 14 * 24 * HOUR_MS;

/** Domains that stay keep what is known of them; one that is not verified is looked at anew. */
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

/** After a look; `problem` null: it leads here. */
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

/** Those that are served. */
export function listVerifiedHosts(domains: readonly PageDomain[]): readonly string[] {
  return domains.flatMap(({ host, verifiedAtMs }) => (verifiedAtMs === null ? [] : [host]));
}
