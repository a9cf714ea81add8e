/** Formats the request and response of a failed check, and the last passed result, as lines of plain text. */
import type { LastPassing } from '../contracts/alerts';
import type { AlertExchange } from '../contracts/outcome';
import { instantWords } from '../domain/health/instant-words';
import { cutText } from '../domain/text/cut-text';
import { isHtmlPage } from '../domain/text/html-summary';

const LINE_MAX = 360;

interface EvidenceLine {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns a line like `GET https://shop.example.com/ → 503`, and a second line with the start of the body if there is
 * one. Of an HTML page, the second line shows the title and the visible text.
 */
export function exchangeLines({
  method,
  url,
  status,
  body,
  summary,
}: AlertExchange): readonly EvidenceLine[] {
  const shown = summary ?? body;
  const request = status === null ? `${method} ${url}` : `${method} ${url} → ${status}`;
  return [
    { name: 'Request', value: oneLine(request) },
    ...(shown === null ? [] : [{ name: 'Response', value: oneLine(shown) }]),
  ];
}

/** Returns a line like `status 200 in 84 ms, {"ok":true} (2026-01-05 11:59:00 UTC)`. Leaves out a body of HTML. */
export function lastPassingLine({ atMs, status, responseTimeMs, body }: LastPassing): EvidenceLine {
  const what = status === null ? 'passed' : `status ${status}`;
  const time = responseTimeMs === null ? '' : ` in ${Math.round(responseTimeMs)} ms`;
  const text = body === null || isHtmlPage(body) ? '' : `, ${body}`;
  return { name: 'Last passing', value: oneLine(`${what}${time}${text} (${instantWords(atMs)})`) };
}

/** Returns the text with its line breaks. Blank lines are left out. Other control characters become spaces. */
export function severalLines(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trimEnd())
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Returns the text on one line. Line breaks and other control characters become spaces, and the length is limited. */
export function oneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  return cutText(plain, LINE_MAX);
}
