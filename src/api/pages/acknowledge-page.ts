/**
 * The page behind the link in an alert. It works without sign-in and scripts. Opening the page changes nothing, because
 * mail servers and chat services open links automatically.
 */
import { type Request, type Response, Router } from 'express';
import { ERROR_STATUSES } from '../../contracts/error-codes';
import { formatInstant } from '../../domain/health/instant-words';
import { takeFirstLines } from '../../domain/text/first-lines';
import { formatDuration } from '../../notify/duration-words';
import { listExchangeLines, writeLastPassingLine } from '../../notify/evidence-words';
import { AppError } from '../../platform/errors';
import { recordChanges } from '../../services/accounts/audit-events';
import {
  acknowledgeByLink,
  type LinkedIncident,
  readLinkedIncident,
  snoozeByLink,
} from '../../services/alerting/acknowledge-by-link';
import type { Dependencies } from '../../services/ports/dependencies';
import { withDeadline } from '../server/deadline';
import { getRequestId } from '../server/request-id';
import { escapeHtml } from './escape-html';
import { LOGO } from './logo';
import { readForm } from './read-form';
import { renderFontPreload } from './shipped-font';

const PATH = '/acknowledge';
const TOKEN_MAX = 2_000;
const DEADLINE_MS = 3_000;

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

type Action = 'acknowledge' | 'snooze';

const ACTIONS = { acknowledge: acknowledgeByLink, snooze: snoozeByLink } as const;

export function createAcknowledgePage(services: Dependencies, fontUrl: string | null): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const show = (wanted: Action) => async (request: Request, response: Response) => {
    const { token } = request.query;
    await send(response, services, {
      fontUrl,
      token: typeof token === 'string' ? token : '',
      wanted,
    });
  };
  router.get(PATH, show('acknowledge'));
  router.get(`${PATH}/snooze`, show('snooze'));
  router.post(PATH, (request, response) => act(services, fontUrl, { request, response }));
  return router;
}

/** Carries out the action and redirects back to the page, so that a reload does not repeat the action. */
async function act(
  services: Dependencies,
  fontUrl: string | null,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<void> {
  response.locals['route'] = PATH;
  const fields = await readForm(request);
  const token = fields.get('token') ?? '';
  const kind: Action = fields.get('action') === 'snooze' ? 'snooze' : 'acknowledge';
  try {
    const used = { token: token.slice(0, TOKEN_MAX), address: request.ip ?? '' };
    // The action is recorded even if it takes longer than the request's timeout.
    const acting = ACTIONS[kind](services, used).then((done) =>
      note(services, request, { ...done, kind }),
    );
    await withDeadline(acting, DEADLINE_MS, new AbortController());
  } catch (error) {
    // If the incident is over or the link is invalid, the page explains this to the reader. All other errors are
    // thrown.
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'already_finished' && error.code !== 'invalid_token')
      return send(response, services, { fontUrl, token, refusal: error });
  }
  response.set('Cache-Control', 'no-store');
  response.redirect(303, `${PATH}?token=${encodeURIComponent(token)}`);
}

type Done = Awaited<ReturnType<typeof acknowledgeByLink>> & { readonly kind: Action };

/** Records the action in the audit trail, like a request to /v1. */
async function note(
  services: Dependencies,
  request: Request,
  { after, actedAs, kind }: Done,
): Promise<void> {
  const origin = { ...actedAs, requestId: getRequestId(request), ip: request.ip ?? null };
  const resource = { resourceType: 'incident', resourceId: after.id };
  await recordChanges(services, origin, [
    { action: `incident.${kind}`, ...resource, before: null, after },
  ]);
}

interface Shown {
  readonly token: string;
  /** The action that was chosen in the message. Its button comes first. */
  readonly wanted?: Action;
  readonly fontUrl: string | null;
  readonly refusal?: AppError;
}

