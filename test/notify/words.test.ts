/** Tests the texts of alerts. Hostile names and bodies are harmless, and every message contains the essentials. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { AlertMessage } from '../../src/contracts/alerts';
import { buildAcknowledgeUrl, readAcknowledgeLink } from '../../src/notify/acknowledge-link';
import { email } from '../../src/notify/channels/email';
import { escapeSlack, slack } from '../../src/notify/channels/slack';
import { signBody } from '../../src/notify/channels/webhook';
import { buildMessage, buildPlainText, renderHtml } from '../../src/notify/email';
import { readWait } from '../../src/notify/post';
import { composeOwn } from '../../src/notify/sender';
import { writeAlert } from '../../src/notify/words';
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
const mail = { from: 'keepwatch@example.com', publicUrl: PUBLIC_URL };

function composed(changes: Partial<AlertMessage>, id = 'alr_1', accountName: string | null = null) {
  const changed = { ...alert, ...changes };
  const linked = { alert: changed, by: 'a@example.com', id };
  const delivery = {
    id,
    alert: changed,
    sentAtMs: 0,
    acknowledgeUrl: buildAcknowledgeUrl(sealer, PUBLIC_URL, linked),
    accountName,
  };
  return {
    email: composeOwn(email, delivery, PUBLIC_URL),
    slack: composeOwn(slack, delivery, PUBLIC_URL),
  };
}

function mailOf(changes: Partial<AlertMessage>, id = 'alr_1') {
  return buildMessage('a@example.com', composed(changes, id).email, mail);
}

/** Returns the Slack message for an alert with these changes. */
function slackOf(changes: Partial<AlertMessage>) {
  const config = { webhookUrl: 'https://hooks.slack.com/services/x' };
  const [request] = slack.requests?.(config, composed(changes).slack) ?? [];
  return JSON.parse(request?.body ?? '{}');
}

const textOfWords = (words: ReturnType<typeof writeAlert>) => buildPlainText(words, [words.link]);

test('a message says what happened, since when, where and why, and where to find more', () => {
  const text = textOfWords(writeAlert(alert, PUBLIC_URL));
  for (const part of [
    'Down: Shop: got 500, expected 200',
    'Since:   12:00 UTC (5 min ago)',
    'eu-west, us-east',
    `${PUBLIC_URL}/incidents/inc_1`,
  ])
    expect(text).toContain(part);
});

test('only emails about incidents that can be acknowledged contain an acknowledgement link', () => {
  const linkIn = (text: unknown) => /\/acknowledge\?token=([\w-]+)/.exec(String(text))?.[1] ?? '';
  for (const kind of ['failure', 'reminder', 'flapping'] as const) {
    const { text, html } = mailOf({ kind }, `alr_${kind}`);
    for (const part of [text, html])
      expect(readAcknowledgeLink(sealer, linkIn(part))).toEqual({
        accountId: alert.accountId,
        incidentId: alert.incidentId,
        by: 'a@example.com',
        deliveryId: `alr_${kind}`,
      });
  }
  const others = ['recovery', 'degraded', 'certificate', 'digest', 'test'] as const;
  for (const kind of others) expect(linkIn(mailOf({ kind }).text)).toBe('');
  expect(linkIn(mailOf({ kind: 'flapping', health: 'up' }).text)).toBe('');
  expect(linkIn(mailOf({ incidentId: null }).text)).toBe('');
});

test('a flapping notice says how often and since when the check failed, its current state, and the last cause of failure', () => {
  const flapping = { outages: 5, sinceMs: Date.UTC(2026, 0, 5, 11, 53), isAgain: false };
  const headline = (changes: Partial<AlertMessage>) =>
    writeAlert({ ...alert, kind: 'flapping', flapping, ...changes }, PUBLIC_URL).headline;
  expect(headline({})).toBe(
    'Shop is flapping: 5 outages in 12 min, now down, last: got 500, expected 200',
  );
  expect(headline({ health: 'up', flapping: { ...flapping, isAgain: true } })).toBe(
    'Shop is still flapping: 5 outages in 12 min, now up, last: got 500, expected 200',
  );
  expect(headline({ flapping: { ...flapping, outages: 0 }, cause: null, health: 'up' })).toBe(
    'Shop is flapping: now up',
  );
  const text = textOfWords(writeAlert({ ...alert, kind: 'flapping', flapping }, PUBLIC_URL));
  expect(text).toContain('11:53 UTC (12 min ago)');
  expect(text).toContain('An outage of 5 min still does.');
});

