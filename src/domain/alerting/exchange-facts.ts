/** The request and response of a failing check, shortened to the few lines that fit into an alert. Pure. */
import type { PassingCheck } from '../../contracts/alerting/alert-facts';
import type { AlertExchange, StepOutcome } from '../../contracts/outcome';
import { cutText } from '../text/cut-text';
import { summariseHtml } from '../text/html-summary';

const URL_MAX = 300;
/** How many characters of the body are shown: as many as a phone shows without a tap. */
const BODY_MAX = 200;

/**
 * Returns the method, URL, status and start of the body. The body is on one line. Status and body are null if the
 * outcome has none. An HTML page has a summary, too. Secrets are masked. null means that nothing was sent.
 */
export function toExchangeFacts({
  request,
  response,
}: Pick<StepOutcome, 'request' | 'response'>): AlertExchange | null {
  if (request === null) return null;
  const body = onOneLine(response?.bodyPreview ?? '');
  const summary = summariseHtml(response?.bodyPreview ?? '');
  return {
    method: request.method,
    url: cutText(request.url, URL_MAX),
    status: response?.status ?? null,
    body: body === '' ? null : cutText(body, BODY_MAX),
    ...(summary !== null && { summary: cutText(summary, BODY_MAX) }),
  };
}

/** Returns the request and response of a check that passed. null if nothing was sent. */
export function toPassingCheck(outcome: StepOutcome | undefined): PassingCheck | null {
  if (outcome === undefined || outcome.request === null) return null;
  const { request, response, responseTimeMs } = outcome;
  const { method, url } = request;
  return { method, url: cutText(url, URL_MAX), status: response?.status ?? null, responseTimeMs };
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}
