/**
 * Status pages under domains of their own: a request for such a host sees the page at `/` and nothing else of the
 * service. It also says which hosts may have a certificate, and proves to this installation that a host leads here.
 */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { DOMAIN_PROOF_PATH } from '../../contracts/status-pages';
import { AppError, isUnavailable } from '../../platform/errors';
import type { Copies } from '../../platform/last-good';
import type { Dependencies } from '../../services/ports/dependencies';
import { findPageOfDomain, proveDomain } from '../../services/status-pages/page-domains';
import { readSmallText } from './read-form';
import type { SiteNeeds } from './status-page-visit';

const KEPT_FOR_MS = 10_000;
const KEPT_MAX = 1_000;
const NAME = /^(?=.{4,253}$)(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]*$/;
const NONCE_MAX = 100;
const TLS_ASK_PATH = '/internal/tls-ask';
/** What of a page there is below `/`. */
const OF_PAGE =
  /^\/(?:embed|subscribe|subscription|history\/[^/]+|feed\.(?:json|atom|rss)|api\/v2\/[^/]+)?$/;
const BADGE = /^\/badges\/([^/]+)$/;

type FindSlug = (host: string) => Promise<string | null>;

export function createOwnDomains({ services, fontUrl, copies }: Omit<SiteNeeds, 'visit'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const findSlug = createFinder(services, copies);
  router.post(DOMAIN_PROOF_PATH, async (request, response) => {
    response.locals['route'] = DOMAIN_PROOF_PATH;
    const nonce = await readSmallText(request);
    const host = hostOf(request);
    if (host === null || nonce.length > NONCE_MAX)
      throw new AppError('not_found', 'There is nothing to prove here.');
    const proof = proveDomain(services.sealers.stored, { host, nonce });
    response.set('Cache-Control', 'no-store').type('text').send(proof);
  });
  router.get(TLS_ASK_PATH, (request, response) => respondToTlsAsk(findSlug, request, response));
  router.use(leadToPage(findSlug, { publicUrl: services.publicUrl, fontUrl }));
  return router;
}

/** For proxies that get certificates on demand: 200 for a verified domain, 404 for all others. */
async function respondToTlsAsk(findSlug: FindSlug, request: Request, response: Response) {
  response.locals['route'] = TLS_ASK_PATH;
  const { domain } = request.query;
  const host = typeof domain === 'string' ? domain.toLowerCase() : '';
  if (!NAME.test(host) || (await findSlug(host)) === null)
    throw new AppError('not_found', 'This is no verified domain of a status page.');
  response.set('Cache-Control', 'no-store').type('text').send('ok');
}

interface Own {
  readonly publicUrl: string;
  readonly fontUrl: string | null;
}

function leadToPage(findSlug: FindSlug, { publicUrl, fontUrl }: Own): RequestHandler {
  const ownHost = new URL(publicUrl).hostname;
  return async (request, response, next) => {
    const host = hostOf(request);
    const slug = host === null || host === ownHost ? null : await findSlug(host).catch(unknown);
    if (slug === null || request.path === fontUrl) return next();
    const [, badge] = BADGE.exec(request.path) ?? [];
    const query = request.url.slice(request.path.length);
    if (badge !== undefined) request.url = `/badges/${slug}/${badge}${query}`;
    else if (OF_PAGE.test(request.path)) request.url = pathOfPage(slug, request.path) + query;
    else throw new AppError('not_found', 'There is nothing here but a status page, at /.');
    response.locals['ownHost'] = host;
    next();
  };
}

/** While the database is away, a host that was never asked for is taken for one of the service. */
function unknown(error: unknown): null {
  if (isUnavailable(error)) return null;
  throw error;
}

function pathOfPage(slug: string, path: string): string {
  return path === '/' ? `/status/${slug}` : `/status/${slug}${path}`;
}

/** The host by which the page was asked for when that is a domain of its own; null at the service's own host. */
export function ownHostOf({ locals }: Response): string | null {
  const host: unknown = locals['ownHost'];
  return typeof host === 'string' ? host : null;
}

/** null for an IP address, a name without a dot and what is no name. */
function hostOf({ headers }: Request): string | null {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  return NAME.test(host) ? host : null;
}

/** Most requests come for few hosts: what was read of one holds for a short time, or while the database is away. */
function createFinder(services: Dependencies, copies: Copies): FindSlug {
  const kept = new Map<string, { readonly untilMs: number; readonly slug: string | null }>();
  const lastGood = copies.keep<string | null>();
  const findSlug = async (host: string) => (await findPageOfDomain(services, host))?.slug ?? null;
  return async (host) => {
    const nowMs = services.clock.now();
    const known = kept.get(host);
    if (known !== undefined && known.untilMs > nowMs) return known.slug;
    const slug = await lastGood(host, () => findSlug(host));
    kept.delete(host);
    kept.set(host, { untilMs: nowMs + KEPT_FOR_MS, slug });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return slug;
  };
}
