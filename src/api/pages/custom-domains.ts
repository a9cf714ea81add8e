/**
 * Status pages on custom domains. Such a host shows its status page at `/` and no other page. Also decides which hosts
 * may get a certificate.
 */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { DOMAIN_PROOF_PATH } from '../../contracts/status-pages';
import { AppError, isUnavailable } from '../../platform/errors';
import { proveDomain } from '../../services/status-pages/page-domains';
import { readSmallText } from './read-form';
import type { SiteNeeds } from './status-page-visit';

const NAME = /^(?=.{4,253}$)(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]*$/;
const NONCE_MAX = 100;
const TLS_ASK_PATH = '/internal/tls-ask';
/** Matches the paths of a status page below `/`. */
const PAGE_PATH =
  /^\/(?:embed|subscribe|subscription|history\/[^/]+|feed\.(?:json|atom|rss)|api\/v2\/[^/]+)?$/;
const BADGE = /^\/badges\/([^/]+)$/;
/** Matches paths for programs. They work on every host, including custom domains. */
const PROGRAM_PATH = /^\/(?:v1|internal|hooks|mcp|metrics)(?:\/|$)/;

type FindSlug = (host: string) => Promise<string | null>;

interface CustomDomains {
  /** Rewrites a path on a custom domain to the path of its status page. Must come before any routing by path. */
  readonly rewritePath: RequestHandler;
  readonly router: Router;
}

export function createCustomDomains(site: Omit<SiteNeeds, 'visit'>): CustomDomains {
  const { services } = site;
  const router = Router({ caseSensitive: true, strict: true });
  const findSlug = createFinder(site);
  router.post(DOMAIN_PROOF_PATH, async (request, response) => {
    response.locals['route'] = DOMAIN_PROOF_PATH;
    const nonce = await readSmallText(request);
    const host = readHost(request);
    if (host === null || nonce.length > NONCE_MAX)
      throw new AppError('not_found', 'There is no domain to verify here.');
    const proof = proveDomain(services.sealers.stored, { host, nonce });
    response.set('Cache-Control', 'no-store').type('text').send(proof);
  });
  router.get(TLS_ASK_PATH, (request, response) => respondToTlsAsk(findSlug, request, response));
  router.use(refuseOtherPages);
  return { rewritePath: rewriteToPage(findSlug, site), router };
}

/** Responds to proxies that obtain certificates on demand: 200 for a verified domain, 404 for all other hosts. */
async function respondToTlsAsk(findSlug: FindSlug, request: Request, response: Response) {
  response.locals['route'] = TLS_ASK_PATH;
  const { domain } = request.query;
  const host = typeof domain === 'string' ? domain.toLowerCase() : '';
  if (!NAME.test(host) || (await findSlug(host)) === null)
    throw new AppError('not_found', 'This is not a verified domain of a status page.');
  response.set('Cache-Control', 'no-store').type('text').send('ok');
}

function rewriteToPage(
  findSlug: FindSlug,
  { services, fontUrl }: Pick<SiteNeeds, 'services' | 'fontUrl'>,
): RequestHandler {
  const ownHost = new URL(services.publicUrl).hostname;
  return async (request, response, next) => {
    const host = readHost(request);
    if (host === null || host === ownHost || PROGRAM_PATH.test(request.path)) return next();
    const slug = await findSlug(host).catch(unknown);
    if (slug === null || request.path === fontUrl) return next();
    response.locals['ownHost'] = host;
    const path = pathOfPage(slug, request.path);
    if (path === null) response.locals['isOtherPage'] = true;
    else request.url = path + request.url.slice(request.path.length);
    next();
  };
}

/**
 * Returns null if the database is unavailable. The custom domains are then unknown, and every host is treated as a host
 * of the service.
 */
function unknown(error: unknown): null {
  if (isUnavailable(error)) return null;
  throw error;
}

/** Returns the service's path for a path on a custom domain. null if a custom domain has no such page. */
function pathOfPage(slug: string, path: string): string | null {
  const [, badge] = BADGE.exec(path) ?? [];
  if (badge !== undefined) return `/badges/${slug}/${badge}`;
  if (!PAGE_PATH.test(path)) return null;
  return path === '/' ? `/status/${slug}` : `/status/${slug}${path}`;
}

const refuseOtherPages: RequestHandler = (_, { locals }, next) => {
  if (locals['isOtherPage'] !== true) return next();
  throw new AppError('not_found', 'This domain only serves a status page, at /.');
};

/** Returns the requested host in lower case. null for an IP address, a name without a dot, or an invalid name. */
function readHost({ headers }: Request): string | null {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  return NAME.test(host) ? host : null;
}

/**
 * Creates a function that finds the status page of a host. The function reads all domains at once, so that requests for
 * unknown hosts cause no database queries.
 */
function createFinder({ services, copies }: Pick<SiteNeeds, 'services' | 'copies'>): FindSlug {
  const { stores } = services;
  const share = copies.share<ReadonlyMap<string, string>>();
  const readSlugs = async (): Promise<ReadonlyMap<string, string>> => {
    const domains = await stores.statusPages.listVerifiedDomains();
    return new Map(domains.map(({ host, slug }) => [host, slug]));
  };
  return async (host) => (await share('domains', readSlugs)).get(host) ?? null;
}
