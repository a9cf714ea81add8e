/**
 * A custom domain of a status page. Decides when to check whether the domain points to this installation. Once it does,
 * no more checks are planned. Pure.
 */

export interface PageDomain {
  /** The host name in lower case, without a port. */
  readonly host: string;
  readonly claimedAtMs: number;
  /** When the domain was first verified. null until then. The service serves nothing on an unverified domain. */
  readonly verifiedAtMs: number | null;
  /**
   * When the domain is checked next. null means that no check is planned. For an unverified domain, saving the page
   * plans a check.
   */
  readonly nextCheckAtMs: number | null;
  /** The reason why the last check failed. */
  readonly problem: string | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * In the first hour, a domain is checked often, because people wait for DNS. After two weeks without success, the
 * checks stop.
 */
const OFTEN_FOR_MS = HOUR_MS;
const GIVEN_UP_AFTER_MS = 14 * 24 * HOUR_MS;

/**
 * Returns the domains of a page. Existing domains keep their state. If the checks of an unverified domain had stopped,
 * the checks start again.
 */
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

/** Returns the domain after a check. `problem` is null if the domain points to this installation. */
export function withDomainCheck(
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

export function listVerifiedHosts(domains: readonly PageDomain[]): readonly string[] {
  return domains.flatMap(({ host, verifiedAtMs }) => (verifiedAtMs === null ? [] : [host]));
}
