/** Tests the facts of recoveries, reminders and warnings, and how channels show them. */
import type { AlertMessage } from '../../src/contracts/alerts';
import { discord } from '../../src/notify/channels/discord';
import { ntfy } from '../../src/notify/channels/ntfy';
import { pagerduty } from '../../src/notify/channels/pagerduty';
import { pushover } from '../../src/notify/channels/pushover';
import { CHANNELS } from '../../src/notify/channels/registry';
import { slack } from '../../src/notify/channels/slack';
import { twilio } from '../../src/notify/channels/twilio';
import { formatDuration } from '../../src/notify/duration-words';
import { renderHtml } from '../../src/notify/email';
import { createSampleAlert } from '../../src/notify/sample-alerts';
import { composeOwn } from '../../src/notify/sender';
import { writeAlert } from '../../src/notify/words';
import { buildAlert } from '../support/alert-message';
import { EXAMPLES } from './channel-examples';

const URL = 'https://watch.example';
const MINUTE = 60_000;
const OPENED = Date.UTC(2026, 0, 5, 3, 0, 10);

const recovery = buildAlert({
  kind: 'recovery',
  resourceName: 'Checkout',
  health: 'up',
  ends: ['failure'],
  atMs: OPENED + 12 * MINUTE,
  sinceMs: OPENED + 12 * MINUTE,
  openedAtMs: OPENED,
});

const exchange = { method: 'GET', url: 'https://shop.example/cart', status: 503, body: null };

type Sending = Pick<(typeof CHANNELS)[number], 'type' | 'markup' | 'requests'>;

function bodyOf(channel: Sending, alert: AlertMessage): string {
  const example = Object.entries(EXAMPLES).find(([type]) => type === channel.type)?.[1];
  const message = composeOwn(channel, { id: 'alr_1', alert, sentAtMs: 0 }, URL);
  return (
    channel.requests?.(example?.config('https://service.example') ?? {}, message)[0]?.body ?? ''
  );
}

function formOf(channel: Sending, alert: AlertMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(bodyOf(channel, alert)));
}

test('a recovery says from when until when the check was down or degraded', () => {
  expect(writeAlert(recovery, URL).facts.slice(0, 2)).toEqual([
    { name: 'Down from', value: '2026-01-05 03:00:10 UTC' },
    { name: 'Down until', value: '2026-01-05 03:12:10 UTC' },
  ]);
  const degraded = writeAlert({ ...recovery, ends: ['degraded'] }, URL);
  expect(degraded.facts.map(({ name }) => name)).toEqual(['Degraded from', 'Degraded until']);
});

test.each<[string, Partial<AlertMessage>]>([
  ['Down from 2026-01-05 03:00:10 to 03:12:10 UTC', {}],
  ['Degraded from 2026-01-05 03:00:10 to 03:12:10 UTC', { ends: ['degraded'] }],
  [
    'Down from 2026-01-04 23:59:00 to 2026-01-05 03:12:10 UTC',
    { openedAtMs: Date.UTC(2026, 0, 4, 23, 59) },
  ],
])('the text message of a recovery contains “%s”, in one segment', (line, changes) => {
  const { Body: sms = '' } = formOf(twilio, { ...recovery, ...changes });
  expect(sms.split('\n')[1]).toBe(line);
  expect(sms.length).toBeLessThanOrEqual(160);
});

test('a recovery into a degraded state says so in its title', () => {
  const { headline } = writeAlert({ ...recovery, health: 'degraded' }, URL);
  expect(headline).toBe('Checkout responds again after 12 min, but is degraded');
});

test('a recovery begins with the request that passed, and says who acknowledged', () => {
  const passing = { method: 'GET', url: exchange.url, status: 200, responseTimeMs: 83.6 };
  const acknowledged = { by: 'Ann', atMs: OPENED + 2 * MINUTE };
  const { lead, facts } = writeAlert({ ...recovery, passing, acknowledged }, URL);
  expect(lead).toEqual([
    { name: 'Request', value: 'GET https://shop.example/cart → 200 in 84 ms', look: 'code' },
  ]);
  expect(facts).toContainEqual({ name: 'Acknowledged', value: 'by Ann after 2 min' });
});

