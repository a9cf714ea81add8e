/**
 * The public side of status pages: a page, its feeds, its frame and its badges. What everyone may see is kept by
 * caches for a short time; what only some may see is kept by nothing in between. While the database is away, all of it
 * is shown as it was read last.
 */
import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { AppError } from '../../platform/errors';
import { keepLastGood } from '../../platform/last-good';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import type { Dependencies } from '../../services/ports/dependencies';
import { type PublicMonth, readPublicMonth } from '../../services/status-pages/public-posts';
import { type PublicStatus, readPublicStatus } from '../../services/status-pages/public-status';
import { openWays } from '../../services/subscribers/sign-up';
import { findLedgerOf } from '../routing/check-sources';
import { isAlreadyHeld } from '../routing/preconditions';
import { ownHostOf } from './own-domains';
import { type BadgeMetric, renderBadge } from './status-badge';
import { FEED_TYPES, type FeedFile, renderStatusFeed } from './status-feed';
import {
  renderNoStatusPage,
  renderStatusEmbed,
  renderStatusMonth,
  renderStatusPage,
} from './status-page-html';
import { renderLedgerBadge } from './status-page-ledger';
import { sendLock, tryPassword } from './status-page-lock';
import { textsOf } from './status-page-text';
import { createVisits, isForEveryone, type Visit } from './status-page-visit';
import { isApiFile, renderStatuspageFile } from './statuspage-api';

/** What was read is shown to others for so long; a changed page is read at once. */
const KEPT_FOR_MS = 10_000;
const KEPT_MAX = 200;
const CACHE = 'public, max-age=30';
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
  readonly visit: (request: Request) => Promise<Visit>;
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
    visit: createVisits(services),
  };
  addPages(router, site);
  addFeeds(router, site);
  addStatuspageApi(router, site);
  addBadges(router, site);
  return router;
}