test('a lasting outage after flapping is not called "still down"', () => {
  const { headline } = writeAlert({ ...alert, kind: 'reminder', staysDown: true }, PUBLIC_URL);
  expect(headline).toBe('Stays down for 5 min: Shop: got 500, expected 200');
});

test('a certificate warning names the certificate, its expiry and where the certificate was seen', () => {
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
      host: 'shop.example',
    },
  };
  const text = textOfWords(writeAlert(warning, PUBLIC_URL));
  for (const part of [
    'Certificate of shop.example expires in 14 days (Shop)',
    'Renew the certificate, and install the new one on shop.example.',
    '2026-01-19 00:05:00 UTC',
    'log in',
    'A good authority',
    'eu-west, us-east',
    `${PUBLIC_URL}/monitors/mon_1`,
  ])
    expect(text).toContain(part);
});

test('a domain warning names the domain and its registrar, and no certificate', () => {
  const warning: AlertMessage = {
    ...alert,
    kind: 'certificate',
    incidentId: null,
    certificate: {
      fingerprint: 'ab'.repeat(32),
      issuer: 'Names and Sons',
      expiresAtMs: alert.atMs + 13.5 * 86_400_000,
      step: null,
      rungDays: 14,
      domain: 'shop.example',
    },
  };
  const text = textOfWords(writeAlert(warning, PUBLIC_URL));
  for (const part of ['Registration of shop.example expires in 14 days (Shop)', 'Names and Sons'])
    expect(text).toContain(part);
  expect(text).not.toMatch(/certificate|fingerprint|issuer/i);
});

test('a warning about a client certificate says that the certificate is a client certificate', () => {
  const certificate = {
    fingerprint: 'ab'.repeat(32),
    issuer: 'Company root',
    expiresAtMs: alert.atMs + 13.5 * 86_400_000,
    step: null,
    rungDays: 14,
    client: true as const,
  };
  const warning: AlertMessage = { ...alert, kind: 'certificate', incidentId: null, certificate };
  const { headline } = writeAlert(warning, PUBLIC_URL);
  expect(headline).toBe('Client certificate for Shop expires in 14 days');
});

test('the recovery from a degraded state is worded differently from the recovery from a failure', () => {
  const over = { ...alert, kind: 'recovery', health: 'up' } as const;
  const headline = (ends: AlertMessage['ends']) =>
    writeAlert({ ...over, ends }, PUBLIC_URL).headline;
  expect(headline(['degraded'])).toBe('Shop is no longer degraded, after 5 min');
  expect(headline(['failure'])).toBe('Shop is up again after 5 min');
  expect(headline(['failure', 'degraded'])).toBe('Shop is up again after 5 min');
});

test('no name puts a line break, a header, markup or a mention into a message', () => {
  fc.assert(
    fc.property(hostile, hostile, (name, message) => {
      const words = writeAlert(
        { ...alert, resourceName: name, cause: { code: 'timeout', message } },
        PUBLIC_URL,
      );
      expect(words.headline).not.toMatch(/[\r\n\0\u2028]/);
      const html = renderHtml(words, {
        links: [words.link],
        publicUrl: 'https://keepwatch.example.com',
      });
      expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/i);
      // The email contains two links: the link of the alert and the link to manage alerts.
      expect(html.match(/<a /g)).toHaveLength(2);
      const changes = { resourceName: name, cause: { code: 'timeout', message } } as const;
      const exchange = { method: 'GET', url: message, status: 500, body: name };
      expect(JSON.stringify(slackOf({ ...changes, exchange }))).not.toMatch(/<!(?!date\^)|<@|<#/);
      const { subject, to, from } = buildMessage(
        'a@example.com',
        composed({ resourceName: name }, 'alr_1', message).email,
        mail,
      );
      expect([subject, from].map((part) => JSON.stringify(part)).join('')).not.toMatch(/\\[rn]/);
      expect(to).toEqual({ name: '', address: 'a@example.com' });
    }),
    propertyOptions(100),
  );
});

