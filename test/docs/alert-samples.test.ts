/** Tests that the samples of alerts in the documents are what a phone with ntfy gets for the same facts. */
import type { AlertMessage } from '../../src/contracts/alerts';
import { ntfy } from '../../src/notify/channels/ntfy';
import { composeOwn } from '../../src/notify/sender';
import { buildAlert } from '../support/alert-message';
import { readPages } from './read-docs';

const PUBLIC_URL = 'https://keepwatch.example.com';
const REGIONS = ['eu-west', 'us-east'];

const checkout = {
  sentAtMs: Date.UTC(2026, 10, 28, 3, 2, 20),
  resourceName: 'Checkout',
  sinceMs: Date.UTC(2026, 10, 28, 3, 0, 10),
  lastPassing: {
    atMs: Date.UTC(2026, 10, 28, 2, 59, 10),
    status: 200,
    responseTimeMs: 84,
    body: '{"ok":true}',
  },
  regions: REGIONS,
};

interface Sample extends Partial<AlertMessage> {
  readonly sentAtMs: number;
  readonly group?: string;
}

const FACTS: readonly Sample[] = [
  {
    resourceName: 'Local server',
    sentAtMs: Date.UTC(2026, 10, 28, 14, 30, 12),
    sinceMs: Date.UTC(2026, 10, 28, 14, 30, 10),
    cause: { code: 'connection_refused', message: 'Connection refused on port 8080.' },
    exchange: { method: 'GET', url: 'http://localhost:8080/', status: null, body: null },
    lastPassing: {
      atMs: Date.UTC(2026, 10, 28, 14, 30),
      status: 200,
      responseTimeMs: 2.56,
      body: '<!DOCTYPE HTML> <title>Directory listing for /</title>',
    },
    regions: REGIONS,
  },
  {
    ...checkout,
    cause: { code: 'connection_refused', message: 'Connection refused on port 443.' },
    exchange: {
      method: 'GET',
      url: 'https://shop.example.com/checkout',
      status: null,
      body: null,
    },
    escalation: { policyName: 'On call', step: 1, steps: 2, lastResort: null },
  },
  {
    ...checkout,
    cause: { code: 'assertion_failed', message: 'Expected status 2xx, got 503.' },
    assertion: { text: 'status equals', expected: '2xx', actual: '503' },
    exchange: {
      method: 'GET',
      url: 'https://shop.example.com/checkout',
      status: 503,
      body: '{"error": "no connection to orders-db"}',
    },
    group: 'shop',
    guidance: { runbookUrl: null, note: 'Fail over orders-db, then restart checkout.' },
  },
];

function write({ sentAtMs, group, ...facts }: Sample): string {
  const message = composeOwn(
    ntfy,
    {
      id: 'alr_1',
      alert: buildAlert(facts),
      sentAtMs,
      ...(group !== undefined && { group }),
    },
    PUBLIC_URL,
  );
  return `${message.title}\n${message.text}\n`;
}

const samples = readPages().flatMap(({ file, text }) =>
  [...text.matchAll(/^```(.*)\n([\s\S]*?)^```/gm)]
    .filter(([, language]) => language === '')
    .map(([, , sample = '']) => ({ file, sample }))
    .filter(({ sample }) => /^Down(?: again)?: /.test(sample)),
);

test.each(samples)('the alert in $file is what the product sends', ({ sample }) => {
  expect(FACTS.map(write)).toContain(sample);
});

test('getting started and the page for people on call show an alert', () => {
  const files = samples.map(({ file }) => file);
  expect(files).toEqual(expect.arrayContaining(['docs/getting-started.md', 'docs/on-call.md']));
});
