/** Sample alerts for trying templates and testing channels. */
import type { AlertKind } from '../contracts/alerting/alert-kinds';
import type { AlertMessage } from '../contracts/alerts';

const MINUTE_MS = 60_000;
const EXCHANGE = {
  method: 'GET',
  url: 'https://shop.example.com/checkout',
  status: 503,
  body: '{"error": "no connection to orders-db"}',
};

const GUIDANCE = {
  runbookUrl: 'https://wiki.example.com/checkout',
  note: 'Fail over orders-db first.',
};

/** Returns an alert of the kind. As many fields as possible are filled in. */
export function createSampleAlert(kind: AlertKind, nowMs: number): AlertMessage {
  const sinceMs = nowMs - 12 * MINUTE_MS;
  const isCertificate = kind === 'certificate';
  const hasIncident = !isCertificate && !['digest', 'test', 'event'].includes(kind);
  return {
    id: 'sample',
    kind,
    accountId: 'sample',
    incidentId: hasIncident ? 'inc_00000000000000000000000000' : null,
    resourceType: 'monitor',
    resourceId: `${kind === 'test' ? 'chn' : 'mon'}_00000000000000000000000000`,
    resourceName: kind === 'test' ? 'Operations' : 'Checkout',
    atMs: nowMs,
    sinceMs: kind === 'recovery' ? nowMs : sinceMs,
    openedAtMs: hasIncident ? sinceMs : null,
    health: kind === 'recovery' ? 'up' : kind === 'degraded' ? 'degraded' : 'down',
    ends: kind === 'recovery' ? ['failure'] : [],
    cause: { code: 'assertion_failed', message: 'Expected status 2xx, got 503.' },
    regions: ['eu-west', 'us-east'],
    certificate: isCertificate
      ? {
          fingerprint: 'ab'.repeat(32),
          expiresAtMs: nowMs + 3 * 24 * 60 * MINUTE_MS,
          issuer: 'Example CA',
          step: null,
          rungDays: 3,
          host: 'shop.example.com',
        }
      : null,
    assertion: { text: 'status equals', expected: '2xx', actual: '503' },
    ...(hasIncident && kind !== 'recovery' && { exchange: EXCHANGE }),
    ...((hasIncident || isCertificate) && kind !== 'recovery' && { guidance: GUIDANCE }),
    ...(kind === 'recovery' && {
      passing: { method: EXCHANGE.method, url: EXCHANGE.url, status: 200, responseTimeMs: 84 },
      acknowledged: { by: 'Ann', atMs: sinceMs + 2 * MINUTE_MS },
    }),
    ...(kind === 'reminder' && { alsoNotified: [{ name: 'Operations', atMs: sinceMs }] }),
    ...(kind === 'failure' && {
      lastPassing: {
        atMs: sinceMs - MINUTE_MS,
        status: 200,
        responseTimeMs: 84,
        body: '{"ok": true}',
      },
    }),
    ...(kind === 'flapping' && { flapping: { outages: 5, sinceMs, isAgain: false } }),
    ...(kind === 'event' && {
      event: {
        type: 'monitor.changed' as const,
        data: { health: 'down', since: new Date(sinceMs).toISOString() },
      },
    }),
    entries: kind === 'digest' ? sampleEntries(sinceMs) : [],
  };
}

function sampleEntries(atMs: number): AlertMessage['entries'] {
  return ['Checkout', 'Storefront'].map((resourceName, index) => ({
    kind: 'failure',
    resourceType: 'monitor',
    resourceId: `mon_${`${index}`.repeat(26)}`,
    resourceName,
    incidentId: null,
    atMs,
    reason: 'got 503, expected 2xx',
  }));
}
