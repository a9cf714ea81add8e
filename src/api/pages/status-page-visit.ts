/**
 * Decides who may see a status page. Depending on its settings, a restricted page is visible to members of the account,
 * to visitors with the password, or to visitors from the allowed networks. Others see neither its name nor its content.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { listVerifiedHosts } from '../../domain/status-pages/page-domain';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Copies } from '../../platform/last-good';
import type { Dependencies } from '../../services/ports/dependencies';
import { mayVisit, PASS_LIFETIME_MS } from '../../services/status-pages/page-access';
import { findOwnStatusPage } from '../../services/status-pages/status-pages';
import { authenticateRequest } from '../routing/authenticate-request';

export type Visit =
  | { readonly type: 'shown'; readonly page: StatusPage; readonly isDraft: boolean }
  /** The page is hidden until the visitor enters a password or signs in. */
  | { readonly type: 'locked'; readonly page: StatusPage }
  | { readonly type: 'none' };

type FindVisit = (request: Request) => Promise<Visit>;

/** The tools that the public routes of status pages need. */
export interface SiteNeeds {
  readonly services: Dependencies;
  /** URL of the dashboard's font. null means that this process does not serve it. */
  readonly fontUrl: string | null;
  /** The cached data that is shown while the database is unavailable. */
  readonly copies: Copies;
  readonly visit: FindVisit;
}

const SLUG = /^[a-z0-9-]{3,60}$/;

/**
 * Creates a function that finds the page and decides what the visitor sees. While the database is unavailable, the
 * function uses the last known data of the page.
 */
export function createVisits(services: Dependencies, copies: Copies): FindVisit {
  const lastGood = copies.keep<StatusPage | null>();
  const findPage = (slug: string) =>
    lastGood(slug, () => services.stores.statusPages.findPublic(slug));
  return (request) => readVisit(services, findPage, request);
}

/**
 * Reads credentials only if the page is not visible without them. Visitors from networks that are not allowed get the
 * same response as for a page that does not exist.
 */
async function readVisit(
  services: Dependencies,
  findPage: (slug: string) => Promise<StatusPage | null>,
  request: Request,
): Promise<Visit> {
  const { slug } = request.params;
  if (typeof slug !== 'string' || !SLUG.test(slug)) return { type: 'none' };
  const found = await findPage(slug);
  const page = found !== null && isServedAt(found, request) ? found : null;
  if (page !== null && maySee(services, page, request))
    return { type: 'shown', page, isDraft: false };
  const own = await findPageOfMember(services, request, slug);
  if (own !== null && isServedAt(own, request))
    return { type: 'shown', page: own, isDraft: !own.isPublic };
  return page === null || page.access.type === 'ips' ? { type: 'none' } : { type: 'locked', page };
}

/** Returns the requested host if it is a custom domain of a page. null means that it is the service's own host. */
export function readOwnHost({ locals }: Response): string | null {
  const host: unknown = locals['ownHost'];
  return typeof host === 'string' ? host : null;
}

/** False if the requested domain no longer belongs to the page. The lookup by domain may have used old cached data. */
function isServedAt({ domains }: StatusPage, { res }: Request): boolean {
  const host = res === undefined ? null : readOwnHost(res);
  return host === null || listVerifiedHosts(domains).includes(host);
}

/** True if the visitor may see the page at the requested host without being signed in. */
export function maySee(services: Dependencies, page: StatusPage, request: Request): boolean {
  const { headers, ip = '' } = request;
  if (!page.isPublic || !isServedAt(page, request)) return false;
  const pass = readPass(headers, services.publicUrl, page.id);
  return mayVisit(services, page, { clientIp: ip, pass });
}

/** True if everyone may see the page, so that caches may store it. */
export function isForEveryone({ isPublic, access }: StatusPage): boolean {
  return isPublic && access.type === 'public';
}

async function findPageOfMember(
  services: Dependencies,
  { headers, ip = '' }: Request,
  slug: string,
): Promise<StatusPage | null> {
  if (headers.cookie === undefined && headers.authorization === undefined) return null;
  const { publicUrl } = services;
  const asked = {
    method: 'GET',
    headers,
    publicUrl,
    clientAddress: ip,
    openWhileSuspended: 'people',
  } as const;
  const principal = await authenticateRequest(services, asked).catch(() => null);
  return principal === null ? null : findOwnStatusPage(services, principal.accountId, slug);
}

/** Sets the cookie that keeps the page unlocked in this browser. */
export function setPass(
  response: Response,
  publicUrl: string,
  { pageId, pass }: { readonly pageId: string; readonly pass: string },
): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const maxAge = Math.floor(PASS_LIFETIME_MS / 1_000);
  response.append(
    'Set-Cookie',
    `${passName(publicUrl, pageId)}=${pass}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  );
}

function readPass(headers: IncomingHttpHeaders, publicUrl: string, pageId: string): string | null {
  const start = `${passName(publicUrl, pageId)}=`;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
}

function passName(publicUrl: string, pageId: string): string {
  const prefix = publicUrl.startsWith('https:') ? '__Host-' : '';
  return `${prefix}keepwatch_page_${pageId}`;
}
