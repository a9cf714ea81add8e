/**
 * Reads the data of a status page and sends it, for all public routes of status pages. Caches may store public pages
 * for a short time, but never restricted pages. While the database is unavailable, pages show the last data.
 */
import type { Request, Response } from 'express';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import type { Dependencies } from '../../services/ports/dependencies';
import { type PublicMonth, readPublicMonth } from '../../services/status-pages/public-posts';
import { type PublicStatus, readPublicStatus } from '../../services/status-pages/public-status';
import { getFindLedger } from '../routing/check-sources';
import { isNotModified } from '../routing/preconditions';
import { createRenderOnce, type RenderedText, type RenderOnce } from './rendered-text';
import { isForEveryone, readOwnHost, type SiteNeeds, type Visit } from './status-page-visit';

const CACHE = 'public, max-age=30';
const MINUTE_MS = 60_000;

export interface Site extends SiteNeeds {
  readonly read: (page: StatusPage) => Promise<PublicStatus>;
  readonly readMonth: (page: StatusPage, startMs: number) => Promise<PublicMonth | null>;
  /** Reads the ledger of the page. null means that the page does not show it. */
  readonly readLedger: (page: StatusPage) => Promise<LedgerResponse | null>;
  readonly renderOnce: RenderOnce;
}

export function createSite(needs: SiteNeeds): Site {
  return { ...needs, ...createReaders(needs), renderOnce: createRenderOnce() };
}

/** Returns the slug with which the page's links start. null means that the page is at the root of a custom domain. */
export function findLinkSlug({ slug }: StatusPage, response: Response): string | null {
  return readOwnHost(response) === null ? slug : null;
}

/** Returns the cache key of a rendered page. The slash marks a page without a slug and cannot be a slug itself. */
export function nameVariant(kind: string, slug: string | null): string {
  return `${kind} ${slug ?? '/'}`;
}

/**
 * Returns the requested URL of the page, and the prefix of the ids of its feed entries. The prefix is the same on every
 * host.
 */
export function buildLinks({ publicUrl }: Dependencies, { slug }: StatusPage, response: Response) {
  const { protocol, origin } = new URL(publicUrl);
  const host = readOwnHost(response);
  const id = `${origin}/status/${slug}`;
  return { id, url: host === null ? id : `${protocol}//${host}` };
}

/**
 * Returns the page if programs may read it. Returns null for a locked page, because programs cannot enter a password.
 */
export function findReadablePage(visited: Visit): StatusPage | null {
  return visited.type === 'shown' ? visited.page : null;
}

interface Sent {
  readonly page: StatusPage;
  readonly rendered: RenderedText;
}

export async function sendShown(
  request: Request,
  response: Response,
  { page, rendered }: Sent,
): Promise<void> {
  const { text, policy, encodings } = rendered;
  const encoding = encodings.find((each) => request.acceptsEncodings(each) === each) ?? null;
  response.set('Content-Security-Policy', policy).vary('Accept-Encoding');
  if (isForEveryone(page)) {
    const etag = rendered.formatTag(encoding);
    response.set({ 'Cache-Control': CACHE, ETag: etag });
    if (isNotModified(request.headers['if-none-match'], etag)) {
      response.status(304).end();
      return;
    }
  } else response.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
  const body = encoding === null ? text : await rendered.compress(encoding);
  if (encoding !== null) response.set('Content-Encoding', encoding);
  response.send(body);
}

/**
 * Returns the number of minutes since 1970. Pages are rendered once per minute, because planned maintenance depends on
 * the time.
 */
export function countMinutes(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}

function createReaders({
  services,
  copies,
}: SiteNeeds): Omit<Site, keyof SiteNeeds | 'renderOnce'> {
  const findLedger = getFindLedger(services);
  const shareStatus = copies.share<PublicStatus>();
  const shareLedger = copies.share<LedgerResponse>();
  const shareMonth = copies.share<PublicMonth | null>();
  return {
    readLedger: async ({ accountId, showLedger }) =>
      showLedger ? shareLedger(accountId, () => findLedger(accountId, {})) : null,
    // The version is part of the key, so a page that was changed is read again at once.
    read: (page) => shareStatus(page.id, () => readPublicStatus(services, page), page.version),
    readMonth: (page, startMs) =>
      shareMonth(
        `${page.id} ${startMs}`,
        () => readPublicMonth(services, page, startMs),
        page.version,
      ),
  };
}
