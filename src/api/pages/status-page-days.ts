/**
 * Renders the 90 days of an item as a row of bars. Each bar is a radio button that shows the details of its day without
 * a script. A row is one tab stop, and the arrow keys move between days.
 */
import { HOUR_MS } from '../../domain/health/summary';
import type { PublicDay, PublicItem, PublicState } from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';
import type { PageTexts } from './status-page-text';

/** Renders the row of an item. `group` distinguishes the rows of one page. */
export function renderDays(item: PublicItem, group: string, texts: PageTexts): string {
  const { days } = item;
  const { say } = texts;
  const share = shareWords(item, texts);
  const outages = texts.outageDays(days.filter(({ state }) => state === 'down').length);
  const legend = say('days.legend', { name: escapeHtml(item.name), share, days: outages });
  const bars = days.map(
    (day) =>
      `<input type="radio" name="${group}" class="${classOfDay(day)}" aria-label="${dayWords(day, texts)}">`,
  );
  return `<fieldset class="days"><legend>${legend}</legend>
<div class="strip">${bars.join('')}</div>
<p class="axis"><span>${say('days.first')}</span><span>${share}</span><span>${say('days.last')}</span></p></fieldset>`;
}

function shareWords({ availability, sinceMs }: PublicItem, texts: PageTexts): string {
  if (availability === null) return texts.overall('unknown');
  const percent = texts.percent(availability);
  return sinceMs === null
    ? texts.say('days.uptime', { percent })
    : texts.say('days.since', { percent, day: texts.day(sinceMs) });
}

/** The look of a day. `partial` is a day with less than an hour of downtime. */
type DayClass = PublicState | 'partial';

function classOfDay({ state, downMs }: PublicDay): DayClass {
  return state === 'down' && downMs < HOUR_MS ? 'partial' : state;
}

const LEGEND: readonly DayClass[] = ['up', 'degraded', 'partial', 'down', 'maintenance', 'unknown'];

/** The legend for the bars of all items. */
export function renderLegend(texts: PageTexts): string {
  const keys = LEGEND.map(
    (name) => `<span><span class="key ${name}"></span>${legendWords(name, texts)}</span>`,
  );
  return `<p class="legend">${keys.join('')}</p>`;
}

function legendWords(name: DayClass, texts: PageTexts): string {
  if (name === 'partial') return texts.say('days.partial');
  return name === 'down' ? texts.say('days.long') : stateOfDay(name, texts);
}

function stateOfDay(state: PublicState, { say, state: word }: PageTexts): string {
  return state === 'unknown' ? say('days.no-data') : word(state);
}

function dayWords({ startMs, state, availability, downMs }: PublicDay, texts: PageTexts): string {
  const { say } = texts;
  const day = texts.day(startMs);
  if (availability === null) return say('days.day', { day, what: stateOfDay(state, texts) });
  const what =
    downMs === 0 ? texts.state(state) : say('days.down', { length: texts.length(downMs) });
  return say('days.day-share', { day, what, percent: texts.percent(availability) });
}
