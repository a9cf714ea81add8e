/**
 * The routes to subscribe to a status page and to unsubscribe. A sign-up has the same response for everyone, so it does
 * not reveal who has subscribed. Opening a link from an email changes nothing.
 */
import { type Request, type Response, Router } from 'express';
import { SUBSCRIBER_TYPES, type SubscriberType } from '../../contracts/letters/letters';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { SubscriptionWord } from '../../notify/letters/words/en';
import { AppError } from '../../platform/errors';
import { RECIPIENT_FIELDS } from '../../schemas/status-pages/subscriber';
import type { Dependencies } from '../../services/ports/dependencies';
import type { NewSubscriber } from '../../services/subscribers/page-subscribers';
import {
  changeSubscription,
  confirmSubscription,
  endSubscription,
  openWays,
  readSubscription,
  signUp,
} from '../../services/subscribers/sign-up';
import { readForm } from './read-form';
import type { RenderedPage } from './status-page-document';
import { renderNoStatusPage } from './status-page-html';
import { maySee, readOwnHost, type SiteNeeds } from './status-page-visit';
import {
  FIELD,
  type Frame,
  renderSubscribeForm,
  renderSubscription,
  renderSubscriptionNote,
  type Wish,
} from './subscription-html';

/** Maximum size of a form in KiB, enough for a hundred items and a long URL. */
const FORM_KIB_MAX = 16;
const TOKEN_MAX = 2_000;

interface Site {
  readonly services: Dependencies;
  readonly fontUrl: string | null;
  /** A page that this visitor may see, or null. */
  readonly find: (request: Request) => Promise<StatusPage | null>;
  /** Returns the page of a subscription without the parts that this visitor may not see. */
  readonly reveal: (request: Request, page: StatusPage) => Promise<StatusPage>;
}

export function createSubscriptionPages({ services, fontUrl, visit }: SiteNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const site: Site = {
    services,
    fontUrl,
    find: async (request) => {
      const visited = await visit(request);
      return visited.type === 'shown' && !visited.isDraft ? visited.page : null;
    },
    // A link from an email proves only whose subscription it is, so it does not unlock the page.
    reveal: async (request, page) => {
      if (maySee(services, page, request)) return page;
      const visited = await visit(request);
      if (visited.type === 'shown' && visited.page.id === page.id) return page;
      return { ...page, groups: [], title: page.isPublic ? page.title : page.slug };
    },
  };
  router.get('/status/:slug/subscribe', (request, response) => showForm(site, request, response));
  router.post('/status/:slug/subscribe', (request, response) => takeForm(site, request, response));
  router.get('/status/:slug/subscription', (request, response) =>
    showSubscription(site, { request, response, note: null }),
  );
  router.post('/status/:slug/subscription', (request, response) =>
    changeByLink(site, request, response),
  );
  return router;
}

/**
 * Finds the page and the ways to subscribe to it. null means that the page does not exist or accepts no subscribers.
 */
async function findOpen(site: Site, request: Request) {
  const page = await site.find(request);
  if (page === null) return null;
  const ways = openWays(site.services, page);
  return Object.values(ways).includes(true) ? { page, ways } : null;
}

async function showForm(site: Site, request: Request, response: Response): Promise<void> {
  response.locals['route'] = '/status/:slug/subscribe';
  const open = await findOpen(site, request);
  if (open === null) return sendNothing(site, response);
  const { type } = request.query;
  const wish = typeof type === 'string' ? { type, to: '', items: null } : null;
  const form = { ways: open.ways, wish, problem: null };
  send(response, renderSubscribeForm(buildFrame(site, open.page, response), form));
}

async function takeForm(site: Site, request: Request, response: Response): Promise<void> {
  response.locals['route'] = '/status/:slug/subscribe';
  const fields = await readForm(request, FORM_KIB_MAX);
  const open = await findOpen(site, request);
  if (open === null) return sendNothing(site, response);
  const { page, ways } = open;
  const frame = buildFrame(site, page, response);
  const wish = readWish(fields, page);
  const refuse = (problem: SubscriptionWord, status: number): void =>
    send(response.status(status), renderSubscribeForm(frame, { ways, wish, problem }));
  const type = SUBSCRIBER_TYPES.find((each) => each === wish.type && ways[each]);
  if (type === undefined) return refuse('subscribe.bad-mail', 400);
  const wanted = readWanted(site.services, type, wish);
  if (typeof wanted === 'string') return refuse(wanted, 400);
  try {
    await signUp(site.services, page, { wanted, clientIp: request.ip ?? '' });
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'rate_limited') return refuse('subscribe.too-many', 429);
    if (code === 'limit_reached') return refuse('subscribe.full', 403);
    throw error;
  }
  const note = type === 'mail' ? 'subscribe.mail-done' : 'subscribe.url-done';
  send(response, renderSubscriptionNote(frame, { title: 'subscribe.title', note }));
}

const BAD_RECIPIENT = {
  mail: 'subscribe.bad-mail',
  webhook: 'subscribe.bad-url',
  slack: 'subscribe.bad-slack',
} as const satisfies Record<SubscriberType, SubscriptionWord>;

/** Returns the validated values, or the problem with the values of the form. */
function readWanted(
  { findBlockedTarget }: Dependencies,
  type: SubscriberType,
  { to, items }: Wish,
): NewSubscriber | SubscriptionWord {
  const read = RECIPIENT_FIELDS[type].safeParse(to);
  if (!read.success) return BAD_RECIPIENT[type];
  if (type !== 'mail' && findBlockedTarget(read.data) !== null) return 'subscribe.bad-url';
  if (items?.length === 0) return 'subscribe.no-items';
  return { type, to: read.data, items };
}

