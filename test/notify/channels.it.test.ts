/** Tests every type of channel against a receiver that behaves as its service documents, over real sockets. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPost } from '../../src/checks/post';
import type { AlertMessage } from '../../src/contracts/alerts';
import type { Channel } from '../../src/notify/channels/channel';
import { CHANNELS } from '../../src/notify/channels/registry';
import { createSender } from '../../src/notify/sender';
import { systemClock as clock } from '../../src/platform/clock';
import { listSecretValues } from '../../src/services/alerting/channel-config';
import { createTextPool } from '../../src/text/text-pool';
import { buildAlert } from '../support/alert-message';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { EXAMPLES, type Reply } from './channel-examples';

const PUBLIC_URL = 'https://watch.example';
/** Timeout in milliseconds for tries that end by themselves. It is longer than a busy machine needs. */
const LONG_MS = 30_000;
/** Timeout in milliseconds for tries that never end. It is long enough to send the request. */
const SHORT_MS = 1_000;
const alert: AlertMessage = buildAlert({
  id: 'owed-1',
  resourceName: 'Shop',
  cause: { code: 'timeout', message: 'no answer' },
  regions: ['eu-west'],
});

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Responding = (response: ServerResponse) => void;
let responding: Responding;
let server: RecordingTarget;
let received: Received[] = [];

beforeAll(async () => {
  server = await startRecordingTarget(({ url, headers, body }, response) => {
    received.push({ path: url, headers, body });
    responding(response);
  });
});
beforeEach(() => {
  received = [];
});
afterAll(() => Promise.all([server.close(), closeTexts()]));

const base = () => server.origin;
const replies =
  ({ status, headers = {}, body = '' }: Reply): Responding =>
  (response) =>
    response.writeHead(status, headers).end(body);

const noMail = async () => ({ kind: 'refused', detail: 'no mail here' }) as const;
const { run: runTextJob, close: closeTexts } = createTextPool();
const sealer = { seal: () => 'sealed' };
const senderWithin = (limitMs: number) =>
  createSender({
    post: createPost({ allowedPrivateTargets: ['127.0.0.0/8'] }, 'test', limitMs),
    mail: noMail,
    publicUrl: PUBLIC_URL,
    clock,
    runTextJob,
    sealer,
  });
const [send, sendBriefly] = [senderWithin(LONG_MS), senderWithin(SHORT_MS)];

function exampleOf(type: string) {
  const found = Object.entries(EXAMPLES).find(([name]) => name === type)?.[1];
  if (found === undefined) throw new Error(`no example of ${type}`);
  return found;
}

function deliver(channel: Channel, more: Partial<Parameters<typeof send>[0]> = {}, sendBy = send) {
  const config = exampleOf(channel.type).config(base());
  return sendBy({
    id: 'alr_1',
    alert,
    address: { type: channel.type, config, signingSecret: 's' },
    template: null,
    secrets: listSecretValues(channel, config),
    ...more,
  });
}

