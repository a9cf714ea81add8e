/**
 * Shared by all public routes of status pages: what they read, and how it is sent. Content for everyone may be cached
 * for a short time; restricted content must not be stored by caches. While the database is unavailable, pages show
 * what was last read.
 */
import type { Request, Response } from 'express';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import type { Dependencies } from '../../services/ports/dependencies';
import { type PublicMonth, readPublicMonth } from '../../services/status-pages/public-posts';
import { type PublicStatus, readPublicStatus } from '../../services/status-pages/public-status';
import { findLedgerOf } from '../routing/check-sources';
import { isAlreadyHeld } from '../routing/preconditions';
import { ownHostOf } from './own-domains';
import { createRenderOnce, type RenderedText, type RenderOnce } from './rendered-text';
import { isForEveryone, type SiteNeeds, type Visit } from './status-page-visit';

const CACHE = 'public, max-age=30';
const WORTH_COMPRESSING = 1_024;

export interface Site extends SiteNeeds {
  readonly read: (page: StatusPage) => Promise<PublicStatus>;
  readonly readMonth: (page: StatusPage, startMs: number) => Promise<PublicMonth | null>;
  /** null: the page does not show it. */
  readonly readLedger: (page: StatusPage) => Promise<LedgerResponse | null>;
  readonly renderOnce: RenderOnce;
}

export function createSite(needs: SiteNeeds): Site {
  return { ...needs, ...createReaders(needs), renderOnce: createRenderOnce() };
}

/** Links of a page begin with its slug, unless it is at the root of a custom domain. */
export function linkedSlug({ slug }: StatusPage, response: Response): string | null {
  return ownHostOf(response) === null ? slug : null;
}

/** The requested URL of the page, and the base of its entry ids, which is the same for every host. */
export function linksOf({ publicUrl }: Dependencies, { slug }: StatusPage, response: Response) {
  const { protocol, origin } = new URL(publicUrl);
  const host = ownHostOf(response);
  const id = `${origin}/status/${slug}`;
  return { id, url: host === null ? id : `${protocol}//${host}` };
}

/** For programs, which can't enter a password: a locked page counts as missing. */
export function shownPage(visited: Visit): StatusPage | null {
  return visited.type === 'shown' ? visited.page : null;
}

interface Sent {
  readonly page: StatusPage;
  readonly rendered: RenderedText;
}

/** Sends the page with the content type that is already set on the response. */
export async function sendShown(
  request: Request,
  response: Response,
  { page, rendered }: Sent,
): Promise<void> {
  const { text, policy, etag } = rendered;
  response.set('Content-Security-Policy', policy);
  if (!isForEveryone(page)) {
    response.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }).send(text);
    return;
  }
  response.set({ 'Cache-Control': CACHE, ETag: etag }).vary('Accept-Encoding');
  if (isAlreadyHeld(request.headers['if-none-match'], etag)) {
    response.status(304).end();
    return;
  }
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
  const isCompressed = encoding === 'br' || encoding === 'gzip';
  if (!isCompressed || text.length < WORTH_COMPRESSING) response.send(text);
  else response.set('Content-Encoding', encoding).send(await rendered.compress(encoding));
}

function createReaders({
  services,
  copies,
}: SiteNeeds): Omit<Site, keyof SiteNeeds | 'renderOnce'> {
  const findLedger = findLedgerOf(services);
  const shareStatus = copies.share<PublicStatus>();
  const shareLedger = copies.share<LedgerResponse>();
  const shareMonth = copies.share<PublicMonth | null>();
  // A changed page is read at once.
  const keyOf = ({ id, version }: StatusPage) => `${id} ${version}`;
  return {
    readLedger: async ({ accountId, showLedger }) =>
      showLedger ? shareLedger(accountId, () => findLedger(accountId, {})) : null,
    read: (page) => shareStatus(keyOf(page), () => readPublicStatus(services, page)),
    readMonth: (page, startMs) =>
      shareMonth(`${keyOf(page)} ${startMs}`, () => readPublicMonth(services, page, startMs)),
  };
}
