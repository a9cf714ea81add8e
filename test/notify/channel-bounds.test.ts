/**
 * Tests what every channel sends for any alert. Each message stays within the limits of its service, and no character
 * and no escape is cut in half.
 */
import type { AlertMessage } from '../../src/contracts/alerts';
import { buildAcknowledgeUrl } from '../../src/notify/acknowledge-link';
import { CHANNELS } from '../../src/notify/channels/registry';
import { buildMessage } from '../../src/notify/email';
import { composeOwn } from '../../src/notify/sender';
import { createTextSealer } from '../../src/platform/sealing';
import { buildAlert } from '../support/alert-message';
import { createRandom } from '../support/random';
import { testSeed } from '../support/test-seed';
import { testSize } from '../support/test-size';
import { EXAMPLES } from './channel-examples';

function newId(): string {
  return `acc_${'0'.repeat(26)}`;
}

const ATOMS =
  'a é e\u0301 漢 😀 👨‍👩‍👧‍👦 🇩🇪 👍🏽 & < > " \\ * _ ` ~ @ :// | [ ] ( ) # &amp; <b> \u200b \ud83d \ude00'.split(
    ' ',
  );
const PUBLIC_URL = 'https://watch.example';
const LINK = {
  alert: { kind: 'failure', health: 'down', accountId: newId(), incidentId: newId() },
} as const;
/** A link as long as real links, because its URL and ids have usual lengths. */
const ACKNOWLEDGE_URL = buildAcknowledgeUrl(
  createTextSealer(['ab'.repeat(32)], 'stored-secret'),
  PUBLIC_URL,
  { ...LINK, by: 'someone via Operations of the shop', id: newId() },
);
const HALF = /\p{Surrogate}/u;
const seed = testSeed();

function textOf(random: () => number, lengthMax: number): string {
  let text = '';
  // Half of the texts repeat only one atom, because escapes make such texts much longer.
  const atoms = random() < 0.5 ? ATOMS : [ATOMS[Math.floor(random() * ATOMS.length)] ?? '', 'x'];
  for (const length = random() * lengthMax; text.length < length; )
    text += atoms[Math.floor(random() * atoms.length)];
  return text;
}

