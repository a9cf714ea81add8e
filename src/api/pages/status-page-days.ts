/**
 * The 90 days of an item as a row of bars that tells each day by mouse, touch and keyboard without a
 * script: a group of radio buttons is one stop of the Tab key, and the arrows go from day to day.
 */
import { percentText } from '../../domain/text/figures';
import type { PublicDay, PublicItem, PublicState } from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';
import { dayText, lengthText, STATE_WORDS } from './status-page-text';

/** `group` tells the rows of one page apart. */
export function renderDays(item: PublicItem, group: string): string {
  const { name, availability, days, sinceMs } = item;
  const since = sinceMs === null ? 'uptime' : `since ${dayText(sinceMs)}`;
  const share = availability === null ? 'No data yet' : `${percentText(availability)} ${since}`;
  const bad = days.filter(({ state }) => state === 'down').length;
  const downDays = bad === 1 ? '1 day with an outage' : `${bad} days with outages`;
  const bars = days.map(
    (day) =>
      `<input type="radio" name="${group}" class="${day.state}" aria-label="${dayWords(day)}">`,
  );
  return `<fieldset class="days"><legend>${escapeHtml(name)}, last 90 days: ${share}, ${downDays}</legend>
<div class="strip">${bars.join('')}</div>
<p class="axis"><span>90 days ago</span><span>${share}</span><span>Today</span></p></fieldset>`;
}

const LEGEND: readonly PublicState[] = ['up', 'degraded', 'down', 'maintenance', 'unknown'];

/** Of the bars of all items. */
export function renderLegend(): string {
  const keys = LEGEND.map(
    (state) =>
      `<span><span class="key ${state}"></span>${state === 'unknown' ? 'No data' : STATE_WORDS[state]}</span>`,
  );
  return `<p class="legend">${keys.join('')}</p>`;
}

function dayWords({ startMs, state, availability, downMs }: PublicDay): string {
  const day = dayText(startMs);
  if (availability === null)
    return `${day}: ${state === 'unknown' ? 'No data' : STATE_WORDS[state]}`;
  const down = downMs === 0 ? STATE_WORDS[state] : `Down ${lengthText(downMs)}`;
  return `${day}: ${down}, ${percentText(availability)}`;
}
