/**
 * Domains of status pages: which page a host serves, and whether the host leads to this installation. The proof is the
 * response from a well-known path of the host, which only this installation can seal.
 */
import { domainProofContext } from '../../contracts/seal-contexts';
import { DOMAIN_PROOF_PATH } from '../../contracts/status-pages';
import { checkedDomain, type PageDomain } from '../../domain/status-pages/page-domain';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import { mapAtMost } from '../../platform/map-at-most';
import { openOrNull, type TextSealer } from '../../platform/sealing';
import type { PageDomainResponse } from '../../schemas/responses/status-pages';
import { toInstant } from '../lists/instants';
import { findObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { statusPageKind } from './status-pages';

export async function listPageDomains(
  needs: Pick<Dependencies, 'stores' | 'publicUrl'>,
  accountId: string,
  pageId: string,
): Promise<readonly PageDomainResponse[]> {
  const { domains } = await findObject(statusPageKind(needs), accountId, pageId);
  return domains.map(({ host, verifiedAtMs, nextCheckAtMs, problem }) => ({
    host,
    isVerified: verifiedAtMs !== null,
    verifiedAt: instantOf(verifiedAtMs),
    nextCheckAt: instantOf(nextCheckAtMs),
    problem,
  }));
}

function instantOf(ms: number | null): string | null {
  return ms === null ? null : toInstant(ms);
}

/** The page that is served on the host; null for an unknown or unverified host. */
export async function findPageOfDomain(
  { stores }: Pick<Dependencies, 'stores'>,
  host: string,
): Promise<StatusPage | null> {
  const page = await stores.statusPages.findByDomain(host);
  const domain = page?.domains.find((each) => each.host === host);
  return page !== null && domain !== undefined && domain.verifiedAtMs !== null ? page : null;
}

/** What the well-known path of a host responds with. */
export function proveDomain(
  sealer: Pick<TextSealer, 'seal'>,
  { host, nonce }: { readonly host: string; readonly nonce: string },
): string {
  return sealer.seal(nonce, domainProofContext(host));
}

/** Outcome of a POST, as far as it is used here. */
type AskedResponse =
  | { readonly status: number; readonly text: string }
  | { readonly failure: { readonly message: string } };

export interface DomainNeeds {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly sealer: TextSealer;
  readonly newNonce: () => string;
  /** Applies the target guard and follows no redirects; never rejects because of what the receiver does. */
  readonly ask: (request: {
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly body: string;
  }) => Promise<AskedResponse>;
}

const DUE_MAX = 50;
const AT_ONCE = 8;

/**
 * Checks the domains that are due; returns how many more are verified than before. What is due is read from the
 * database, so that a crash delays a check and loses none. A page that is saved meanwhile is left to the next pass.
 */
export async function verifyDueDomains(needs: DomainNeeds, signal: AbortSignal): Promise<number> {
  const { statusPages } = needs.stores;
  const pages = await statusPages.listWithDueDomains(needs.clock.now(), DUE_MAX);
  const verified = await mapAtMost(AT_ONCE, pages, async (page) => {
    signal.throwIfAborted();
    const domains = await Promise.all(page.domains.map((domain) => checkWhenDue(needs, domain)));
    if (!(await statusPages.storeDomains(page, domains))) return 0;
    return countVerified(domains) - countVerified(page.domains);
  });
  return verified.reduce((sum, count) => sum + count, 0);
}

function countVerified(domains: readonly PageDomain[]): number {
  return domains.filter(({ verifiedAtMs }) => verifiedAtMs !== null).length;
}

async function checkWhenDue(needs: DomainNeeds, domain: PageDomain): Promise<PageDomain> {
  const nowMs = needs.clock.now();
  if (domain.nextCheckAtMs === null || domain.nextCheckAtMs > nowMs) return domain;
  return checkedDomain(domain, await findProblem(needs, domain.host), nowMs);
}

/** Over http first: a certificate often exists only after a domain is known to lead here. */
async function findProblem(needs: DomainNeeds, host: string): Promise<string | null> {
  const problem = await askHost(needs, `http://${host}`, host);
  return problem === null ? null : askHost(needs, `https://${host}`, host);
}

async function askHost(needs: DomainNeeds, origin: string, host: string): Promise<string | null> {
  const nonce = needs.newNonce();
  const response = await needs.ask({
    url: `${origin}${DOMAIN_PROOF_PATH}`,
    headers: [{ name: 'content-type', value: 'text/plain' }],
    body: nonce,
  });
  if ('failure' in response) return response.failure.message;
  if (openOrNull(needs.sealer, response.text, domainProofContext(host)) === nonce) return null;
  return `${origin} does not lead to this service: it responded with ${response.status}.`;
}