function anyAlert(random: () => number): AlertMessage {
  const text = (max: number) => textOf(random, max);
  const kinds = ['failure', 'recovery', 'degraded', 'reminder', 'flapping', 'digest'] as const;
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'failure';
  const entry = () => ({
    kind: 'failure' as const,
    resourceType: 'monitor' as const,
    resourceId: 'mon_1',
    resourceName: text(200),
    incidentId: 'inc_1',
    atMs: 0,
  });
  return buildAlert({
    kind,
    resourceName: text(200),
    cause:
      random() < 0.5
        ? { code: 'assertion_failed', message: text(2_000) }
        : { code: 'job_failed', message: `Job failed: ${text(450)}\n${text(50)}` },
    guidance: { runbookUrl: null, note: `${text(100)}\n${text(100)}` },
    assertion: { text: text(400), expected: text(400), actual: text(400) },
    exchange: { method: 'GET', url: text(2_000), status: 500, body: text(2_000) },
    lastPassing: { atMs: 0, status: 200, responseTimeMs: 1, body: text(2_000) },
    regions: Array.from({ length: 20 }, () => 'eu-west-1'),
    entries: kind === 'digest' ? Array.from({ length: 60 }, entry) : [],
  });
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Returns all strings with their paths. The index of a list is `*` in a path. */
function strings(value: Json, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (value === null || typeof value !== 'object') return [];
  const entries = Object.entries(value);
  return entries.flatMap(([name, part]) =>
    strings(part, `${path}.${Array.isArray(value) ? '*' : name}`),
  );
}

interface Bounds {
  /** Upper bounds of the number of characters, by field path. */
  readonly fields?: Readonly<Record<string, number>>;
  readonly bytes?: number;
  /** Matches a broken escape. */
  readonly broken?: RegExp;
}

const ENTITY = /&(?!(?:amp|lt|gt|quot);)/;
/** Matches a line of code, in which a backslash is an ordinary character. */
const CODE_LINE = /^`[^`\n]*`$/gm;
const BACKSLASH = /(?<!\\)(?:\\\\)*\\(?:…|\n|$)/;

/** The limits that the documentation of each service states. */
const BOUNDS: Readonly<Record<string, Bounds>> = {
  slack: {
    fields: {
      '.text': 40_000,
      '.blocks.*.text.text': 3_000,
      '.blocks.*.fields.*.text': 2_000,
      '.blocks.*.elements.*.text': 2_000,
      '.attachments.*.actions.*.text': 30,
      '.attachments.*.actions.*.url': 3_000,
    },
    broken: ENTITY,
  },
  telegram: { fields: { '.text': 4_096 }, broken: ENTITY },
  discord: {
    fields: {
      '.embeds.*.title': 256,
      '.embeds.*.description': 4_096,
      '.content': 2_000,
      '.components.*.components.*.label': 80,
      '.components.*.components.*.url': 512,
    },
    broken: BACKSLASH,
  },
  mattermost: { bytes: 60_000, fields: { '.attachments.*.text': 16_383 }, broken: BACKSLASH },
  teams: { bytes: 28_000 },
  googlechat: { bytes: 32_000 },
  pagerduty: { fields: { '.payload.summary': 1_024 } },
  jira: { fields: { '.message': 130, '.description': 15_000, '.entity': 512 } },
  ntfy: { bytes: 65_536, fields: { '.title': 250 } },
  pushover: { fields: { '.title': 250, '.message': 1_024, '.url': 512 } },
  twilio: { fields: { '.Body': 306 } },
};

function fieldsOf(body: string, headers: readonly { name: string; value: string }[]): Json {
  const isForm = headers.some(({ value }) => value === 'application/x-www-form-urlencoded');
  return isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

function checkStrings(
  found: ReturnType<typeof strings>,
  fields: NonNullable<Bounds['fields']>,
  broken: RegExp | undefined,
): void {
  for (const [path, text] of found) {
    const most = fields[path] ?? Number.POSITIVE_INFINITY;
    expect([path, text.length <= most, HALF.test(text)]).toEqual([path, true, false]);
    if (broken !== undefined && path !== '.embeds.*.url')
      expect(text.replaceAll(CODE_LINE, '')).not.toMatch(broken);
  }
}

const channels = CHANNELS.filter(({ type }) => type !== 'email');
const rounds = testSize('alerts', { ci: 25, long: 1_000 });

test.each(channels)('any alert for $type is well formed and within its limits', (channel) => {
  const random = createRandom(seed);
  const example = Object.entries(EXAMPLES).find(([type]) => type === channel.type)?.[1];
  const config = example?.config('https://service.example') ?? {};
  const { fields = {}, bytes = Number.POSITIVE_INFINITY, broken } = BOUNDS[channel.type] ?? {};
  for (let round = 0; round < rounds; round += 1) {
    const alert = anyAlert(random);
    const delivery = { id: 'alr_1', alert, sentAtMs: 0, acknowledgeUrl: ACKNOWLEDGE_URL };
    const message = composeOwn(channel, delivery, PUBLIC_URL);
    for (const { body, headers } of channel.requests?.(config, message) ?? []) {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bytes);
      checkStrings(strings(fieldsOf(body, headers)), fields, broken);
    }
  }
});

test('an email for any alert is well formed and has a subject of limited length', () => {
  const random = createRandom(seed);
  const email = CHANNELS.find(({ type }) => type === 'email');
  if (email === undefined) throw new Error('no mail');
  const settings = {
    server: null,
    from: 'a@b.example',
    publicUrl: PUBLIC_URL,
  };
  for (let round = 0; round < rounds; round += 1) {
    const accountName = textOf(random, 200);
    const delivery = { id: 'alr_1', alert: anyAlert(random), sentAtMs: 0, accountName };
    const message = composeOwn(email, delivery, PUBLIC_URL);
    const { subject = '', text, html } = buildMessage('to@b.example', message, settings);
    expect(subject.length).toBeLessThanOrEqual(180);
    for (const part of [subject, text, html])
      expect(typeof part === 'string' ? part : '').not.toMatch(HALF);
  }
});
