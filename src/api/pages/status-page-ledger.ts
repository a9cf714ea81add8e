/** What a status page says of the checks themselves, as HTML and as a badge: how many were due, and how many are missing. */
import type { WeeklyHours } from '../../contracts/maintenance';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import { escapeHtml } from './escape-html';
import { renderLine } from './status-badge';
import { timeSpan } from './status-page-text';

const COUNT = new Intl.NumberFormat('en');
const PER = 1_000_000;
/** The public URL of the account's own installation is for its members. */
const COMMAND =
  'curl -H "Authorization: Bearer $KEEPWATCH_API_KEY" "$KEEPWATCH_URL/v1/operations/ledger"';

/** Nothing where a page has none. */
export function ledgerSection(ledger: LedgerResponse | null): string {
  if (ledger === null) return '';
  const { total, from, to } = ledger;
  const { slots, alerts } = total;
  const rows = [
    ['Checks due', slots.due],
    ['made', slots.made],
    ['missed, in named gaps', slots.missed],
    ['missed outside of named gaps', slots.unaccounted],
    ['Alerts due', alerts.due],
    ['sent', alerts.sent],
    ['sent twice', alerts.doubled],
  ] as const;
  const items = rows.map(
    ([name, count]) => `<li>${name}: <strong>${COUNT.format(count)}</strong></li>`,
  );
  return `<section class="ledger"><h2>Our own checks</h2>
<p>At most one missed slot per million outside named gaps: ${rateWords(ledger)}, ${timeSpan(Date.parse(from), Date.parse(to))}.</p>
<ul class="card">${items.join('')}</ul>
<p>Measured by <code>${escapeHtml(COMMAND)}</code></p></section>`;
}

/** Of what the schedule itself says was due. */
function rateWords({ total: { slots } }: LedgerResponse): string {
  if (slots.verified === 0) return 'nothing was counted yet';
  const perMillion = (slots.unaccounted / slots.verified) * PER;
  return `${COUNT.format(Math.round(perMillion * 100) / 100)} per million of ${COUNT.format(slots.verified)} slots`;
}

export function renderLedgerBadge({ total: { slots } }: LedgerResponse): string {
  const value = `${COUNT.format(slots.unaccounted)} lost of ${COUNT.format(slots.due)}`;
  return renderLine('checks', value, slots.unaccounted === 0 ? 'up' : 'degraded');
}

/** Which hours the availability of a page is counted in. */
export function serviceLine(service: Pick<WeeklyHours, 'weekly' | 'timeZone'> | null): string {
  if (service === null) return '';
  const times = service.weekly.map(({ days, from, to }) => `${days.join(', ')} ${from}–${to}`);
  const words = escapeHtml(`${times.join('; ')} (${service.timeZone})`);
  return `<p class="about">Service hours: ${words}. Time outside of them does not count in availability.</p>`;
}