test('every try of a message has the same Message-ID, and the messages of an incident form one thread', () => {
  const failure = mailOf({});
  const recovery = mailOf({ kind: 'recovery' }, 'alr_2');
  expect(mailOf({}).messageId).toBe(failure.messageId);
  expect(recovery.messageId).not.toBe(failure.messageId);
  expect(recovery.references).toEqual(failure.references);
});

test('the signature of a webhook is computed as docs/webhooks.md says', () => {
  const expected = createHmac('sha256', 'secret').update('1700000000.{"a":1}').digest('hex');
  expect(signBody('secret', '1700000000', '{"a":1}')).toBe(`v1=${expected}`);
});

test('Slack gets at most ten fields in a section, and long lists say how much is hidden', () => {
  const entry = { kind: 'failure', resourceName: 'm', incidentId: null, atMs: 0 } as const;
  const entries = Array.from({ length: 95 }, () => entry);
  const { blocks } = slackOf({ kind: 'digest', entries });
  for (const { fields = [] } of blocks) expect(fields.length).toBeLessThanOrEqual(10);
  expect(JSON.stringify(blocks)).toContain('and 55 more');
  expect(escapeSlack('<!channel>')).toBe('&lt;!channel&gt;');
});

test('Retry-After is read as seconds and as a date, up to a maximum', () => {
  expect(readWait('7', 0)).toBe(7_000);
  expect(readWait(new Date(90_000).toUTCString(), 30_000)).toBe(60_000);
  expect(readWait('999999999', 0)).toBe(3_600_000);
  expect(readWait('soon', 0)).toBeNull();
  expect(readWait(undefined, 0)).toBeNull();
});

test('a digest counts all its alerts, even if some do not fit into the message', () => {
  const entry = { kind: 'failure', resourceName: 'shop', incidentId: null, atMs: 0 } as const;
  const entries = Array.from({ length: 500 }, (_, index) => ({
    ...entry,
    resourceId: `mon_${index}`,
  }));
  const digest = { ...alert, kind: 'digest' as const, entries };
  const words = writeAlert(digest, PUBLIC_URL);
  expect(words.headline).toContain('500');
  const { text, html } = mailOf(digest);
  if (typeof text !== 'string' || typeof html !== 'string') throw new Error('a mail is text');
  expect(text.match(/down since/g)).toHaveLength(200);
  expect(text).toContain('300 further ones');
  expect(html.length).toBeLessThan(100_000);
  expect(JSON.stringify(slackOf(digest))).toContain('and 460 more');
});

test('text from a target never becomes a link in Slack, and text of the service stays unchanged', () => {
  const body = 'see http://evil.example/ or evil.example';
  const exchange = { method: 'GET', url: 'http://evil.example', status: 500, body };
  const { blocks } = slackOf({ exchange });
  const texts = JSON.stringify(blocks).match(/"type":"mrkdwn"/g) ?? [];
  const verbatim = JSON.stringify(blocks).match(/"type":"mrkdwn","verbatim":true/g) ?? [];
  expect(texts.length).toBeGreaterThan(2);
  expect(verbatim).toHaveLength(texts.length);
});

const exchange = {
  method: 'POST',
  url: 'https://shop.example/orders?key=***',
  status: 500,
  body: '{"error": "no connection to orders-db"}',
};

test('a message gives the cause only in its title, and its text begins with the request and the response', () => {
  const own = composed({ exchange }).slack.text;
  expect(own.split('\n').slice(0, 3)).toEqual([
    '`POST https://shop.example/orders?key=*** → 500`',
    '`{"error": "no connection to orders-db"}`',
    '*Since:* 2026-01-05 12:00:00 UTC',
  ]);
  const { text } = mailOf({ exchange });
  expect((typeof text === 'string' ? text : '').split('\n').slice(0, 6)).toEqual([
    'Down: Shop: got 500, expected 200',
    '',
    'POST https://shop.example/orders?key=*** → 500',
    '{"error": "no connection to orders-db"}',
    '',
    'Since:   2026-01-05 12:00 UTC',
  ]);
});

test('a failure alert shows the last passing response next to the failing response', () => {
  const lastPassing = {
    atMs: Date.UTC(2026, 0, 5, 11, 59),
    status: 200,
    responseTimeMs: 83.6,
    body: '{"ok": true}',
  };
  const { facts } = writeAlert({ ...alert, exchange, lastPassing }, PUBLIC_URL);
  expect(facts).toContainEqual({
    name: 'Last passing',
    value: 'status 200 in 84 ms, {"ok": true} (2026-01-05 11:59:00 UTC)',
  });
  const bare = { ...lastPassing, status: null, responseTimeMs: null, body: null };
  expect(writeAlert({ ...alert, lastPassing: bare }, PUBLIC_URL).facts).toContainEqual({
    name: 'Last passing',
    value: 'passed (2026-01-05 11:59:00 UTC)',
  });
});

