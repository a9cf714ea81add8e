/** The request and response of a failing check, in the few lines that an alert has room for. Pure. */
import type { AlertExchange, StepOutcome } from '../../contracts/outcome';
import { cutText } from '../text/cut-text';

const URL_MAX = 300;
/** Characters of the body: what a phone shows without a tap. */
const BODY_MAX = 200;

/**
 * Method, URL, status and the beginning of the body on one line. Contains only what results contain: secrets are
 * masked, and there is no body if none is kept. null: nothing was sent.
 */
export function exchangeFacts({
  request,
  response,
}: Pick<StepOutcome, 'request' | 'response'>): AlertExchange | null {
  if (request === null) return null;
  const body = onOneLine(response?.bodyPreview ?? '');
  return {
    method: request.method,
    url: cutText(request.url, URL_MAX),
    status: response?.status ?? null,
    body: body === '' ? null : cutText(body, BODY_MAX),
  };
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}