function contentOf({ headers, body }: Received): unknown {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return isForm === true ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

const textOf = (request: Received | undefined): string =>
  request === undefined ? '' : JSON.stringify(contentOf(request));

const POSTED: readonly Channel[] = CHANNELS.filter(({ type }) => type !== 'email');

const neverEnds: Responding = (response) => response.writeHead(200).write('o');
const hangs: Responding = () => undefined;

/** Responses whose status arrives, but whose body is useless. */
const bodies: readonly (readonly [string, Responding])[] = [
  ['never ends', neverEnds],
  ['breaks off', (response) => response.writeHead(200).write('o', () => response.destroy())],
  ['exceeds the read limit', (response) => response.end('x'.repeat(3_000_000))],
];

const everywhere: readonly (readonly [string, Responding, object])[] = [
  [
    'is busy and sends a retry time',
    replies({ status: 429, headers: { 'retry-after': '7' } }),
    { kind: 'later', afterMs: 7_000 },
  ],
  ['is broken', replies({ status: 500 }), { kind: 'later', afterMs: null }],
  [
    'is in maintenance',
    replies({ status: 503, headers: { 'retry-after': '60' } }),
    { kind: 'later', afterMs: 60_000 },
  ],
  ['accepts the request and hangs', hangs, { kind: 'later', afterMs: null }],
  ['resets the connection', (response) => response.destroy(), { kind: 'later' }],
  ['denies', replies({ status: 401 }), { kind: 'refused' }],
  [
    'redirects',
    replies({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    { kind: 'refused' },
  ],
  ...bodies.map(
    ([what, body]) => [`says yes in a body that ${what}`, body, { kind: 'sent' }] as const,
  ),
];

describe.each(POSTED.map((channel) => [channel.type, channel] as const))('%s', (type, channel) => {
  const example = exampleOf(type);

  it('each channel sends a failure in the form that its service documents', async () => {
    responding = replies(example.accepted);
    expect(await deliver(channel)).toMatchObject({ kind: 'sent' });
    const [first] = received;
    expect(received).toHaveLength(1);
    expect(first?.path).toBe(example.path);
    expect(first?.headers).toMatchObject(example.headers ?? {});
    expect(first && contentOf(first)).toMatchObject(example.body);
  });

  it.each(everywhere)(
    'a service that %s gets one request, and the outcome says whether a retry follows',
    async (...given) => {
      const [, by, outcome] = given;
      responding = by;
      const isEndless = by === hangs || by === neverEnds;
      const sending = deliver(channel, {}, isEndless ? sendBriefly : send);
      expect(await sending).toMatchObject(outcome);
      expect(received).toHaveLength(1);
    },
  );

  it('each channel understands the refusals that its service documents', async () => {
    for (const [reply, outcome] of example.refusals) {
      responding = replies(reply);
      expect(await deliver(channel)).toMatchObject(outcome);
    }
  });

  it('each channel records no secret, even if the service repeats the secret in its response', async () => {
    const [secret = ''] = example.secrets;
    const config = example.config(base());
    for (const value of listSecretValues(channel, config)) {
      responding = replies({ status: 400, body: JSON.stringify({ message: `bad key ${value}` }) });
      const { detail } = await deliver(channel);
      expect(detail).not.toContain(secret);
    }
  });

  it('each channel sends the template with escaped values, or the default text if that is refused', async () => {
    const named = { ...alert, resourceName: 'Shop <b>@everyone</b>' };
    const text = channel.hasBodyTemplate
      ? '{"made up": {{ resource.name | json }}}'
      : 'made up: {{ resource.name }}';
    const template = { text };
    responding = replies(example.accepted);
    expect(await deliver(channel, { alert: named, template })).toMatchObject({ kind: 'sent' });
    const shown = channel.markup.escape(named.resourceName);
    expect(textOf(received[0])).toContain('made up');
    expect(textOf(received[0])).toContain(JSON.stringify(shown).slice(1, -1));
    let count = 0;
    responding = (response) => {
      count += 1;
      replies(count === 1 ? { status: 400 } : example.accepted)(response);
    };
    const { kind, detail } = await deliver(channel, { alert: named, template });
    expect([kind, detail]).toEqual(['sent', expect.stringContaining('default text was used')]);
    expect(textOf(received.at(-1))).not.toContain('made up');
  });
});

const find = (type: string): Channel => {
  const channel = POSTED.find((known) => known.type === type);
  if (channel === undefined) throw new Error(`no channel of type ${type}`);
  return channel;
};

test.each([
  ['fails', '{% for i in (1..100000) %}{% for j in (1..100000) %}{{ i }}{% endfor %}{% endfor %}'],
  ['renders no JSON', '{"broken": {{ resource.name }} }'],
])(
  'if its template %s, an alert is sent with the default text, and the record says so',
  async (...given) => {
    const [, text] = given;
    responding = replies({ status: 200 });
    const { kind, detail } = await deliver(find('webhook'), { template: { text } });
    expect(kind).toBe('sent');
    expect(detail).toMatch(/^Receiver response: 200\. The template .* default text was used\.$/);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'alert.failure' });
  },
);

test('a body template with another media type is sent unchanged with that type, and is signed', async () => {
  responding = replies({ status: 200 });
  const config = { url: `${base()}/text`, contentType: 'text/plain' };
  const address = { type: 'webhook', config, signingSecret: 's' };
  await deliver(find('webhook'), { address, template: { text: 'down: {{ resource.name }}' } });
  expect(received[0]).toMatchObject({
    body: 'down: Shop',
    headers: { 'content-type': 'text/plain', 'keepwatch-signature': expect.any(String) },
  });
});

describe.each(['pagerduty', 'jira'])('an alert in %s', (type) => {
  const keyOf = (request: Received | undefined): string => {
    const [, alias] = /\/v2\/alerts\/([^/]+)\/close/.exec(request?.path ?? '') ?? [];
    if (alias !== undefined) return `close ${alias}`;
    const { dedup_key: key, alias: made, event_action: action } = JSON.parse(request?.body ?? '{}');
    return action === 'resolve' ? `close ${key}` : `open ${key ?? made}`;
  };

  it('an alert in each service is opened by a failure, kept open by a reminder and closed by the recovery', async () => {
    responding = replies({ status: 202 });
    for (const kind of ['failure', 'reminder'] as const)
      await deliver(find(type), { alert: { ...alert, kind } });
    await deliver(find(type), { alert: { ...alert, kind: 'recovery', ends: ['failure'] } });
    expect(received.map(keyOf)).toEqual(['open inc_1', 'open inc_1', 'close inc_1']);
  });

  it("one recovery closes a service's failure alert together with its degradation alert", async () => {
    responding = replies({ status: 202 });
    await deliver(find(type), { alert: { ...alert, kind: 'degraded', incidentId: null } });
    const ends = ['failure', 'degraded'] as const;
    await deliver(find(type), { alert: { ...alert, kind: 'recovery', ends: [...ends] } });
    await deliver(find(type), { alert: { ...alert, kind: 'test', incidentId: null } });
    expect(received.map(keyOf)).toEqual([
      'open degraded-mon_1',
      'close inc_1',
      'close degraded-mon_1',
      'open test-owed-1',
      'close test-owed-1',
    ]);
  });
});

test('a channel whose URL is in a forbidden network sends no request and no retry', async () => {
  const guarded = createPost({ allowedPrivateTargets: [] }, 'test', LONG_MS);
  const sendGuarded = createSender({
    post: guarded,
    mail: noMail,
    publicUrl: PUBLIC_URL,
    clock,
    runTextJob,
    sealer,
  });
  const config = { url: `${base()}/hook` };
  const address = { type: 'webhook', config, signingSecret: 's' };
  const delivery = { id: 'alr_1', alert, address, template: null, secrets: [] };
  expect(await sendGuarded(delivery)).toMatchObject({ kind: 'refused' });
  expect(received).toHaveLength(0);
});

test('a channel type of a newer version is refused with an explanation', async () => {
  const address = { type: 'carrier-pigeon', config: {} };
  expect(await deliver(find('webhook'), { address })).toEqual({
    kind: 'refused',
    detail: 'This version has no channel of type carrier-pigeon.',
  });
});

test('fields of channels with the same name have the same type of value in every channel', () => {
  const text = ['text', 'longText', 'url', 'secret', 'secretUrl', 'choice'];
  const list = ['list', 'secretList'];
  const shapes = new Map<string, string>();
  for (const { form } of CHANNELS)
    for (const [name, { kind }] of Object.entries(form)) {
      const shape = text.includes(kind) ? 'text' : list.includes(kind) ? 'list' : kind;
      expect([name, shapes.get(name) ?? shape]).toEqual([name, shape]);
      shapes.set(name, shape);
    }
});
