/** Alerts in words: what hostile names and bodies cannot do, and what every message says. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { AlertMessage } from '../../src/contracts/alerts';
import { readAcknowledgeLink } from '../../src/notify/acknowledge-link';
import { email } from '../../src/notify/channels/email';
import { escapeSlack, slackMessage } from '../../src/notify/channels/slack';
import { signatureOf } from '../../src/notify/channels/webhook';
import { htmlOf, messageOf, plainText } from '../../src/notify/email';
import { waitOf } from '../../src/notify/post';
import { composeOwn } from '../../src/notify/sender';
import { lengthOf, wordsOf } from '../../src/notify/words';
import { createTextSealer } from '../../src/platform/sealing';
import { buildAlert } from '../support/alert-message';
import { anyCharacter } from '../support/any-character';
import { propertyOptions } from '../support/property-runs';

const PUBLIC_URL = 'https://keepwatch.example';

const alert: AlertMessage = buildAlert({
  resourceName: 'Shop',
  atMs: Date.UTC(2026, 0, 5, 12, 5),
  sinceMs: Date.UTC(2026, 0, 5, 12, 0),
  openedAtMs: Date.UTC(2026, 0, 5, 12, 0),
  cause: { code: 'assertion_failed', message: 'Expected status 200, got 500.' },
  regions: ['eu-west', 'us-east'],
  assertion: { text: 'status equals', expected: '200', actual: '500' },
});

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 80 }),
  fc.constantFrom(
    '<!channel> <!here> <@U123>',
    '</td><script>alert(1)</script>',
    'x\r\nBcc: victim@example.com\r\n\r\nbody',
    '"><img src=x onerror=alert(1)>',
    '*bold* `code` ~x~ _y_',
    '\u2028\u0000\u202e',
  ),
);

const sealer = createTextSealer(['ab'.repeat(32)], 'stored-secret');
const mail = { server: null, from: 'keepwatch@example.com', publicUrl: PUBLIC_URL, sealer };

function mailOf(changes: Partial<AlertMessage>, id = 'alr_1') {
  const delivery = { id, alert: { ...alert, ...changes }, sentAtMs: 0 };
  const message = composeOwn(email, delivery, PUBLIC_URL);
  return messageOf('a@example.com', message, mail);
}

test('a message says what, since when, where, why and where to look', () => {
  const text = plainText(wordsOf(alert, PUBLIC_URL));
  for (const part of [
    'Shop is down',
    '2026-01-05 12:00:00 UTC',
    'eu-west, us-east',
    'Expected status 200, got 500.',
    'Expected:',
    '200',
    'Actual:',
    `${PUBLIC_URL}/incidents/inc_1`,
  ])
    expect(text).toContain(part);
});

test('a mail of what can be acknowledged holds a link to do so, its own, and no other mail does', () => {
  const linkIn = (text: unknown) => /\/acknowledge#token=([\w-]+)/.exec(String(text))?.[1] ?? '';
  for (const kind of ['failure', 'reminder', 'flapping'] as const) {
    const { text, html } = mailOf({ kind }, `alr_${kind}`);
    for (const part of [text, html])
      expect(readAcknowledgeLink(sealer, linkIn(part))).toEqual({
        accountId: alert.accountId,
        incidentId: alert.incidentId,
        email: 'a@example.com',
        deliveryId: `alr_${kind}`,
      });
  }
  const others = ['recovery', 'degraded', 'certificate', 'digest', 'test'] as const;
  for (const kind of others) expect(linkIn(mailOf({ kind }).text)).toBe('');
  expect(linkIn(mailOf({ incidentId: null }).text)).toBe('');
});

test('a flapping notice says how often, since when, how it is now, and why it failed last', () => {
  const flapping = { outages: 5, sinceMs: Date.UTC(2026, 0, 5, 11, 53), isAgain: false };
  const headline = (changes: Partial<AlertMessage>) =>
    wordsOf({ ...alert, kind: 'flapping', flapping, ...changes }, PUBLIC_URL).headline;
  expect(headline({})).toBe(
    'Shop is flapping: 5 outages in 12 min, now down, last: Expected status 200, got 500',
  );
  expect(headline({ health: 'up', flapping: { ...flapping, isAgain: true } })).toBe(
    'Shop is still flapping: 5 outages in 12 min, now up, last: Expected status 200, got 500',
  );
  expect(headline({ flapping: { ...flapping, outages: 0 }, cause: null, health: 'up' })).toBe(
    'Shop is flapping: now up',
  );
  const text = plainText(wordsOf({ ...alert, kind: 'flapping', flapping }, PUBLIC_URL));
  expect(text).toContain('2026-01-05 11:53:00 UTC');
  expect(text).toContain('One that lasts 5 min is sent.');
});

test('what flapped and stays down is not said to be still down, since nobody heard of this outage', () => {
  const { headline } = wordsOf({ ...alert, kind: 'reminder', staysDown: true }, PUBLIC_URL);
  expect(headline).toBe('Shop stays down, for 5 min');
});

test('a warning of a certificate says when it ends, whose it is and where it was seen', () => {
  const warning: AlertMessage = {
    ...alert,
    kind: 'certificate',
    incidentId: null,
    certificate: {
      fingerprint: 'ab'.repeat(32),
      issuer: 'A good authority',
      expiresAtMs: alert.atMs + 13.5 * 86_400_000,
      step: 'log in',
      rungDays: 14,
    },
  };
  const text = plainText(wordsOf(warning, PUBLIC_URL));
  for (const part of [
    'Certificate for Shop expires in 14 days',
    '2026-01-19 00:05:00 UTC',
    'log in',
    'A good authority',
    'eu-west, us-east',
    `${PUBLIC_URL}/monitors/mon_1`,
  ])
    expect(text).toContain(part);
});

test('the end of degraded is told apart from that of a failure', () => {
  const over = { ...alert, kind: 'recovery', health: 'up' } as const;
  const headline = (ends: AlertMessage['ends']) => wordsOf({ ...over, ends }, PUBLIC_URL).headline;
  expect(headline(['degraded'])).toBe('Shop is no longer degraded, after 5 min');
  expect(headline(['failure'])).toBe('Shop is up again after 5 min');
  expect(headline(['failure', 'degraded'])).toBe('Shop is up again after 5 min');
});

test('no name gets a line break, a header, markup or a ping into a message', () => {
  fc.assert(
    fc.property(hostile, hostile, (name, message) => {
      const words = wordsOf(
        { ...alert, resourceName: name, cause: { code: 'timeout', message } },
        PUBLIC_URL,
      );
      expect(words.headline).not.toMatch(/[\r\n\0\u2028]/);
      const html = htmlOf(words);
      expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/i);
      expect(html.match(/<a /g)).toHaveLength(1);
      const slack = JSON.stringify(slackMessage(words));
      expect(slack).not.toMatch(/<!|<@|<#/);
      const composed = mailOf({ resourceName: name });
      expect(composed.subject).not.toMatch(/[\r\n]/);
      expect(composed.to).toEqual({ name: '', address: 'a@example.com' });
    }),
    propertyOptions(100),
  );
});

test('every try has the same Message-ID, and the messages of an incident refer to one thread', () => {
  const failure = mailOf({});
  const recovery = mailOf({ kind: 'recovery' }, 'alr_2');
  expect(mailOf({}).messageId).toBe(failure.messageId);
  expect(recovery.messageId).not.toBe(failure.messageId);
  expect(recovery.references).toEqual(failure.references);
});

test('the signature is what docs/webhooks.md says it is', () => {
  const expected = createHmac('sha256', 'secret').update('1700000000.{"a":1}').digest('hex');
  expect(signatureOf('secret', '1700000000', '{"a":1}')).toBe(`v1=${expected}`);
});

test('Slack gets at most ten fields in a section, and long lists say how much is hidden', () => {
  const facts = Array.from({ length: 95 }, (_, index) => ({ name: `m${index}`, value: 'down' }));
  const message = JSON.stringify(
    slackMessage({ headline: 'h', facts, link: { label: 'l', url: PUBLIC_URL }, tone: 'bad' }),
  );
  expect(message).toContain('and 55 more');
  expect(escapeSlack('<!channel>')).toBe('&lt;!channel&gt;');
});

test('Retry-After is read as seconds and as a date, and bounded', () => {
  expect(waitOf('7', 0)).toBe(7_000);
  expect(waitOf(new Date(90_000).toUTCString(), 30_000)).toBe(60_000);
  expect(waitOf('999999999', 0)).toBe(3_600_000);
  expect(waitOf('soon', 0)).toBeNull();
  expect(waitOf(undefined, 0)).toBeNull();
});

test('lengths of time are told in two units', () => {
  expect([0, 45_000, 60_000, 3_725_000, 90_061_000].map(lengthOf)).toEqual([
    '0 s',
    '45 s',
    '1 min',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});

test('a digest counts all that it tells of; what a message has no room for is counted in it', () => {
  const entry = { kind: 'failure', resourceName: 'shop', incidentId: null, atMs: 0 } as const;
  const entries = Array.from({ length: 500 }, () => entry);
  const digest = { ...alert, kind: 'digest' as const, entries };
  const words = wordsOf(digest, PUBLIC_URL);
  expect(words.headline).toContain('500');
  const { text, html } = mailOf(digest);
  if (typeof text !== 'string' || typeof html !== 'string') throw new Error('a mail is text');
  expect(text.match(/down since/g)).toHaveLength(200);
  expect(text).toContain('300 further ones');
  expect(html.length).toBeLessThan(100_000);
  expect(JSON.stringify(slackMessage(words))).toContain('and 460 more');
});

test('what a target said becomes no link in Slack: every text of ours is taken as it is', () => {
  const facts = [{ name: 'Cause', value: 'see http://evil.example/ or evil.example' }];
  const link = { label: 'Open', url: PUBLIC_URL };
  const message = slackMessage({ headline: 'h http://evil.example', facts, link, tone: 'bad' });
  const texts = JSON.stringify(message).match(/"type":"mrkdwn"/g) ?? [];
  const verbatim = JSON.stringify(message).match(/"type":"mrkdwn","verbatim":true/g) ?? [];
  expect(texts.length).toBeGreaterThan(2);
  expect(verbatim).toHaveLength(texts.length);
});