function addPages(router: Router, site: Site): void {
  const { services, fontUrl, visit, read, readMonth, readLedger } = site;
  router.get('/status/:slug', async (request, response) => {
    response.locals['route'] = '/status/:slug';
    const visited = await visit(request);
    if (visited.type !== 'shown') return sendClosed(site, visited, response);
    const { page, isDraft } = visited;
    const options = {
      nowMs: services.clock.now(),
      slug: linkedSlug(page, response),
      isDraft,
      hasScript: true,
      ledger: await readLedger(page),
      isSubscribable: !isDraft && Object.values(openWays(services, page)).includes(true),
      fontUrl,
    };
    const shown = renderStatusPage(await read(page), options);
    response.set('Content-Security-Policy', shown.policy).type('html');
    send(request, response, { page, text: shown.html });
  });

  router.post('/status/:slug', async (request, response) => {
    response.locals['route'] = '/status/:slug';
    const visited = await visit(request);
    if (visited.type === 'shown') return response.redirect(303, request.originalUrl);
    if (visited.type === 'none') return sendNothing(response, fontUrl);
    await tryPassword({ services, page: visited.page, fontUrl }, request, response);
  });

  router.get('/status/:slug/embed', async (request, response) => {
    response.locals['route'] = '/status/:slug/embed';
    const page = shownPage(await visit(request));
    if (page === null || !page.showBadges) return sendNothing(response, fontUrl);
    const { html, policy } = renderStatusEmbed(await read(page), linkedSlug(page, response));
    response.removeHeader('X-Frame-Options');
    response.set({
      'Content-Security-Policy': policy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    send(request, response.type('html'), { page, text: html });
  });

  router.get('/status/:slug/history/:month', async (request, response) => {
    response.locals['route'] = '/status/:slug/history/:month';
    const { month } = request.params;
    const visited = await visit(request);
    if (visited.type === 'locked') return sendClosed(site, visited, response);
    const page = MONTH.test(month) ? shownPage(visited) : null;
    const startMs = Date.parse(`${month}-01T00:00:00Z`);
    const shown = page === null ? null : await readMonth(page, startMs);
    if (page === null || shown === null) return sendNothing(response, fontUrl);
    const names = { title: page.title, look: page };
    const { html, policy } = renderStatusMonth(names, shown, {
      slug: linkedSlug(page, response),
      fontUrl,
    });
    response.set('Content-Security-Policy', policy).type('html');
    send(request, response, { page, text: html });
  });
}

function addFeeds(router: Router, { services, visit, read }: Site): void {
  router.get('/status/:slug/:feed', async (request, response, next) => {
    const { feed } = request.params;
    if (!isFeedFile(feed)) return next();
    response.locals['route'] = '/status/:slug/:feed';
    const page = shownPage(await visit(request));
    if (page === null) throw new AppError('not_found', 'There is no such status page.');
    const text = renderStatusFeed(feed, await read(page), linksOf(services, page, response));
    response.set('Content-Security-Policy', NOTHING).type(FEED_TYPES[feed]);
    // Pages elsewhere must not read through a visitor what only the visitor may see.
    if (isForEveryone(page)) response.set('Access-Control-Allow-Origin', '*');
    send(request, response, { page, text });
  });
}

/** What tools read that know Statuspage. */
function addStatuspageApi(router: Router, { services, visit, read }: Site): void {
  router.get('/status/:slug/api/v2/:file', async (request, response, next) => {
    const { file } = request.params;
    if (!isApiFile(file)) return next();
    response.locals['route'] = '/status/:slug/api/v2/:file';
    const page = shownPage(await visit(request));
    if (page === null) throw new AppError('not_found', 'There is no such status page.');
    const { url } = linksOf(services, page, response);
    const scene = { page, status: await read(page), url, nowMs: services.clock.now() };
    response.set('Content-Security-Policy', NOTHING).type('json');
    if (isForEveryone(page)) response.set('Access-Control-Allow-Origin', '*');
    send(request, response, { page, text: renderStatuspageFile(file, scene) });
  });
}

function addBadges(router: Router, { visit, read, readLedger }: Site): void {
  router.get('/badges/:slug/:file', async (request, response) => {
    response.locals['route'] = '/badges/:slug/:file';
    const page = shownPage(await visit(request));
    if (page === null || !page.showBadges) throw noBadge();
    const [, id = ''] = /^(.+)\.svg$/.exec(request.params.file) ?? [];
    if (id === LEDGER) {
      const ledger = await readLedger(page);
      if (ledger === null) throw noBadge();
      const text = renderLedgerBadge(ledger, textsOf(page.language));
      return sendBadge(request, response, { page, text });
    }
    const isChosen = page.groups.some(({ items }) => items.some((item) => item.id === id));
    if (!isChosen && id !== WHOLE_PAGE) throw noBadge();
    const metric = metricOf(request);
    if (metric === 'response' && (!page.showResponseTimes || id === WHOLE_PAGE)) throw noBadge();
    const { groups, title, overall, availability } = await read(page);
    const item =
      id === WHOLE_PAGE
        ? { name: title, state: overall, availability, responseTimes: null }
        : groups.flatMap(({ items }) => items).find((candidate) => candidate.id === id);
    if (item === undefined) throw noBadge();
    const text = renderBadge(item, metric, textsOf(page.language));
    sendBadge(request, response, { page, text });
  });
}

/** Badges are there to stand on pages of other sites. */
function sendBadge(request: Request, response: Response, shown: Sent): void {
  response.set('Content-Security-Policy', NOTHING).type('image/svg+xml');
  response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  send(request, response, shown);
}

/** Links of a page begin with its slug, unless it stands at the root of a domain of its own. */
function linkedSlug({ slug }: StatusPage, response: Response): string | null {
  return ownHostOf(response) === null ? slug : null;
}

/** The URL by which the page was asked for, and what its entries have their ids from at every host. */
function linksOf({ publicUrl }: Dependencies, { slug }: StatusPage, response: Response) {
  const { protocol, origin } = new URL(publicUrl);
  const host = ownHostOf(response);
  const id = `${origin}/status/${slug}`;
  return { id, url: host === null ? id : `${protocol}//${host}` };
}

/** Machines are asked for no password: to them, what is locked is not there. */
function shownPage(visited: Visit): StatusPage | null {
  return visited.type === 'shown' ? visited.page : null;
}

function sendClosed(
  { fontUrl, services: { publicUrl } }: Site,
  visited: Exclude<Visit, { readonly type: 'shown' }>,
  response: Response,
): void {
  if (visited.type === 'none') sendNothing(response, fontUrl);
  else {
    const { page } = visited;
    const action = linkedSlug(page, response) === null ? '/' : `/status/${page.slug}`;
    sendLock(response.status(403), { page, action, fontUrl, publicUrl });
  }
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
  const { metric } = query;
  return metric === 'uptime' || metric === 'response' ? metric : 'state';
}

interface Sent {
  readonly page: StatusPage;
  readonly text: string;
}

function send(request: Request, response: Response, { page, text }: Sent): void {
  if (!isForEveryone(page)) {
    response.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }).send(text);
    return;
  }
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  response.set({ 'Cache-Control': CACHE, ETag: etag });
  if (isAlreadyHeld(request.headers['if-none-match'], etag)) response.status(304).end();
  else response.send(text);
}

function createReaders(services: Dependencies): Pick<Site, 'read' | 'readMonth' | 'readLedger'> {
  const findLedger = findLedgerOf(services);
  const keepStatus = createKept<PublicStatus>(services);
  const keepLedger = createKept<LedgerResponse>(services);
  const keepMonth = createKept<PublicMonth | null>(services);
  const keyOf = ({ id, version }: StatusPage) => `${id} ${version}`;
  return {
    readLedger: async ({ accountId, showLedger }) =>
      showLedger ? keepLedger(accountId, () => findLedger(accountId, {})) : null,
    read: (page) => keepStatus(keyOf(page), () => readPublicStatus(services, page)),
    readMonth: (page, startMs) =>
      keepMonth(`${keyOf(page)} ${startMs}`, () => readPublicMonth(services, page, startMs)),
  };
}

/** Many visitors at once cost one read; while the database is away they see the last one. */
function createKept<Value>({ clock }: Pick<Dependencies, 'clock'>) {
  const lastGood = keepLastGood<Value>();
  const kept = new Map<string, { readonly untilMs: number; readonly value: Promise<Value> }>();
  return (key: string, read: () => Promise<Value>): Promise<Value> => {
    const nowMs = clock.now();
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.value;
    const fresh = { untilMs: nowMs + KEPT_FOR_MS, value: lastGood(key, read) };
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
