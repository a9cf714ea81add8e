/**
 * The public side of status pages: a page, its feeds, its frame and its badges, for everybody, while they are
 * switched on. Credentials are read only where there is nothing for everybody: a draft is shown to members
 * of its account, and kept by nothing in between.
 */
import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { AppError } from '../../platform/errors';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import type { Dependencies } from '../../services/ports/dependencies';
import { type PublicMonth, readPublicMonth } from '../../services/status-pages/public-posts';
import { type PublicStatus, readPublicStatus } from '../../services/status-pages/public-status';
import { findOwnStatusPage } from '../../services/status-pages/status-pages';
import { authenticateRequest } from '../routing/authenticate-request';
import { findLedgerOf } from '../routing/check-sources';
import { isAlreadyHeld } from '../routing/preconditions';
import { type BadgeMetric, renderBadge } from './status-badge';
import { FEED_TYPES, type FeedFile, renderStatusFeed } from './status-feed';
import {
  renderNoStatusPage,
  renderStatusEmbed,
  renderStatusMonth,
  renderStatusPage,
} from './status-page-html';
import { renderLedgerBadge } from './status-page-ledger';

/** What was read is shown to others for so long; a changed page is read at once. */
const KEPT_FOR_MS = 10_000;
const KEPT_MAX = 200;
const CACHE = 'public, max-age=30';
const SLUG = /^[a-z0-9-]{3,60}$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
/** Names the badge of the page as a whole. */
const WHOLE_PAGE = 'overall';
/** Names that of the checks themselves, on pages that show them. */
const LEDGER = 'ledger';
const NOTHING = "default-src 'none'";

interface Site {
  readonly services: Dependencies;
  /** The dashboard's font; null: this process serves none. */
  readonly fontUrl: string | null;
  /** A public page, or null. */
  readonly find: (slug: unknown) => Promise<StatusPage | null>;
  readonly read: (page: StatusPage) => Promise<PublicStatus>;
  readonly readMonth: (page: StatusPage, startMs: number) => Promise<PublicMonth | null>;
  /** null: the page does not show it. */
  readonly readLedger: (page: StatusPage) => Promise<LedgerResponse | null>;
}

export function createStatusPageRouter(services: Dependencies, fontUrl: string | null): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const site: Site = {
    services,
    fontUrl,
    ...createReaders(services),
    find: async (slug) =>
      typeof slug === 'string' && SLUG.test(slug)
        ? services.stores.statusPages.findPublic(slug)
        : null,
  };
  addPages(router, site);
  addBadges(router, site);
  return router;
}

