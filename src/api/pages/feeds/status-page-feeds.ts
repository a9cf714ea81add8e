/** Serves status pages to programs and other sites: as feeds, as files of Statuspage's API, and as badges. */
import type { Request, Response, Router } from 'express';
import type { StatusPage } from '../../../models/status-pages/status-pages';
import { AppError } from '../../../platform/errors';
import { renderText } from '../rendered-text';
import { renderLedgerBadge } from '../status-page-ledger';
import {
  buildLinks,
  countMinutes,
  findReadablePage,
  type Site,
  sendShown,
} from '../status-page-site';
import { getTexts } from '../status-page-text';
import { isForEveryone } from '../status-page-visit';
import { type BadgeMetric, renderBadge } from './status-badge';
import { FEED_TYPES, type FeedFile, renderStatusFeed } from './status-feed';
import { isApiFile, renderStatuspageFile } from './statuspage-api';

/** Name of the badge for the whole page. */
const WHOLE_PAGE = 'overall';
/** Name of the badge for the ledger, which counts due and missing checks. */
const LEDGER = 'ledger';
const NOTHING = "default-src 'none'";

export function addFeeds(router: Router, { services, visit, read, renderOnce }: Site): void {
  router.get('/status/:slug/:feed', async (request, response, next) => {
    const { feed } = request.params;
    if (!isFeedFile(feed)) return next();
    response.locals['route'] = '/status/:slug/:feed';
    const page = findReadablePage(await visit(request));
    if (page === null) throw new AppError('not_found', 'There is no such status page.');
    const [status, links] = [await read(page), buildLinks(services, page, response)];
    const rendered = renderOnce(status, { name: `${feed} ${links.url}` }, () => ({
      text: renderStatusFeed(feed, status, links),
      policy: NOTHING,
    }));
    response.type(FEED_TYPES[feed]);
    // Other origins must not read restricted pages.
    if (isForEveryone(page)) response.set('Access-Control-Allow-Origin', '*');
    await sendShown(request, response, { page, rendered });
  });
}

/** Serves the API files for tools that support Statuspage. */
export function addStatuspageApi(
  router: Router,
  { services, visit, read, renderOnce }: Site,
): void {
  router.get('/status/:slug/api/v2/:file', async (request, response, next) => {
    const { file } = request.params;
    if (!isApiFile(file)) return next();
    response.locals['route'] = '/status/:slug/api/v2/:file';
    const page = findReadablePage(await visit(request));
    if (page === null) throw new AppError('not_found', 'There is no such status page.');
    const { url } = buildLinks(services, page, response);
    const [status, nowMs] = [await read(page), services.clock.now()];
    if (isForEveryone(page)) response.set('Access-Control-Allow-Origin', '*');
    const variant = { name: `${file} ${url}`, parts: [page.updatedAtMs, countMinutes(nowMs)] };
    const rendered = renderOnce(status, variant, () => ({
      text: renderStatuspageFile(file, { page, status, url, nowMs }),
      policy: NOTHING,
    }));
    await sendShown(request, response.type('json'), { page, rendered });
  });
}

export function addBadges(router: Router, { visit, read, readLedger }: Site): void {
  router.get('/badges/:slug/:file', async (request, response) => {
    response.locals['route'] = '/badges/:slug/:file';
    const page = findReadablePage(await visit(request));
    if (page === null || !page.showBadges) throw noBadge();
    const [, id = ''] = /^(.+)\.svg$/.exec(request.params.file) ?? [];
    if (id === LEDGER) {
      const ledger = await readLedger(page);
      if (ledger === null) throw noBadge();
      const text = renderLedgerBadge(ledger, getTexts(page.language));
      return await sendBadge(request, response, { page, text });
    }
    const isChosen = page.groups.some(({ items }) => items.some((item) => item.id === id));
    if (!isChosen && id !== WHOLE_PAGE) throw noBadge();
    const metric = readMetric(request);
    if (metric === 'response' && (!page.showResponseTimes || id === WHOLE_PAGE)) throw noBadge();
    const { groups, title, overall, availability } = await read(page);
    const item =
      id === WHOLE_PAGE
        ? { name: title, state: overall, availability, responseTimes: null }
        : groups.flatMap(({ items }) => items).find((candidate) => candidate.id === id);
    if (item === undefined) throw noBadge();
    const text = renderBadge(item, metric, getTexts(page.language));
    await sendBadge(request, response, { page, text });
  });
}

/** Sends a badge. Pages of other sites may embed it. */
async function sendBadge(
  request: Request,
  response: Response,
  { page, text }: { readonly page: StatusPage; readonly text: string },
): Promise<void> {
  response.set('Cross-Origin-Resource-Policy', 'cross-origin').type('image/svg+xml');
  const rendered = renderText({ text, policy: NOTHING });
  await sendShown(request, response, { page, rendered });
}

function noBadge(): AppError {
  return new AppError('not_found', 'There is no such badge.');
}

function isFeedFile(file: string): file is FeedFile {
  return Object.hasOwn(FEED_TYPES, file);
}

function readMetric({ query }: Request): BadgeMetric {
  const { metric } = query;
  return metric === 'uptime' || metric === 'response' ? metric : 'state';
}
