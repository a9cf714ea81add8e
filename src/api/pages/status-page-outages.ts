/** Outages on the public status page as HTML: the recent ones, and those of a month. */
import type { PublicOutage } from '../../services/status-pages/public-outages';
import { isolateText, type PageTexts, toShownSpan } from './status-page-text';

/** Renders the outages of the last 14 days, with a link to `older`, the month in which these days begin. */
export function renderRecentOutages(
  outages: readonly PublicOutage[],
  older: string,
  texts: PageTexts,
): string {
  const { say } = texts;
  const link = `<p><a href="${older}">${say('outage.older')}</a></p>`;
  return `<section><h2>${say('outage.title')}</h2>${outageList(outages, say('outage.none'), texts)}${link}</section>`;
}

/** Renders the outages that began in a month. */
export function renderMonthOutages(
  outages: readonly PublicOutage[],
  month: string,
  texts: PageTexts,
): string {
  const { say } = texts;
  return `<section><h2>${say('outage.of-month', { month })}</h2>${outageList(outages, say('outage.none-in-month'), texts)}</section>`;
}

function outageList(outages: readonly PublicOutage[], none: string, texts: PageTexts): string {
  if (outages.length === 0) return `<p>${none}</p>`;
  const rows = outages.map((outage) => `<li>${outageWords(outage, texts)}</li>`);
  return `<ul class="card outages">${rows.join('\n')}</ul>`;
}

/**
 * Renders an outage, or several outages of one item as one entry. The length never exceeds the time between the shown
 * start and end.
 */
function outageWords(
  { name: given, fromMs, toMs, lastFromMs, count, downMs }: PublicOutage,
  { say, time, span, length, earlierOutages }: PageTexts,
): string {
  const name = isolateText(given);
  if (toMs === null) {
    const down = `<strong class="down">${say('outage.word')}</strong>`;
    const open = `<span>${say('outage.open', { name, down, since: time(lastFromMs) })}</span>`;
    if (count === 1) return open;
    return `${open} <span class="muted">${earlierOutages(count - 1, time(fromMs))}</span>`;
  }
  const key = count === 1 ? 'outage.over' : 'outage.over-many';
  const shown = toShownSpan(fromMs, toMs);
  const shownMs = shown.toMs - shown.fromMs;
  const words = say(key, {
    name,
    count,
    length: length(count === 1 ? shownMs : Math.min(downMs, shownMs)),
  });
  return `<span>${words}</span> <span class="muted">${span(shown.fromMs, shown.toMs)}</span>`;
}