function addPages(router: Router, site: Site): void {
  const { services, fontUrl, find, read, readMonth } = site;
  router.get('/status/:slug', async (request, response) => {
    response.locals['route'] = '/status/:slug';
    const page = await find(request.params.slug);
    if (page === null) return sendDraft(site, request, response);
    const { slug } = page;
    const ledger = await site.readLedger(page);
    const options = { nowMs: services.clock.now(), slug, fontUrl, ledger };
    const shown = renderStatusPage(await read(page), options);
    response.set('Content-Security-Policy', shown.policy).type('html');
    sendKeepable(request, response, shown.html);
  });

  router.get('/status/:slug/embed', async (request, response) => {
    response.locals['route'] = '/status/:slug/embed';
    const page = await find(request.params.slug);
    if (page === null || !page.showBadges) return sendNothing(response, fontUrl);
    const { html, policy } = renderStatusEmbed(await read(page), page.slug);
    response.removeHeader('X-Frame-Options');
    response.set({
      'Content-Security-Policy': policy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    sendKeepable(request, response.type('html'), html);
  });

  router.get('/status/:slug/history/:month', async (request, response) => {
    response.locals['route'] = '/status/:slug/history/:month';
    const { slug, month } = request.params;
    const page = MONTH.test(month) ? await find(slug) : null;
    const startMs = Date.parse(`${month}-01T00:00:00Z`);
    const shown = page === null ? null : await readMonth(page, startMs);
    if (page === null || shown === null) return sendNothing(response, fontUrl);
    const names = { title: page.title, look: page };
    const { html, policy } = renderStatusMonth(names, shown, { slug: page.slug, fontUrl });
    response.set('Content-Security-Policy', policy).type('html');
    sendKeepable(request, response, html);
  });

  router.get('/status/:slug/:feed', async (request, response, next) => {
    const { slug, feed } = request.params;
    if (!isFeedFile(feed)) return next();
    response.locals['route'] = '/status/:slug/:feed';
    const page = await find(slug);
    if (page === null) throw new AppError('not_found', 'There is no such status page.');
    const { publicUrl } = services;
    const text = renderStatusFeed(feed, await read(page), { publicUrl, slug: page.slug });
    response.set({ 'Content-Security-Policy': NOTHING, 'Access-Control-Allow-Origin': '*' });
    sendKeepable(request, response.type(FEED_TYPES[feed]), text);
  });
}

function addBadges(router: Router, { find, read, readLedger }: Site): void {
  router.get('/badges/:slug/:file', async (request, response) => {
    response.locals['route'] = '/badges/:slug/:file';
    const page = await find(request.params.slug);
    if (page === null || !page.showBadges) throw noBadge();
    const [, id = ''] = /^(.+)\.svg$/.exec(request.params.file) ?? [];
    if (id === LEDGER) return sendLedgerBadge(request, response, await readLedger(page));
    const isChosen = page.groups.some(({ items }) => items.some((item) => item.id === id));
    if (!isChosen && id !== WHOLE_PAGE) throw noBadge();
    const { groups, title, overall } = await read(page);
    const item =
      id === WHOLE_PAGE
        ? { name: title, state: overall, availability: null }
        : groups.flatMap(({ items }) => items).find((candidate) => candidate.id === id);
    if (item === undefined) throw noBadge();
    sendBadge(request, response, renderBadge(item, metricOf(request)));
  });
}

function sendLedgerBadge(
  request: Request,
  response: Response,
  ledger: LedgerResponse | null,
): void {
  if (ledger === null) throw noBadge();
  sendBadge(request, response, renderLedgerBadge(ledger));
}

/** Badges are there to stand on pages of other sites. */
function sendBadge(request: Request, response: Response, svg: string): void {
  response.set('Content-Security-Policy', NOTHING).type('image/svg+xml');
  response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  sendKeepable(request, response, svg);
}

/** A page that is off, for a member of its account; for everybody else there is none. */
async function sendDraft(
  { services, fontUrl, readLedger }: Site,
  { params, headers, ip = '' }: Request,
  response: Response,
): Promise<void> {
  const { slug } = params;
  if (headers.cookie === undefined || typeof slug !== 'string')
    return sendNothing(response, fontUrl);
  const { publicUrl } = services;
  const asked = { method: 'GET', headers, publicUrl, clientAddress: ip } as const;
  const principal = await authenticateRequest(services, asked).catch(() => null);
  const page =
    principal === null ? null : await findOwnStatusPage(services, principal.accountId, slug);
  if (page === null) return sendNothing(response, fontUrl);
  const ledger = await readLedger(page);
  const shown = { nowMs: services.clock.now(), slug: page.slug, isDraft: true, fontUrl, ledger };
  const { html, policy } = renderStatusPage(await readPublicStatus(services, page), shown);
  response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'private, no-store' });
  response.type('html').send(html);
}

function sendNothing(response: Response, fontUrl: string | null): void {
  const { html, policy } = renderNoStatusPage(fontUrl);
  response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
  response.status(404).type('html').send(html);
}

function noBadge(): AppError {
  return new AppError('not_found', 'There is no such badge.');
}

function isFeedFile(file: string): file is FeedFile {
  return Object.hasOwn(FEED_TYPES, file);
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

function createReaders(services: Dependencies): Pick<Site, 'read' | 'readMonth' | 'readLedger'> {
  const findLedger = findLedgerOf(services);
  const keepStatus = createKept<PublicStatus>(services);
  const keepMonth = createKept<PublicMonth | null>(services);
  const keyOf = ({ id, version }: StatusPage) => `${id} ${version}`;
  return {
    readLedger: async ({ accountId, showLedger }) =>
      showLedger ? findLedger(accountId, {}) : null,
    read: (page) => keepStatus(keyOf(page), () => readPublicStatus(services, page)),
    readMonth: (page, startMs) =>
      keepMonth(`${keyOf(page)} ${startMs}`, () => readPublicMonth(services, page, startMs)),
  };
}

/** Many visitors at once cost one read. */
function createKept<Value>({ clock }: Pick<Dependencies, 'clock'>) {
  const kept = new Map<string, { readonly untilMs: number; readonly value: Promise<Value> }>();
  return (key: string, read: () => Promise<Value>): Promise<Value> => {
    const nowMs = clock.now();
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.value;
    const fresh = { untilMs: nowMs + KEPT_FOR_MS, value: read() };
    kept.delete(key);
    kept.set(key, fresh);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    fresh.value.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key);
    });
    return fresh.value;
  };
}
