/**
 * Tests the expiry dates that checks have seen: certificates, and registrations of domains.
 *
 * Covers:
 * - domain/health/ending-facts
 */
import type { RegistrationFacts, StepOutcome, TlsFacts } from '../../../src/contracts/outcome';
import { nextWarnings } from '../../../src/domain/alerting/certificate-warnings';
import { findCertificate } from '../../../src/domain/health/ending-facts';
import { listCheckedCertificates } from '../../../src/workflows/loop/seen-certificates';
import { monitorConfig, outcomeOf } from '../../support/outcomes';

const DAY_MS = 86_400_000;
const ENDS_MS = Date.UTC(2026, 5, 30);
const expiresAt = new Date(ENDS_MS).toISOString();
const fingerprint = 'ab'.repeat(32);

const REGISTRATION: RegistrationFacts = {
  domain: 'shop.example',
  registrar: 'Names and Sons',
  expiresAt,
  fingerprint,
};

const CERTIFICATE: TlsFacts = {
  version: 'TLSv1.3',
  issuer: 'Authority',
  fingerprint,
  expiresAt,
  daysUntilExpiry: 20,
  trusted: true,
};

/** Facts in the former format, in which the registration was not separate from the certificate. */
const FORMER: TlsFacts & { readonly domain: string } = {
  ...CERTIFICATE,
  version: null,
  issuer: 'Names and Sons',
  domain: 'shop.example',
};

const seenBy = (facts: Partial<StepOutcome>) =>
  listCheckedCertificates(
    [{ region: 'eu-west', outcome: { ...outcomeOf('up'), tls: null, ...facts } }],
    monitorConfig('mon_1', { tlsWarnDays: [30, 7] }),
  );

test('an expiring domain registration sends one warning per threshold, like a certificate', () => {
  const seen = seenBy({ registration: REGISTRATION });
  const slot = (daysBefore: number) => ({ atMs: ENDS_MS - daysBefore * DAY_MS, isMuted: false });
  const first = nextWarnings([], seen, slot(20));
  expect(first.due).toMatchObject([
    { thresholdDays: 30, certificate: { domain: 'shop.example', issuer: 'Names and Sons' } },
  ]);
  expect(nextWarnings(first.warned, seen, slot(19)).due).toEqual([]);
  expect(nextWarnings(first.warned, seen, slot(6)).due).toMatchObject([{ thresholdDays: 7 }]);
});

test('a domain registration stored in the former TLS fields is read as a registration', () => {
  expect(seenBy({ tls: FORMER })).toEqual(seenBy({ registration: REGISTRATION }));
  expect(findCertificate({ tls: FORMER })).toBeNull();
  const { domain: _domain, ...kept } = FORMER;
  expect(findCertificate({ tls: kept })).toBeNull();
});

test('a check that received only a certificate reports no domain registration', () => {
  const [seen] = seenBy({ tls: CERTIFICATE });
  expect(seen).toMatchObject({ issuer: 'Authority', fingerprint });
  expect(seen).not.toHaveProperty('domain');
  expect(seenBy({})).toEqual([]);
});

test('a certificate names the host that presented it, after redirects', () => {
  const request = { method: 'GET', url: 'https://shop.example/a' };
  const response = {
    status: 200,
    httpVersion: '1.1',
    bytes: 0,
    remoteIp: null,
    finalUrl: 'https://www.shop.example:8443/b',
    redirects: 1,
    bodyPreview: null,
    truncated: false,
  };
  const hostIn = (facts: Partial<StepOutcome>) => seenBy({ tls: CERTIFICATE, ...facts })[0]?.host;
  expect(hostIn({ request, response })).toBe('www.shop.example');
  expect(hostIn({ request, response: null })).toBe('shop.example');
  expect(hostIn({ request: null, response: null })).toBeUndefined();
});

test("a check's client certificate has its own warnings, in addition to the warnings about its target", () => {
  const client = {
    fingerprint: 'cd'.repeat(32),
    issuer: 'Company root',
    expiresAt: new Date(ENDS_MS - 10 * DAY_MS).toISOString(),
  };
  const seen = seenBy({ tls: { ...CERTIFICATE, client } });
  expect(seen).toHaveLength(2);
  const { due } = nextWarnings([], seen, { atMs: ENDS_MS - 20 * DAY_MS, isMuted: false });
  expect(due).toMatchObject([
    { thresholdDays: 30, certificate: { fingerprint: 'ab'.repeat(32), issuer: 'Authority' } },
    {
      thresholdDays: 30,
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