async function send(
  response: Response,
  services: Dependencies,
  { token, fontUrl, refusal, wanted = 'acknowledge' }: Shown,
): Promise<void> {
  response.locals['route'] = PATH;
  const incident = token.length > TOKEN_MAX ? null : await readLinkedIncident(services, token);
  const problem = formatProblem(refusal);
  const page =
    incident === null ? unknownPage(problem) : renderPage(incident, { token, problem, wanted });
  response.set({
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
  response
    .status(incident === null && refusal === undefined ? 404 : chooseStatus(refusal))
    .type('html');
  response.send(render(page, fontUrl));
}

/** Returns the status of the page. It is never 401, because browsers would show their own login dialog. */
function chooseStatus(refusal: AppError | undefined): number {
  if (refusal === undefined) return 200;
  return refusal.code === 'expired_token' ? 409 : ERROR_STATUSES[refusal.code];
}

function formatProblem(refusal: AppError | undefined): string {
  if (refusal === undefined) return '';
  const advice = refusal.code === 'expired_token' ? ' Open the incident to respond again.' : '';
  return `<p id="problem" role="alert">${escapeHtml(refusal.message + advice)}</p>`;
}

interface Page {
  readonly title: string;
  /** The content as HTML. */
  readonly content: string;
}

function unknownPage(problem: string): Page {
  const advice =
    '<p>Open the whole link as it is in the message, or sign in to see your incidents. If the message has just arrived, try again in a minute.</p><p class="actions"><a href="/incidents">View incidents</a></p>';
  return { title: 'This link is not valid', content: problem + advice };
}

interface Asked {
  readonly token: string;
  readonly problem: string;
  readonly wanted: Action;
}

function renderPage(incident: LinkedIncident, { token, problem, wanted }: Asked): Page {
  const { id, resourceName, state, silencedBy, snoozedUntilMs, cause, isRefusing } = incident;
  const links = `<a href="/incidents/${encodeURIComponent(id)}">View incident</a>${renderRunbook(incident)}`;
  const by = silencedBy === null ? '' : ` by ${escapeHtml(silencedBy)}`;
  const paragraph = (text: string): string => `<p>${text}</p>`;
  const what = causeLine(describeFailure(incident));
  switch (state) {
    case 'open':
      return {
        title: `${resourceName} ${isRefusing ? 'refuses credentials' : 'is down'} (${formatDuration(incident.downMs)})`,
        content: [
          cause === null ? '' : causeLine(cause),
          renderEvidence(incident),
          renderNote(incident),
          problem,
          renderForm(token, [...openButtons(incident, wanted), links]),
          paragraph(
            `Your team sees ${describeResponder(incident.by)}. Alerts stop until it recovers.`,
          ),
        ].join(''),
      };
    case 'acknowledged': {
      const said = paragraph(`Acknowledged${by}. Alerts stop until it recovers.`);
      const form = renderForm(token, [links, renderButton(SNOOZE)]);
      const parts = [what, renderEvidence(incident), renderNote(incident), said, problem, form];
      return { title: 'Acknowledged', content: parts.join('') };
    }
    case 'snoozed': {
      const until = formatInstant(snoozedUntilMs ?? 0);
      const said = paragraph(`Snoozed${by} until ${until}. Nothing is sent until then.`);
      const form = renderForm(token, [links, renderButton({ ...ACKNOWLEDGE, look: 'plain' })]);
      const parts = [what, renderEvidence(incident), renderNote(incident), said, problem, form];
      return { title: 'Snoozed', content: parts.join('') };
    }
    case 'resolved': {
      const said = paragraph('There is nothing to acknowledge.');
      const title = `${resourceName} is up again`;
      return { title, content: [what, said, `<p class="actions">${links}</p>`].join('') };
    }
  }
}

/** Renders the link to the runbook. It opens in a new tab and does not send the URL of this page as referrer. */
function renderRunbook({ runbookUrl }: LinkedIncident): string {
  if (runbookUrl === null) return '';
  return ` <a href="${escapeHtml(runbookUrl)}" rel="noopener noreferrer" target="_blank">Runbook</a>`;
}

function renderNote({ note }: LinkedIncident): string {
  return note === null ? '' : `<p class="note">${escapeHtml(takeFirstLines(note))}</p>`;
}

/** Shows the evidence of the failure in the same words as the message that contained the link. */
function renderEvidence({ exchange, lastPassing, openedAtMs }: LinkedIncident): string {
  const asked = exchange === null ? [] : listExchangeLines(exchange).map(({ value }) => value);
  const passed = lastPassing === null ? [] : [writeLastPassingLine(lastPassing)];
  const since = { name: 'Since', value: formatInstant(openedAtMs) };
  const facts = [since, ...passed].map(({ name, value }) => `${name}: ${value}`);
  return `<p class="note">${[...asked, ...facts].map(escapeHtml).join('\n')}</p>`;
}

/** Returns the buttons of the open incident. The action that was chosen in the message comes first. */
function openButtons({ by }: LinkedIncident, wanted: Action): readonly string[] {
  const acknowledge = acknowledgeAs(by);
  if (wanted === 'acknowledge') return [renderButton(acknowledge), renderButton(SNOOZE)];
  return [renderButton({ ...SNOOZE, look: '' }), renderButton({ ...acknowledge, look: 'plain' })];
}

function causeLine(text: string): string {
  return `<p class="cause">${escapeHtml(text)}</p>`;
}

/** Returns a sentence like `Webhooks API is down (2 min): Expected status 2xx, got 500.` */
function describeFailure({ resourceName, state, downMs, cause }: LinkedIncident): string {
  const length = formatDuration(downMs);
  const what = state === 'resolved' ? `was down for ${length}` : `is down (${length})`;
  return `${resourceName} ${what}${cause === null ? '' : `: ${cause}`}`;
}

function isEmail(by: string): boolean {
  return by.includes('@') && !by.includes(' ');
}

function acknowledgeAs(by: string): Button {
  return isEmail(by) ? { ...ACKNOWLEDGE, label: `Acknowledge as ${by}` } : ACKNOWLEDGE;
}

/**
 * Says who takes care of the incident: the reader of an email, or a shared channel. For a channel, it is unknown which
 * of its readers opened the link.
 */
function describeResponder(by: string): string {
  return isEmail(by) ? 'you’re on it' : `that ${escapeHtml(by)} is on it`;
}

interface Button {
  readonly action: Action;
  readonly label: string;
  readonly look: '' | 'plain';
}

const ACKNOWLEDGE: Button = { action: 'acknowledge', label: 'Acknowledge', look: '' };
const SNOOZE: Button = { action: 'snooze', label: 'Snooze 1 h', look: 'plain' };

function renderButton({ action: value, label, look }: Button): string {
  return `<button name="action" value="${value}" class="${look}">${escapeHtml(label)}</button>`;
}

function renderForm(token: string, parts: readonly string[]): string {
  const field = `<input type="hidden" name="token" value="${escapeHtml(token)}">`;
  return `<form method="post" action="${PATH}" class="actions">${field}${parts.join(' ')}</form>`;
}

function render({ title, content }: Page, fontUrl: string | null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Keepwatch</title>
${renderFontPreload(fontUrl)}<link rel="stylesheet" href="/entry.css">
</head>
<body>
<main>
<p class="brand">${LOGO} Keepwatch</p>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
}