test.each<[string, Partial<AlertMessage>]>([
  ['Down: Shop: got 500, expected 200', {}],
  [
    'Down: Shop: Timed out after 3 s',
    { assertion: null, cause: { code: 'timeout', message: 'Timed out after 3 s.' } },
  ],
  ['Down: Shop', { assertion: null, cause: null }],
  [
    'Down: Shop: Expected body to contain “ok”',
    {
      assertion: { text: 'body contains', expected: 'ok', actual: 'no' },
      cause: { code: 'assertion_failed', message: 'Expected body to contain “ok”.' },
    },
  ],
  ['Still down for 5 min: Shop: got 500, expected 200', { kind: 'reminder' }],
  ['Shop is up again after 5 min', { kind: 'recovery', ends: ['failure'] }],
])('the headline of an alert is “%s”', (headline, changes) => {
  expect(writeAlert({ ...alert, ...changes }, PUBLIC_URL).headline).toBe(headline);
});

test('a message about a recovery gives the cause of the failure only as a labelled fact', () => {
  const { lead, facts } = writeAlert({ ...alert, kind: 'recovery', exchange }, PUBLIC_URL);
  expect(lead).toEqual([]);
  expect(facts).toContainEqual({ name: 'Cause', value: 'Expected status 200, got 500.' });
});

test.each<[string, Partial<AlertMessage>]>([
  [
    'too long for the title',
    { assertion: null, cause: { code: 'dns_error', message: `${'long '.repeat(30)}name.` } },
  ],
  [
    'more detailed than the title',
    { cause: { code: 'assertion_failed', message: 'Expected status 200, got 500 in 2 regions.' } },
  ],
])('a message repeats the cause below its title if it is %s', (_what, changes) => {
  const { lead } = writeAlert({ ...alert, ...changes }, PUBLIC_URL);
  expect(lead).toEqual([{ name: 'Cause', value: changes.cause?.message, look: 'plain' }]);
});

test('a second outage of an incident is announced as “Down again”', () => {
  const { headline, facts } = writeAlert({ ...alert, episode: 2 }, PUBLIC_URL);
  expect(headline).toBe('Down again: Shop: got 500, expected 200');
  expect(facts).toContainEqual({ name: 'Outages', value: '2 in this incident' });
});

const DUMP = '…\ndumping orders_39 ... done\nOSError: [Errno 28] No space left on device: pg_dump';

function jobFailure(message: string): Partial<AlertMessage> {
  return { resourceName: 'Backup', assertion: null, cause: { code: 'job_failed', message } };
}

test.each([
  ['Job failed with exit code 3.', 'Down: Backup: job failed with exit code 3', null],
  [`Job failed with exit code 3: ${DUMP}`, 'Down: Backup: job failed with exit code 3', DUMP],
  [
    `Job failed: ${DUMP}`,
    'Down: Backup: OSError: [Errno 28] No space left on device: pg_dump',
    DUMP,
  ],
  ['Job failed: no disk', 'Down: Backup: no disk', null],
  ['Job failed.', 'Down: Backup: job failed', null],
  ['Job output contains "a: b": x', 'Down: Backup: job output contains "a: b"', 'x'],
])('the failure “%s” of a job has a short title and gives the output once', (cause, title, out) => {
  const { headline, lead } = writeAlert({ ...alert, ...jobFailure(cause) }, PUBLIC_URL);
  expect(headline).toBe(title);
  expect(lead).toEqual(out === null ? [] : [{ name: 'Output', value: out, look: 'code' }]);
});

test('the title of a failed job contains at most 80 characters of its output', () => {
  const { headline } = writeAlert(
    { ...alert, ...jobFailure(`Job failed: ${'x'.repeat(200)}`) },
    PUBLIC_URL,
  );
  expect(headline).toBe(`Down: Backup: ${'x'.repeat(79)}…`);
});

