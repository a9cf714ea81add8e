/** What checks have seen that is about to end: certificates, and registrations of domains. */
import type { TlsFacts } from '../../../src/contracts/outcome';
import { nextWarnings } from '../../../src/domain/alerting/certificate-warnings';
import { checkedCertificates } from '../../../src/workflows/loop/seen-certificates';
import { monitorConfig, outcomeOf } from '../../support/outcomes';

const DAY_MS = 86_400_000;
const ENDS_MS = Date.UTC(2026, 5, 30);

const REGISTRATION: TlsFacts = {
  version: null,
  issuer: 'Names and Sons',
  fingerprint: 'ab'.repeat(32),
  expiresAt: new Date(ENDS_MS).toISOString(),
  daysUntilExpiry: 20,
  trusted: true,
  domain: 'shop.example',
};

const seenBy = (tls: TlsFacts | null) =>
  checkedCertificates(
    [{ region: 'eu-west', outcome: { ...outcomeOf('up'), tls } }],
    monitorConfig('mon_1', { tlsWarnDays: [30, 7] }),
  );

test('the registration of a domain is warned of like a certificate, once for each number of days', () => {
  const seen = seenBy(REGISTRATION);
  const slot = (daysBefore: number) => ({ atMs: ENDS_MS - daysBefore * DAY_MS, isMuted: false });
  const first = nextWarnings([], seen, slot(20));
  expect(first.due).toMatchObject([
    { rungDays: 30, certificate: { domain: 'shop.example', issuer: 'Names and Sons' } },
  ]);
  expect(nextWarnings(first.warned, seen, slot(19)).due).toEqual([]);
  expect(nextWarnings(first.warned, seen, slot(6)).due).toMatchObject([{ rungDays: 7 }]);
});

test('a certificate names no domain', () => {
  const { domain: _domain, ...certificate } = REGISTRATION;
  expect(seenBy(certificate)).toHaveLength(1);
  expect(seenBy(certificate)[0]).not.toHaveProperty('domain');
  expect(seenBy(null)).toEqual([]);
});

test('the certificate that a check shows itself is warned of beside that of its target', () => {
  const { domain: _domain, ...certificate } = REGISTRATION;
  const client = {
    fingerprint: 'cd'.repeat(32),
    issuer: 'Company root',
    expiresAt: new Date(ENDS_MS - 10 * DAY_MS).toISOString(),
  };
  const seen = seenBy({ ...certificate, client });
  expect(seen).toHaveLength(2);
  const { due } = nextWarnings([], seen, { atMs: ENDS_MS - 20 * DAY_MS, isMuted: false });
  expect(due).toMatchObject([
    { rungDays: 30, certificate: { fingerprint: 'ab'.repeat(32), issuer: 'Names and Sons' } },
    {
      rungDays: 30,
      certificate: {
        fingerprint: 'cd'.repeat(32),
        issuer: 'Company root',
        expiresAtMs: ENDS_MS - 10 * DAY_MS,
        client: true,
      },
    },
  ]);
  expect(due[0]?.certificate).not.toHaveProperty('client');
});
