/**
 * Finds the status page that a host serves. Also checks whether the host leads to this installation: the host must
 * return a response that only this installation can encrypt.
 */
import { domainProofContext } from '../../contracts/seal-contexts';
import { DOMAIN_PROOF_PATH } from '../../contracts/status-pages';
import {
  listVerifiedHosts,
  type PageDomain,
  withDomainCheck,
} from '../../domain/status-pages/page-domain';
import type { Stores } from '../../models/stores';
import type { Clock } from '../../platform/clock';
import { mapAtMost } from '../../platform/map-at-most';
import { openOrNull, type TextSealer } from '../../platform/sealing';
import type { PageDomainResponse } from '../../schemas/responses/status-pages';
import { toInstant } from '../lists/instants';
import { findTypedObject } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { STATUS_PAGES } from './status-pages';

export async function listPageDomains(
  needs: Pick<Dependencies, 'stores' | 'publicUrl'>,
  accountId: string,
  pageId: string,
): Promise<readonly PageDomainResponse[]> {
  const { domains } = await findTypedObject(needs, STATUS_PAGES, { accountId, id: pageId });
  return domains.map(({ host, verifiedAtMs, nextCheckAtMs, problem }) => ({
    host,
    isVerified: verifiedAtMs !== null,
    verifiedAt: formatInstant(verifiedAtMs),
    nextCheckAt: formatInstant(nextCheckAtMs),
    problem,
  }));
}

function formatInstant(ms: number | null): string | null {
  return ms === null ? null : toInstant(ms);
}

/** Returns this installation's response to a request for the well-known path of a host. */
export function proveDomain(
  sealer: Pick<TextSealer, 'seal'>,
  { host, nonce }: { readonly host: string; readonly nonce: string },
): string {
  return sealer.seal(nonce, domainProofContext(host));
}

/** The outcome of a POST request, with only the fields that this file uses. */
type AskedResponse =
  | { readonly status: number; readonly text: string }
  | { readonly failure: { readonly message: string } };

export interface DomainNeeds {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly sealer: TextSealer;
  readonly newNonce: () => string;
  /**
   * Sends a request that the target guard has allowed, and follows no redirects. Never rejects because of the receiver.
   */
  readonly ask: (request: {
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly body: string;
  }) => Promise<AskedResponse>;
}

/**
 * The check of a domain reports this problem but does not refuse the domain, because the other page may release the
 * domain later.
 */
const TAKEN = 'The domain leads to this service, but another status page uses it.';
const DUE_MAX = 50;
const AT_ONCE = 8;

/**
 * Checks the due domains. Returns the number of domains that have become verified. Pages that are saved during this
 * call are checked by the next call.
 */
export async function verifyDueDomains(needs: DomainNeeds, signal: AbortSignal): Promise<number> {
  const { statusPages } = needs.stores;
  const pages = await statusPages.listWithDueDomains(needs.clock.now(), DUE_MAX);
  const verified = await mapAtMost(AT_ONCE, pages, async (page) => {
    signal.throwIfAborted();
    const domains = await Promise.all(
      page.domains.map((domain) => checkWhenDue(needs, page.id, domain)),
    );
    if (!(await statusPages.storeDomains(page, domains))) return 0;
    return listVerifiedHosts(domains).length - listVerifiedHosts(page.domains).length;
  });
  return verified.reduce((sum, count) => sum + count, 0);
}

async function checkWhenDue(
  needs: DomainNeeds,
  pageId: string,
  domain: PageDomain,
): Promise<PageDomain> {
  const nowMs = needs.clock.now();
  if (domain.nextCheckAtMs === null || domain.nextCheckAtMs > nowMs) return domain;
  const problem =
    (await findProblem(needs, domain.host)) ?? (await findOther(needs, pageId, domain.host));
  return withDomainCheck(domain, problem, nowMs);
}

/** Returns a problem if another page of any account has verified the domain. Otherwise, returns null. */
async function findOther(
  { stores }: DomainNeeds,
  pageId: string,
  host: string,
): Promise<string | null> {
  const verified = await stores.statusPages.listVerifiedDomains([host]);
  return verified.some((each) => each.host === host && each.pageId !== pageId) ? TAKEN : null;
}

/**
 * Returns the reason why the host does not lead to this service. null if it does. Tries http first, because a host
 * often gets its certificate only after its domain is verified.
 */
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