test('the output of a job keeps its line breaks, and its names can be copied', () => {
  const failure = jobFailure(`Job failed with exit code 3: ${DUMP}`);
  const { text, html } = mailOf(failure);
  expect(text).toContain(DUMP);
  expect(html).toMatch(/white-space:pre-wrap[^>]*monospace[^>]*>…\ndumping orders_39/);
  expect(slackOf(failure).blocks[1].text.text).toBe(
    DUMP.split('\n')
      .map((line) => `\`${line}\``)
      .join('\n'),
  );
});

test('a recovery of a job gives the cause without the output', () => {
  const over = { ...alert, ...jobFailure(`Job failed with exit code 3: ${DUMP}`) };
  const { facts } = writeAlert({ ...over, kind: 'recovery' }, PUBLIC_URL);
  expect(facts).toContainEqual({ name: 'Cause', value: 'Job failed with exit code 3.' });
});

test('an alert shows the text of an HTML page, and leaves HTML out of the last passing result', () => {
  const body = '<!doctype html><html><head><title>Oops</title>';
  const summary = 'Oops: No server is available.';
  const lastPassing = { atMs: 0, status: 200, responseTimeMs: 84, body };
  const page = { ...alert, exchange: { ...exchange, body, summary }, lastPassing };
  const { lead, facts } = writeAlert(page, PUBLIC_URL);
  expect(lead).toContainEqual({ name: 'Response', value: summary, look: 'code' });
  expect(facts).toContainEqual({
    name: 'Last passing',
    value: 'status 200 in 84 ms (1970-01-01 00:00:00 UTC)',
  });
});

test.each([
  ['keepwatch@example.com', 'Acme', { name: 'Keepwatch (Acme)', address: 'keepwatch@example.com' }],
  ['Watch <w@example.com>', 'Acme', { name: 'Watch (Acme)', address: 'w@example.com' }],
  ['"A, B" <w@example.com>', null, { name: 'A, B', address: 'w@example.com' }],
])(
  'the sender of an email from %s names the account, if there is one: %s',
  (from, accountName, sender) => {
    const message = composed({}, 'alr_1', accountName).email;
    expect(buildMessage('a@example.com', message, { ...mail, from }).from).toEqual(sender);
  },
);

test('Acknowledge is the first and only highlighted button of an email', () => {
  const { html } = mailOf({});
  const buttons = [
    ...(typeof html === 'string' ? html : '').matchAll(/<a [^>]*background:(#\w+)[^>]*>([^<]+)</g),
  ];
  expect(buttons.map(([, colour, label]) => [colour, label])).toEqual([
    ['#0b7285', 'Acknowledge'],
    ['#ffffff', 'Snooze 1 h'],
    ['#ffffff', 'View incident'],
  ]);
});

const guidance = {
  runbookUrl: 'https://wiki.example/shop_(db)',
  note: 'Fail over.\nThen call Ada.',
};

test('an alert that requires action contains the note, and the runbook as its last link', () => {
  const { text } = mailOf({ exchange, guidance });
  const lines = (typeof text === 'string' ? text : '').split('\n');
  expect(lines.slice(3, 6)).toEqual([
    '{"error": "no connection to orders-db"}',
    'Note: Fail over.',
    'Then call Ada.',
  ]);
  expect(lines.at(-2)).toBe('Runbook: https://wiki.example/shop_%28db%29');
  const { attachments, blocks } = slackOf({ guidance });
  expect(attachments[0].actions.map(({ text: label }: { text: string }) => label)).toEqual([
    'Acknowledge',
    'Snooze 1 h',
    'View incident',
    'Runbook',
  ]);
  expect(JSON.stringify(blocks)).toContain('*Note:* Fail over.\\nThen call Ada.');
});

test.each([
  ['at a host without a dot', 'http://wiki/shop'],
  ['of more than 512 characters', `https://wiki.example/${'x'.repeat(500)}`],
  ['of more than 512 characters when encoded', `https://wiki.example/${'ü'.repeat(90)}`],
])('a runbook %s is a line of text, since a channel may refuse it as a link', (_, runbookUrl) => {
  const { runbook, lead } = writeAlert(
    { ...alert, guidance: { runbookUrl, note: null } },
    PUBLIC_URL,
  );
  expect(runbook).toBeNull();
  expect(lead.at(-1)).toEqual({ name: 'Runbook', value: runbookUrl, look: 'labelled' });
});
