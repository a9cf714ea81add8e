/**
 * The public side of status pages: a page, its feed and its badges, for everybody, while they are switched on.
 * It reads no credentials, so that what it answers may be kept by anything in between.
 */
import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../../services/ports/dependencies';
import { type PublicStatus, readPublicStatus } from '../../services/status-pages/public-status';
import { isAlreadyHeld } from '../routing/preconditions';
import { type BadgeMetric, renderBadge } from './status-badge';
import { FEED_TYPE, renderStatusFeed } from './status-feed';
import { renderNoStatusPage, renderStatusPage, STATUS_PAGE_POLICY } from './status-page-html';

/** What was read is shown to others for so long; a changed page is read at once. */
const KEPT_FOR_MS = 10_000;
const KEPT_MAX = 200;
const CACHE = 'public, max-age=30';
const SLUG = /^[a-z0-9-]{3,60}$/;
const NOTHING = "default-src 'none'";

export function createStatusPageRouter(services: Dependencies): Router {
  const read = createReader(services);
  const find = async (slug: unknown): Promise<StatusPage | null> =>
    typeof slug === 'string' && SLUG.test(slug)
      ? services.stores.statusPages.findPublic(slug)
      : null;
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/status/:slug', async (request, response) => {
    response.locals['route'] = '/status/:slug';
    const page = await find(request.params.slug);
    response.set('Content-Security-Policy', STATUS_PAGE_POLICY).type('html');
    if (page === null) {
      response.status(404).set('Cache-Control', 'no-store').send(renderNoStatusPage());
      return;
    }
    const html = renderStatusPage(await read(page), services.clock.now(), page.slug);
    sendKeepable(request, response, html);
  });

  router.get('/status/:slug/feed.json', async (request, response) => {
    response.locals['route'] = '/status/:slug/feed.json';
    const page = await find(request.params.slug);
    if (page === null) throw new AppError('not_found', 'There is no such status page.');
    const { publicUrl } = services;
    const feed = renderStatusFeed(await read(page), { publicUrl, slug: page.slug });
    response.set({ 'Content-Security-Policy': NOTHING, 'Access-Control-Allow-Origin': '*' });
    sendKeepable(request, response.type(FEED_TYPE), feed);
  });

  router.get('/badges/:slug/:file', async (request, response) => {
    response.locals['route'] = '/badges/:slug/:file';
    const page = await find(request.params.slug);
    const [, id] = /^(.+)\.svg$/.exec(request.params.file) ?? [];
    const isChosen = page?.groups.some(({ items }) => items.some((item) => item.id === id));
    if (page === null || !page.showBadges || isChosen !== true)
      throw new AppError('not_found', 'There is no such badge.');
    const { groups } = await read(page);
    const item = groups.flatMap(({ items }) => items).find((candidate) => candidate.id === id);
    if (item === undefined) throw new AppError('not_found', 'There is no such badge.');
    response.set('Content-Security-Policy', NOTHING).type('image/svg+xml');
    // Badges are there to stand on pages of other sites.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    sendKeepable(request, response, renderBadge(item, metricOf(request)));
  });
  return router;
}

function metricOf({ query }: Request): BadgeMetric {
  return query['metric'] === 'uptime' ? 'uptime' : 'state';
}

function sendKeepable(request: Request, response: Response, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  response.set({ 'Cache-Control': CACHE, ETag: etag });
  if (isAlreadyHeld(request.headers['if-none-match'], etag)) response.status(304).end();
  else response.send(text);
}

/** Many visitors at once cost one read. */
function createReader(services: Dependencies): (page: StatusPage) => Promise<PublicStatus> {
  const kept = new Map<
    string,
    { readonly untilMs: number; readonly status: Promise<PublicStatus> }
  >();
  return (page) => {
    const key = `${page.id} ${page.version}`;
    const nowMs = services.clock.now();
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.status;
    const status = readPublicStatus(services, page);
    const fresh = { untilMs: nowMs + KEPT_FOR_MS, status };
    kept.delete(key);
    kept.set(key, fresh);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    status.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key);
    });
    return status;
  };
}
