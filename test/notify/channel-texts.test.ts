/** Tests what the services show of an alert: short text messages, literal text in Teams, and the subject of a test. */
import type { AlertMessage } from '../../src/contracts/alerts';
import type { ChannelMessage, Config } from '../../src/notify/channels/channel';
import { discord } from '../../src/notify/channels/discord';
import { jira } from '../../src/notify/channels/jira';
import type { CHANNELS } from '../../src/notify/channels/registry';
import { teams } from '../../src/notify/channels/teams';
import { twilio } from '../../src/notify/channels/twilio';
import { webhook } from '../../src/notify/channels/webhook';
import { createSampleAlert } from '../../src/notify/sample-alerts';
import { composeOwn } from '../../src/notify/sender';
import { buildAlert } from '../support/alert-message';
import { EXAMPLES } from './channel-examples';

const PUBLIC_URL = 'https://watch.example';
const NOTE = { runbookUrl: null, note: 'Fail over.\nThen call Ada.' };
/** The characters of GSM 03.38 that the texts of this test may contain. */
const GSM = /^[\n !"#%&'()*+,\-./0-9:;<=>?A-Za-z_@ÄÖÜäöüß]*$/;

const refused = buildAlert({
  resourceName: 'Zahlungen für pg_dump',
  cause: {
    code: 'connection_refused',
    message: 'Could not connect to http://10.0.0.1:80/ → “refused”…',
  },
  exchange: { method: 'GET', url: 'http://pg_dump.example/', status: null, body: '*oh*' },
  guidance: NOTE,
});

type Sending = Pick<(typeof CHANNELS)[number], 'type' | 'markup' | 'requests'>;

function messageFor(channel: Sending, alert: AlertMessage): ChannelMessage {
  return composeOwn(channel, { id: 'alr_1', alert, sentAtMs: 0 }, PUBLIC_URL);
}

/** Returns the body of the first request. */
function bodyOf(channel: Sending, message: ChannelMessage): string {
  const example = Object.entries(EXAMPLES).find(([type]) => type === channel.type)?.[1];
  const config: Config = example?.config('https://service.example') ?? {};
  return channel.requests?.(config, message)[0]?.body ?? '';
}

function smsOf(alert: AlertMessage): string {
  return new URLSearchParams(bodyOf(twilio, messageFor(twilio, alert))).get('Body') ?? '';
}

test('a text message contains the title, the time and the link in characters of GSM, in one segment', () => {
  expect(smsOf(refused)).toBe(
    'Down: Zahlungen für pg_dump: Could not connect to http://10.0.0.1:80/ -> "refused"...\n' +
      'Since: 00:00 UTC\nhttps://watch.example/incidents/inc_1',
  );
  expect(smsOf(refused).length).toBeLessThanOrEqual(160);
});

test('every kind of alert fits into two segments of a text message', () => {
  for (const kind of ['failure', 'recovery', 'degraded', 'flapping', 'digest', 'test'] as const) {
    const long = {
      ...createSampleAlert(kind, 0),
      resourceName: `Shop ${'long “name” → '.repeat(40)}`,
    };
    for (const sms of [smsOf(createSampleAlert(kind, 0)), smsOf(long)]) {
      expect(sms).toMatch(GSM);
      expect(sms.length).toBeLessThanOrEqual(306);
      expect(sms).toContain('\nhttps://watch.example');
    }
  }
});

test('Teams gets text of targets as literal text, in which names and URLs can be copied', () => {
  const { attachments } = JSON.parse(bodyOf(teams, messageFor(teams, refused)));
  const blocks: readonly {
    readonly type: string;
    readonly inlines?: readonly { text: string }[];
  }[] = attachments[0].content.body;
  const shown = blocks.map(({ inlines = [] }) => inlines.map(({ text }) => text).join(''));
  expect(shown).toEqual([
    'Down: Zahlungen für pg_dump: Could not connect to http://10.0.0.1:80/ → “refused”…',
    'GET http://pg_dump.example/',
    '*oh*',
    'Note: Fail over.',
    'Then call Ada.',
    '',
  ]);
  // Teams reads Markdown in a TextBlock, but not in a TextRun.
  expect(blocks.map(({ type }) => type)).not.toContain('TextBlock');
});

test('Discord gets no invisible characters in names, URLs and responses', () => {
  const body = bodyOf(discord, messageFor(discord, refused));
  expect(body).not.toContain('\u200b');
  expect(JSON.parse(body).embeds[0].description).toContain('`GET http://pg_dump.example/`\n`*oh*`');
});

test('a title that is too long for Jira continues in the description', () => {
  const alert = { ...refused, resourceName: 'x'.repeat(100) };
  const { message, description } = JSON.parse(bodyOf(jira, messageFor(jira, alert)));
  expect(message).toHaveLength(130);
  expect(description).toContain('Could not connect to http://10.0.0.1:80/');
});

test('the test of a channel names the channel as its subject', () => {
  const test = createSampleAlert('test', 0);
  expect(JSON.parse(bodyOf(webhook, messageFor(webhook, test)))).toMatchObject({
    headline: 'Test of the alert channel Operations',
    resource: { type: 'alertChannel', id: test.resourceId, name: 'Operations' },
  });
});
