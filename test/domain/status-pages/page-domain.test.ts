/** Tests when a domain of a status page is verified. */
import {
  claimDomains,
  listVerifiedHosts,
  type PageDomain,
  withDomainCheck,
} from '../../../src/domain/status-pages/page-domain';

const NOW = Date.UTC(2026, 0, 5, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const claim = (): PageDomain => {
  const [domain] = claimDomains(['status.example.com'], [], NOW);
  if (domain === undefined) throw new Error('nothing was claimed');
  return domain;
};

it('a new domain of a page is unverified, and its verification begins at once', () => {
  expect(claim()).toMatchObject({ verifiedAtMs: null, nextCheckAtMs: NOW });
});

it.each([
  ['every minute in the first hour', 0, MINUTE],
  ['every hour after the first hour', HOUR, HOUR],
  ['until two weeks have passed', 14 * DAY - 1, HOUR],
])('the verification of a domain is repeated %s', (_when, ageMs, laterMs) => {
  const at = NOW + ageMs;
  expect(withDomainCheck(claim(), 'no', at)).toMatchObject({
    problem: 'no',
    verifiedAtMs: null,
    nextCheckAtMs: at + laterMs,
  });
});

it('the verification of a domain stops after two weeks and starts again when the page is saved', () => {
  const later = NOW + 14 * DAY;
  const givenUp = withDomainCheck(claim(), 'no', later);
  expect(givenUp.nextCheckAtMs).toBeNull();
  expect(claimDomains([givenUp.host], [givenUp], later)).toMatchObject([
    { claimedAtMs: later, nextCheckAtMs: later, problem: null },
  ]);
});

it('a domain that stays on a page keeps its state, verified or not', () => {
  const verified = withDomainCheck(claim(), null, NOW);
  expect(verified).toMatchObject({ verifiedAtMs: NOW, nextCheckAtMs: null, problem: null });
  const waiting = withDomainCheck({ ...claim(), host: 'b.example.com' }, 'no', NOW);
  expect(claimDomains([waiting.host, verified.host], [verified, waiting], NOW + DAY)).toEqual([
    waiting,
    verified,
  ]);
  expect(claimDomains([], [verified], NOW)).toEqual([]);
});

it('a status page is served under a domain of its own only if the domain is verified', () => {
  const verified = withDomainCheck({ ...claim(), host: 'b.example.com' }, null, NOW);
  expect(listVerifiedHosts([claim(), verified])).toEqual(['b.example.com']);
});
