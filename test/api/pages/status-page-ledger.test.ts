/** Tests the ledger on a status page: the promise about missed slots, how well the promise is kept, and a badge. */
import {
  renderLedger,
  renderLedgerBadge,
  renderServiceHours,
} from '../../../src/api/pages/status-page-ledger';
import { getTexts, WORDS } from '../../../src/api/pages/status-page-text';
import { STATUS_PAGE_LANGUAGES } from '../../../src/contracts/status-pages';
import type { LedgerResponse } from '../../../src/schemas/responses/ledger';

const EN = getTexts('en');
const NO_ALERTS = { due: 12, sent: 12, pending: 0, failed: 0, doubled: 0 };
const slotsWith = (unaccounted: number, due: number) => ({
  due,
  made: due - unaccounted - 7,
  late: 0,
  missed: 7,
  missedReasons: { worker_lost: 7 },
  unaccounted,
  verified: due,
});
const ledgerWith = (unaccounted: number, due: number): LedgerResponse => ({
  from: '2026-03-22T00:00:00.000Z',
  to: '2026-03-28T14:00:00.000Z',
  observedFrom: '2026-03-22T00:00:00.000Z',
  total: { slots: slotsWith(unaccounted, due), alerts: NO_ALERTS },
  days: [],
});

test('the ledger block shows the promised maximum of missed slots, the counted slots and the API request behind them', () => {
  const html = renderLedger(ledgerWith(1, 4_000_000), EN);
  expect(html).toContain('At most one missed slot per million outside named gaps');
  expect(html).toContain('0.25 per million of 4,000,000 slots');
  expect(html).toContain('/v1/operations/ledger');
  expect(html).toContain('missed, in named gaps: <strong>7</strong>');
  expect(html).not.toContain('worker_lost');
});

test.each(STATUS_PAGE_LANGUAGES)(
  'the ledger block has every row in %s, and its rate counts slots, not checks',
  (language) => {
    const texts = getTexts(language);
    const html = renderLedger(ledgerWith(1, 4_000_000), texts);
    const rows = [
      'due',
      'made',
      'missed',
      'unaccounted',
      'alerts-due',
      'alerts-sent',
      'alerts-doubled',
    ] as const;
    for (const row of rows) expect(html).toContain(`<li>${texts.say(`ledger.${row}`)}: <strong>`);
    expect(html).toContain(texts.count(0.25));
    expect(html).toContain(texts.count(4_000_000));
    expect(html).not.toMatch(/\{\w+\}/);
    const checks = WORDS[language]['ledger.badge'].toLowerCase();
    expect(WORDS[language]['ledger.rate'].toLowerCase()).not.toContain(checks);
    const badge = renderLedgerBadge(ledgerWith(2, 12_345), texts);
    expect(badge).toContain(texts.count(12_345));
    expect(badge).not.toMatch(/\{\w+\}/);
  },
);

test('the ledger block says that nothing was counted yet if no slot was due', () => {
  expect(renderLedger(ledgerWith(0, 0), EN)).toContain('nothing was counted yet');
  expect(renderLedger(null, EN)).toBe('');
});

test('the ledger badge shows the number of lost slots in the matching colour', () => {
  expect(renderLedgerBadge(ledgerWith(0, 12_345), EN)).toContain('checks: 0 lost of 12,345');
  const [well, lost] = [0, 2].map((count) => renderLedgerBadge(ledgerWith(count, 12_345), EN));
  expect(well).toContain('#116329');
  expect(lost).not.toContain('#116329');
});

test('the status page shows service hours with their time zone', () => {
  const weekly = [{ days: ['mon' as const, 'fri' as const], from: '09:00', to: '18:00' }];
  expect(renderServiceHours({ weekly, timeZone: 'Europe/Berlin' }, EN)).toBe(
    '<p class="about">Service hours: Mon, Fri 09:00–18:00 (Europe/Berlin). Time outside of them does not count in availability.</p>',
  );
  expect(renderServiceHours({ weekly, timeZone: 'Europe/Berlin' }, getTexts('de'))).toContain(
    'Mo, Fr 09:00',
  );
  expect(renderServiceHours(null, EN)).toBe('');
});