test('a reminder names at most five others who were notified, with a date if it is needed', () => {
  const atMs = OPENED + 24 * 60 * MINUTE;
  const alsoNotified = ['Phone', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => ({
    name,
    atMs: index === 0 ? OPENED : atMs - MINUTE,
  }));
  const reminder = buildAlert({ kind: 'reminder', atMs, sinceMs: OPENED, alsoNotified });
  const time = '(2026-01-06 02:59 UTC)'.replace('2026-01-06 ', '');
  expect(writeAlert(reminder, URL).facts).toContainEqual({
    name: 'Also notified',
    value: `Phone (2026-01-05 03:00 UTC), b ${time}, c ${time}, d ${time}, e ${time} and 2 others`,
  });
});

test.each([
  ['Down: Backup: no ping, due 02:30 UTC', 5],
  ['Down: Backup: no ping, due 2026-01-05 02:30 UTC', 48 * 60],
])('a missed ping has the short title “%s”', (title, minutes) => {
  const dueMs = Date.UTC(2026, 0, 5, 2, 30);
  const message = 'No ping; it was due at 2026-01-05 02:30:00 UTC, with 5 min of grace.';
  const cause = { code: 'heartbeat_missed', message } as const;
  const alert = buildAlert({ resourceName: 'Backup', cause, atMs: dueMs + minutes * MINUTE });
  const { headline, lead } = writeAlert(alert, URL);
  expect(headline).toBe(title);
  expect(lead).toEqual([{ name: 'Cause', value: message, look: 'plain' }]);
});

test('a certificate that has expired is not said to expire, and its check is named once', () => {
  const sample = createSampleAlert('certificate', OPENED);
  const { certificate } = sample;
  if (certificate === null) throw new Error('no certificate');
  const over = { ...certificate, expiresAtMs: OPENED - 1 };
  const resourceName = 'shop.example.com';
  const { headline, facts } = writeAlert({ ...sample, resourceName, certificate: over }, URL);
  expect(headline).toBe('Certificate of shop.example.com has expired');
  expect(facts.map(({ name }) => name)).toEqual([
    'Expired',
    'Host',
    'Issuer',
    'Seen from',
    'To do',
  ]);
});

test('only alerts to programs contain the fingerprint of a certificate', () => {
  const sample = createSampleAlert('certificate', OPENED);
  const fingerprint = sample.certificate?.fingerprint ?? 'none';
  const channels = CHANNELS.filter(({ requests }) => requests !== null);
  const those = channels.filter((channel) => bodyOf(channel, sample).includes(fingerprint));
  // PagerDuty and Jira identify the warning by the fingerprint, but do not show it in the text.
  expect(those.map(({ type }) => type).toSorted()).toEqual(['jira', 'pagerduty', 'webhook']);
  expect(JSON.parse(bodyOf(pagerduty, sample)).payload).toMatchObject({
    component: 'shop.example.com',
    custom_details: { fingerprint, note: 'Fail over orders-db first.' },
  });
});

test('PagerDuty gets the facts of a failure by their names, and the host as the component', () => {
  const { payload } = JSON.parse(bodyOf(pagerduty, createSampleAlert('failure', OPENED)));
  expect(payload).toMatchObject({ source: 'Checkout', component: 'shop.example.com' });
  expect(payload.custom_details).toEqual({
    request: 'GET https://shop.example.com/checkout → 503',
    response: '{"error": "no connection to orders-db"}',
    note: 'Fail over orders-db first.',
    since: '2026-01-05 02:48:10 UTC',
    last_passing: 'status 200 in 84 ms, {"ok": true} (2026-01-05 02:47:10 UTC)',
    regions: 'eu-west, us-east',
    url: 'https://shop.example.com/checkout',
    status: 503,
  });
});

test('Slack and Discord show times in the time zone of the reader, but leave responses unchanged', () => {
  const body = 'at 2026-01-05 03:00:00 UTC';
  const alert = buildAlert({ sinceMs: OPENED, exchange: { ...exchange, body } });
  const seconds = OPENED / 1_000;
  const { blocks } = JSON.parse(bodyOf(slack, alert));
  expect(blocks.at(-1).fields[0].text).toBe(
    `*Since*\n<!date^${seconds}^{date_short_pretty} {time_secs}|2026-01-05 03:00:10 UTC>`,
  );
  expect(JSON.stringify(blocks)).toContain(`\`${body}\``);
  const { description } = JSON.parse(bodyOf(discord, alert)).embeds[0];
  expect(description).toContain(`**Since:** <t:${seconds}:f>`);
  expect(description).toContain(`\`${body}\``);
});