function readWish(fields: URLSearchParams, page: StatusPage): Wish {
  const type = fields.get(FIELD.type) ?? '';
  return { type, to: (fields.get(FIELD.to) ?? '').trim(), items: readItems(fields, page) };
}

/** Returns the selected items that are on the page. null means the whole page. */
function readItems(fields: URLSearchParams, { groups }: StatusPage): readonly string[] | null {
  if (fields.get(FIELD.which) !== 'some') return null;
  const names = fields.getAll(FIELD.group);
  const ids = fields.getAll(FIELD.item);
  return groups.flatMap(({ name, items }) =>
    items.flatMap(({ id }) => (names.includes(name) || ids.includes(id) ? [id] : [])),
  );
}

interface Visit {
  readonly request: Request;
  readonly response: Response;
  /** Confirms the visitor's last action. null means that there is nothing to confirm. */
  readonly note: SubscriptionWord | null;
}

async function findSubscription(site: Site, request: Request) {
  const found = await readSubscription(site.services, readToken(request));
  return found === null ? null : { ...found, page: await site.reveal(request, found.page) };
}

async function showSubscription(site: Site, { request, response, note }: Visit): Promise<void> {
  response.locals['route'] = '/status/:slug/subscription';
  const token = readToken(request);
  const found = await findSubscription(site, request);
  if (found === null) return sendUnknown(site, request, response);
  const { page, ...shown } = found;
  send(response, renderSubscription(buildFrame(site, page, response), { ...shown, token, note }));
}

const ACTS = ['end', 'confirm', 'save'] as const;

/**
 * Reads the action from a form. Also accepts the body that mail programs post by themselves (RFC 8058). Throws
 * `validation_failed` for an unknown action.
 */
function readAct(fields: URLSearchParams): (typeof ACTS)[number] {
  if (fields.get('List-Unsubscribe') === 'One-Click') return 'end';
  const wanted = fields.get('do');
  const act = ACTS.find((each) => each === wanted);
  if (act !== undefined) return act;
  throw new AppError('validation_failed', 'The form must have a field `do`: end, confirm or save.');
}

async function changeByLink(site: Site, request: Request, response: Response): Promise<void> {
  response.locals['route'] = '/status/:slug/subscription';
  const fields = await readForm(request, FORM_KIB_MAX);
  const act = readAct(fields);
  const { services } = site;
  const used = { token: readToken(request), clientIp: request.ip ?? '' };
  const found = await findSubscription(site, request);
  try {
    if (act === 'end') await endSubscription(services, used);
    else if (act === 'confirm') await confirmSubscription(services, used);
    else if (found !== null) {
      const items = readItems(fields, found.page);
      if (items?.length === 0)
        return await showSubscription(site, { request, response, note: 'subscribe.no-items' });
      await changeSubscription(services, used, items);
    }
  } catch (error) {
    const note = findNote(error);
    if (note === null) throw error;
    const page = found?.page ?? (await site.find(request));
    return sendRefusal(site, response, { ...note, page });
  }
  if (found === null) return sendUnknown(site, request, response);
  if (act === 'end') {
    const ended = { title: 'manage.title', note: 'manage.ended' } as const;
    return send(response, renderSubscriptionNote(buildFrame(site, found.page, response), ended));
  }
  const note = act === 'confirm' ? 'confirm.done' : 'manage.saved';
  await showSubscription(site, { request, response, note });
}

interface Refusal {
  readonly word: SubscriptionWord;
  readonly status: number;
}

/** Returns the refusal if the page explains it to people. null means another error. */
function findNote(error: unknown): Refusal | null {
  const code = error instanceof AppError ? error.code : null;
  if (code === 'invalid_token') return { word: 'manage.unknown', status: 404 };
  if (code === 'limit_reached') return { word: 'subscribe.full', status: 403 };
  return code === 'rate_limited' ? { word: 'subscribe.too-many', status: 429 } : null;
}

/**
 * Builds the frame of a subscription page. `pageUrl` is the status page's URL relative to its forms, or the root of a
 * custom domain.
 */
function buildFrame({ fontUrl }: Site, page: StatusPage, response: Response): Frame {
  return { page, fontUrl, pageUrl: readOwnHost(response) === null ? `../${page.slug}` : './' };
}

function readToken({ query: { token } }: Request): string {
  return typeof token === 'string' && token.length <= TOKEN_MAX ? token : '';
}

async function sendUnknown(site: Site, request: Request, response: Response): Promise<void> {
  const page = await site.find(request);
  sendRefusal(site, response, { word: 'manage.unknown', status: 404, page });
}

/** Shows a refusal. Uses the look of the status page if this visitor may see it. */
function sendRefusal(
  site: Site,
  response: Response,
  { word, status, page }: Refusal & { readonly page: StatusPage | null },
): void {
  const { fontUrl } = site;
  const note = { title: 'manage.title', note: word } as const;
  const shown =
    page === null
      ? renderNoStatusPage(fontUrl)
      : renderSubscriptionNote(buildFrame(site, page, response), note);
  send(response.status(status), shown);
}

function sendNothing({ fontUrl }: Site, response: Response): void {
  send(response.status(404), renderNoStatusPage(fontUrl));
}

function send(response: Response, { html, policy }: RenderedPage): void {
  response.set({
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
  response.type('html').send(html);
}
