/** The page shown instead of a status page until a visitor enters its password or signs in. */
import type { Request, Response } from 'express';
import { ERROR_STATUSES } from '../../contracts/error-codes';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../../services/ports/dependencies';
import { enterPassword } from '../../services/status-pages/page-access';
import { refuseForeignOrigin } from '../server/session-cookie';
import { escapeHtml } from './escape-html';
import { readForm } from './read-form';
import { PLAIN_LOOK, type RenderedPage, renderDocument } from './status-page-document';
import { getTexts } from './status-page-text';
import { setPass } from './status-page-visit';

interface Lock {
  readonly page: Pick<StatusPage, 'access' | 'slug' | 'language'>;
  readonly fontUrl: string | null;
  /** The URL to which the form is sent. */
  readonly action: string;
  /** The service's URL, where members sign in even if the page has its own host. */
  readonly publicUrl: string;
  /** Why the last attempt failed. */
  readonly problem?: 'lock.wrong' | 'lock.too-many';
}

/** Renders the page in the language of the status page, without the status page's title. */
function renderLock({ page, fontUrl, action, publicUrl, problem }: Lock): RenderedPage {
  const { access, slug, language } = page;
  const { say } = getTexts(language);
  const said = problem === undefined ? '' : `<p role="alert" class="down">${say(problem)}</p>`;
  const loginUrl = escapeHtml(new URL(`/login?next=/status/${slug}`, publicUrl).href);
  const login = `<a href="${loginUrl}">${say('lock.sign-in')}</a>`;
  const way =
    access.type === 'password'
      ? `<form method="post" action="${escapeHtml(action)}" class="lock"><label for="password">${say('lock.password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>${say('lock.show')}</button></form>`
      : `<p>${say('lock.members', { login })}</p>`;
  const title = say('lock.title');
  const main = `<h1>${title}</h1>${said}\n${way}`;
  return renderDocument({ ...PLAIN_LOOK, language }, { title, main, fontUrl, formStyle: '' });
}

interface Trying {
  readonly services: Dependencies;
  readonly page: StatusPage;
  readonly fontUrl: string | null;
}

/** Checks the password. If the password is correct, redirects to the status page. Otherwise, shows the form again. */
export async function tryPassword(
  { services, page, fontUrl }: Trying,
  request: Request,
  response: Response,
): Promise<void> {
  const { publicUrl } = services;
  refuseForeignOrigin(request.headers, publicUrl);
  const password = (await readForm(request)).get('password') ?? '';
  try {
    const entered = { password, clientIp: request.ip ?? '' };
    const pass = await enterPassword(services, page, entered);
    setPass(response, publicUrl, { pageId: page.id, pass });
    response.set('Cache-Control', 'private, no-store').redirect(303, request.originalUrl);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.retryAfterSeconds !== undefined)
      response.set('Retry-After', `${error.retryAfterSeconds}`);
    const isWrong = error.code === 'invalid_token';
    if (!isWrong && error.code !== 'rate_limited') throw error;
    response.locals['refusal'] = error.code;
    // Never sends 401, because browsers would show their own login dialog.
    response.status(isWrong ? 403 : ERROR_STATUSES[error.code]);
    sendLock(response, {
      page,
      fontUrl,
      publicUrl,
      action: request.originalUrl.replace(/\?.*/s, ''),
      problem: isWrong ? 'lock.wrong' : 'lock.too-many',
    });
  }
}

/** Sends the page that asks for the password. Keeps the response status that was set before. */
export function sendLock(response: Response, lock: Lock): void {
  const { html, policy } = renderLock(lock);
  response.set({
    'Content-Security-Policy': policy,
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  });
  response.type('html').send(html);
}