test('Pushover gets the other links after the text, and a digest of recoveries is no emergency', () => {
  const { message, html, url, priority } = formOf(pushover, createSampleAlert('failure', OPENED));
  expect(url).toMatch(/\/incidents\/inc_0+$/);
  expect(html).toBe('1');
  expect(message).toContain('{&quot;error&quot;: &quot;no connection to orders-db&quot;}\n');
  expect(message).toMatch(/\n<a href="https:\/\/wiki\.example\.com\/checkout">Runbook<\/a>$/);
  expect(priority).toBe('2');
  const entry = { kind: 'recovery', resourceName: 'a', incidentId: null, atMs: 0 } as const;
  const digest = buildAlert({ kind: 'digest', entries: [entry] });
  expect(formOf(pushover, digest)['priority']).toBe('0');
});

test('a text message names the host and the regions if both fit without another segment', () => {
  const cause = { code: 'timeout', message: 'Timed out.' } as const;
  const short = buildAlert({ resourceName: 'A', cause, exchange, regions: ['eu'] });
  expect(formOf(twilio, short)['Body']).toBe(
    'Down: A: Timed out\nSince: 00:00 UTC\nRegions: eu\nHost: shop.example\n' +
      'https://watch.example/incidents/inc_1',
  );
  const long = {
    ...short,
    regions: Array.from({ length: 12 }, () => 'eu-west-1'),
  };
  expect(formOf(twilio, long)['Body']).not.toContain('Regions');
});

test('the preview of an email does not repeat the subject, and its footer names the account', () => {
  const words = writeAlert(createSampleAlert('failure', OPENED), URL);
  const html = renderHtml(words, { links: [words.link], accountName: 'Acme', publicUrl: URL });
  const [first = ''] = html
    .slice(html.indexOf('<body'))
    .replaceAll(/<[^>]*>/g, '\n')
    .trim()
    .split('\n');
  expect(first).toMatch(/^GET https:\/\/shop\.example\.com\/checkout → 503 · /);
  const withFacts = renderHtml({ ...words, lead: [] }, { links: [words.link], publicUrl: URL });
  expect(withFacts).toContain('>Since: 02:48 UTC (12 min ago) · ');
  expect(html).toContain('Acme’s alert rules in Keepwatch send this to you.');
});

const since = (channel: Sending, ageMs: number) => {
  const alert = buildAlert({ sinceMs: OPENED });
  const sending = { id: 'alr_1', alert, sentAtMs: OPENED + ageMs, group: 'shop/eu' };
  return composeOwn(channel, sending, URL).words.facts.slice(0, 2);
};

test('an alert says how long ago the problem began, and names the group of the check', () => {
  const group = { name: 'Group', value: 'shop/eu' };
  const facts = (value: string) => [{ name: 'Since', value }, group];
  expect(since(ntfy, 130_000)).toEqual(facts('03:00 UTC (2 min ago)'));
  expect(since(ntfy, 45_000)).toEqual(facts('03:00 UTC (45 s ago)'));
  expect(since(ntfy, 0)).toEqual(facts('03:00 UTC'));
  expect(since(slack, 130_000)).toEqual(facts('2026-01-05 03:00:10 UTC (2 min ago)'));
  expect(since(pagerduty, 130_000)).toEqual(facts('2026-01-05 03:00:10 UTC'));
  expect(writeAlert(buildAlert(), URL).facts.map(({ name }) => name)).not.toContain('Group');
});

test('a notice about a flapping check that is up names the request that passed', () => {
  const passing = { method: 'GET', url: 'https://shop.example/', status: 200, responseTimeMs: 84 };
  const alert = buildAlert({ kind: 'flapping', health: 'up', passing });
  expect(writeAlert(alert, URL).lead).toEqual([
    { name: 'Request', value: 'GET https://shop.example/ → 200 in 84 ms', look: 'code' },
  ]);
});

test('durations are written in two units', () => {
  expect([0, 45_000, 60_000, 3_725_000, 90_061_000].map(formatDuration)).toEqual([
    '0 s',
    '45 s',
    '1 min',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});
