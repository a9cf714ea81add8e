/** Formats the request and response of a failed check, and the last passed result, as lines of plain text. */
import type { LastPassing, PassingCheck } from '../contracts/alerting/alert-facts';
import type { AlertExchange } from '../contracts/outcome';
import { formatInstant } from '../domain/health/instant-words';
import { isHtmlPage } from '../domain/text/html-summary';
import { toOneLine } from '../domain/text/plain-lines';

interface EvidenceLine {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns a line like `GET https://shop.example.com/ → 503`, and a second line with the start of the body if there is
 * one. Of an HTML page, the second line shows the title and the visible text.
 */
export function listExchangeLines({
  method,
  url,
  status,
  body,
  summary,
}: AlertExchange): readonly EvidenceLine[] {
  const shown = summary ?? body;
  const request = status === null ? `${method} ${url}` : `${method} ${url} → ${status}`;
  return [
    { name: 'Request', value: toOneLine(request) },
    ...(shown === null ? [] : [{ name: 'Response', value: toOneLine(shown) }]),
  ];
}

/** Returns a line like `GET https://shop.example.com/ → 200 in 84 ms`. */
export function writePassingLine({
  method,
  url,
  status,
  responseTimeMs,
}: PassingCheck): EvidenceLine {
  const time = responseTimeMs === null ? '' : ` in ${Math.round(responseTimeMs)} ms`;
  return { name: 'Request', value: toOneLine(`${method} ${url} → ${status ?? 'passed'}${time}`) };
}

/** Returns a line like `status 200 in 84 ms, {"ok":true} (2026-01-05 11:59:00 UTC)`. Leaves out a body of HTML. */
export function writeLastPassingLine({
  atMs,
  status,
  responseTimeMs,
  body,
}: LastPassing): EvidenceLine {
  const what = status === null ? 'passed' : `status ${status}`;
  const time = responseTimeMs === null ? '' : ` in ${Math.round(responseTimeMs)} ms`;
  const text = body === null || isHtmlPage(body) ? '' : `, ${body}`;
  return {
    name: 'Last passing',
    value: toOneLine(`${what}${time}${text} (${formatInstant(atMs)})`),
  };
}
