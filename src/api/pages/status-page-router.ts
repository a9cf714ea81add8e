/** The public routes of status pages, with their feeds and badges. */
import { type Response, Router } from 'express';
import { SUBSCRIBER_TYPES } from '../../contracts/letters/letters';
import { openWays } from '../../services/subscribers/sign-up';
import { addBadges, addFeeds, addStatuspageApi } from './feeds/status-page-feeds';
import type { RenderedPage } from './status-page-document';
import {
  renderNoStatusPage,
  renderStatusEmbed,
  renderStatusMonth,
  renderStatusPage,
} from './status-page-html';
import { sendLock, tryPassword } from './status-page-lock';
import {
  countMinutes,
  createSite,
  findLinkSlug,
  findReadablePage,
  nameVariant,
  type Site,
  sendShown,
} from './status-page-site';
import type { SiteNeeds, Visit } from './status-page-visit';

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export function createStatusPageRouter(needs: SiteNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const site = createSite(needs);
  addPages(router, site);
  addEmbedAndMonths(router, site);
  addFeeds(router, site);
  addStatuspageApi(router, site);
  addBadges(router, site);
  return router;
}

function addPages(router: Router, site: Site): void {
  const { services, fontUrl, visit, read, readLedger, renderOnce } = site;
  router.get('/status/:slug', async (request, response) => {
    response.locals['route'] = '/status/:slug';
    const visited = await visit(request);
    if (visited.type !== 'shown') return sendClosed(site, visited, response);
    const { page, isDraft } = visited;
    const [status, ledger] = [await read(page), await readLedger(page)];
    const nowMs = services.clock.now();
    const slug = findLinkSlug(page, response);
    const open = openWays(services, page);
    const ways = isDraft ? [] : SUBSCRIBER_TYPES.filter((type) => open[type]);
    const variant = {
      name: nameVariant('page', slug),
      parts: [ledger, isDraft, ways.join(' '), countMinutes(nowMs)],
    };
    const rendered = renderOnce(status, variant, () =>
      toUnsent(
        renderStatusPage(status, {
          nowMs,
          slug,
          isDraft,
          hasScript: true,
          ledger,
          ways,
          fontUrl,
        }),
      ),
    );
    await sendShown(request, response.type('html'), { page, rendered });
  });

  router.post('/status/:slug', async (request, response) => {
    response.locals['route'] = '/status/:slug';
    const visited = await visit(request);
    if (visited.type === 'shown') return response.redirect(303, request.originalUrl);
    if (visited.type === 'none') return sendNothing(response, fontUrl);
    await tryPassword({ services, page: visited.page, fontUrl }, request, response);
  });
}

function addEmbedAndMonths(router: Router, site: Site): void {
  const { fontUrl, visit, read, readMonth, renderOnce } = site;
  router.get('/status/:slug/embed', async (request, response) => {
    response.locals['route'] = '/status/:slug/embed';
    const page = findReadablePage(await visit(request));
    if (page === null || !page.showBadges) return sendNothing(response, fontUrl);
    const [status, slug] = [await read(page), findLinkSlug(page, response)];
    const rendered = renderOnce(status, { name: nameVariant('embed', slug) }, () =>
      toUnsent(renderStatusEmbed(status, slug)),
    );
    response.removeHeader('X-Frame-Options');
    response.set('Cross-Origin-Resource-Policy', 'cross-origin').type('html');
    await sendShown(request, response, { page, rendered });
  });

  router.get('/status/:slug/history/:month', async (request, response) => {
    response.locals['route'] = '/status/:slug/history/:month';
    const { month } = request.params;
    const visited = await visit(request);
    if (visited.type === 'locked') return sendClosed(site, visited, response);
    const page = MONTH.test(month) ? findReadablePage(visited) : null;
    const startMs = Date.parse(`${month}-01T00:00:00Z`);
    const shown = page === null ? null : await readMonth(page, startMs);
    if (page === null || shown === null) return sendNothing(response, fontUrl);
    const slug = findLinkSlug(page, response);
    const rendered = renderOnce(shown, { name: nameVariant('month', slug) }, () =>
      toUnsent(renderStatusMonth({ title: page.title, look: page }, shown, { slug, fontUrl })),
    );
    await sendShown(request, response.type('html'), { page, rendered });
  });
}

function toUnsent({ html, policy }: RenderedPage) {
  return { text: html, policy };
}

function sendClosed(
  { fontUrl, services: { publicUrl } }: Site,
  visited: Exclude<Visit, { readonly type: 'shown' }>,
  response: Response,
): void {
  if (visited.type === 'none') sendNothing(response, fontUrl);
  else {
    const { page } = visited;
    const action = findLinkSlug(page, response) === null ? '/' : `/status/${page.slug}`;
    sendLock(response.status(403), { page, action, fontUrl, publicUrl });
  }
}

function sendNothing(response: Response, fontUrl: string | null): void {
  const { html, policy } = renderNoStatusPage(fontUrl);
  response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
  response.status(404).type('html').send(html);
}
