/**
 * The ledger of a status page as HTML and as a badge. The ledger counts how many checks were due and how many are
 * missing.
 */
import type { Weekday } from '../../contracts/escalation';
import type { WeeklyHours } from '../../contracts/maintenance';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import { escapeHtml } from './escape-html';
import { renderLine } from './feeds/status-badge';
import type { PageTexts } from './status-page-text';

const PER = 1_000_000;
/** The URL is a variable, because only members may see the public URL of the installation. */
const COMMAND =
  'curl -H "Authorization: Bearer $KEEPWATCH_API_KEY" "$KEEPWATCH_URL/v1/operations/ledger"';

/** Renders the ledger. Empty if the page does not show it. */
export function renderLedger(ledger: LedgerResponse | null, texts: PageTexts): string {
  if (ledger === null) return '';
  const { say, count, span } = texts;
  const { total, from, to } = ledger;
  const { slots, alerts } = total;
  const rows = [
    ['ledger.due', slots.due],
    ['ledger.made', slots.made],
    ['ledger.missed', slots.missed],
    ['ledger.unaccounted', slots.unaccounted],
    ['ledger.alerts-due', alerts.due],
    ['ledger.alerts-sent', alerts.sent],
    ['ledger.alerts-doubled', alerts.doubled],
  ] as const;
  const items = rows.map(
    ([word, number]) => `<li>${say(word)}: <strong>${count(number)}</strong></li>`,
  );
  const promise = say('ledger.promise', {
    rate: rateWords(ledger, texts),
    span: span(Date.parse(from), Date.parse(to)),
  });
  const command = `<code>${escapeHtml(COMMAND)}</code>`;
  return `<section class="ledger"><h2>${say('ledger.title')}</h2>
<p>${promise}</p>
<ul class="card">${items.join('')}</ul>
<p>${say('ledger.command', { command })}</p></section>`;
}

/** Returns words for the rate of missing checks among the slots that were verified. */
function rateWords({ total: { slots } }: LedgerResponse, { say, count }: PageTexts): string {
  if (slots.verified === 0) return say('ledger.nothing');
  const perMillion = (slots.unaccounted / slots.verified) * PER;
  const rate = count(Math.round(perMillion * 100) / 100);
  return say('ledger.rate', { rate, count: count(slots.verified) });
}

export function renderLedgerBadge(
  { total: { slots } }: LedgerResponse,
  { say, count }: PageTexts,
): string {
  const numbers = { lost: count(slots.unaccounted), count: count(slots.due) };
  const state = slots.unaccounted === 0 ? 'up' : 'degraded';
  return renderLine(say('ledger.badge'), say('ledger.badge-value', numbers), state);
}

/** Renders the service hours during which the page's availability is counted. */
export function renderServiceHours(
  service: Pick<WeeklyHours, 'weekly' | 'timeZone'> | null,
  { say, weekday }: PageTexts,
): string {
  if (service === null) return '';
  const days = (open: readonly Weekday[]) => open.map(weekday).join(', ');
  const hours = service.weekly.map((open) => `${days(open.days)} ${open.from}–${open.to}`);
  const names = { hours: escapeHtml(hours.join('; ')), zone: escapeHtml(service.timeZone) };
  return `<p class="about">${say('service.hours', names)}</p>`;
}
