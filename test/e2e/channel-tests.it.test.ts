/**
 * `POST /v1/alert-channels/{id}/test` of every type of channel: the running service, a receiver that
 * behaves as the service documents, and what arrived there.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { CHANNEL_TYPES } from '../../src/notify/channels/registry';
import { EXAMPLES, type Reply } from '../notify/channel-examples';
import { type MailSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { startService, type TestService } from '../support/service';

/** Within the minute that is documented, and before a client gives up. */
const LIMIT_MS = 60_000;

/** A key may have fewer under way than there are types, an account more. */
const KEYS = 2;

const created = z.looseObject({ id: z.string() });
const createdKey = z.looseObject({ key: z.string() });
const outcome = z.object({
  status: z.string(),
  deliveries: z.array(z.object({ status: z.string(), detail: z.string() })),
});

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Where the tests of one type arrive. */
interface Receiver {
  readonly config: Readonly<Record<string, unknown>>;
  readonly received: () => readonly Received[];
  readonly accept: () => void;
  /** Refuses for good, or as near to it as the service comes; returns what it gives as its reason. */
  readonly refuse: () => string;
  readonly hang: () => void;
}

let service: TestService;
let api: ApiClient;
let mail: MailSink;
const servers: RecordingTarget[] = [];

beforeAll(async () => {
  mail = await startMailSink();
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'keepwatch@example.com' };
  service = await startService({ regions: ['eu-west'], environment });
  api = createApiClient(service.url, (await service.setup()).apiKey);
});
afterAll(async () => {
  await service?.stop();
  await mail?.close();
  for (const server of servers) await server.close();
});

function mailReceiver(): Receiver {
  return {
    config: { emails: ['on-call@example.com'] },
    received: () => mail.messages.map(({ text }) => ({ path: '', headers: {}, text })),
    accept: () => {
      mail.refuseNext = 0;
      mail.answerAfterMs = 0;
    },
    refuse: () => {
      mail.refuseNext = 1;
      return 'try later';
    },
    hang: () => {
      mail.answerAfterMs = 10 * LIMIT_MS;
    },
  };
}

async function httpReceiver(type: keyof typeof EXAMPLES): Promise<Receiver> {
  const example = EXAMPLES[type];
  const received: Received[] = [];
  let reply: Reply | null = example.accepted;
  const server = await startRecordingTarget(({ url, headers, body }, response) => {
    const isForm = headers['content-type']?.startsWith(FORM) === true;
    const text = isForm ? JSON.stringify(Object.fromEntries(new URLSearchParams(body))) : body;
    received.push({ path: url, headers, text });
    if (reply !== null) response.writeHead(reply.status, reply.headers ?? {}).end(reply.body);
  });
  servers.push(server);
  return {
    config: example.config(server.origin),
    received: () => received,
    accept: () => {
      reply = example.accepted;
    },
    refuse: () => {
      reply = refusalOf(type);
      return reasonIn(reply);
    },
    hang: () => {
      reply = null;
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';

/** The last of its documented ones that is final, or says so in words. */
function refusalOf(type: keyof typeof EXAMPLES): Reply {
  const finals = EXAMPLES[type].refusals.map(([reply]) => reply);
  const found = finals.findLast(({ status }) => status >= 400 && status < 500 && status !== 429);
  if (found === undefined) throw new Error(`no refusal of ${type}`);
  return found;
}

/** What its own field for words says; the status, of one without a body. */
function reasonIn({ status, headers, body = '' }: Reply): string {
  if (headers?.['content-type'] === 'text/plain') return body;
  const said = body === '' ? {} : JSON.parse(body);
  const words = [said.message, said.description, said.error?.message, said.error, said.errors?.[0]];
  return words.find((word): word is string => typeof word === 'string') ?? `${status}`;
}

async function newChannel(type: string): Promise<{
  receiver: Receiver;
  test: (by?: ApiClient) => Promise<Test>;
}> {
  const receiver =
    type === 'email' ? mailReceiver() : await httpReceiver(type as keyof typeof EXAMPLES);
  const body = { name: `Try ${type}`, type, ...receiver.config };
  const path = '/v1/alert-channels';
  const { id } = await api.call({ method: 'POST', path, body }, { status: 201, shape: created });
  const test = async (by = api): Promise<Test> => {
    const beganAtMs = performance.now();
    const request = { method: 'POST', path: `${path}/${id}/test` };
    const { status, deliveries } = await by.call(request, { status: 200, shape: outcome });
    const detail = deliveries.map((delivery) => delivery.detail).join(' ');
    return { status, detail, tookMs: performance.now() - beganAtMs };
  };
  return { receiver, test };
}

/** With a key of its own. */
async function newCaller(): Promise<ApiClient> {
  const body = { name: 'for a test', scopes: ['admin'] };
  const request = { method: 'POST', path: '/v1/api-keys', body };
  return createApiClient(
    service.url,
    (await api.call(request, { status: 201, shape: createdKey })).key,
  );
}

interface Test {
  readonly status: string;
  readonly detail: string;
  readonly tookMs: number;
}

describe.each([...CHANNEL_TYPES])('the test of a channel of type %s', (type) => {
  let channel: Awaited<ReturnType<typeof newChannel>>;
  beforeAll(async () => {
    channel = await newChannel(type);
  });

  test('arrives as its service takes it', async () => {
    const { receiver, test: send } = channel;
    receiver.accept();
    expect(await send()).toMatchObject({ status: 'sent' });
    const [first] = receiver.received();
    expect(first?.text).toContain('Test of this alert channel');
    if (type === 'email') return;
    const example = EXAMPLES[type as keyof typeof EXAMPLES];
    const pathOf = (path: string | undefined): string => (path ?? '').replace(/\?.*$/s, '');
    expect(pathOf(first?.path)).toBe(pathOf(example.path));
    const { 'keepwatch-event-id': _, ...headers } = example.headers ?? {};
    expect(first?.headers).toMatchObject(headers);
  });

  test('says why its service refused it, and shows no secret', async () => {
    const { receiver, test: send } = channel;
    const reason = receiver.refuse();
    const { status, detail } = await send();
    expect([status, detail]).toEqual(['failed', expect.stringContaining(reason)]);
    const secrets = type === 'email' ? [] : EXAMPLES[type as keyof typeof EXAMPLES].secrets;
    for (const secret of secrets) expect(detail).not.toContain(secret);
  });
});

test('the test of every type has its answer within the minute, also while its service hangs', async () => {
  const channels = await Promise.all([...CHANNEL_TYPES].map((type) => newChannel(type)));
  for (const { receiver } of channels) receiver.hang();
  const callers = await Promise.all(Array.from({ length: KEYS }, newCaller));
  const outcomes = await Promise.all(
    channels.map(({ test: send }, index) => send(callers[index % KEYS])),
  );
  for (const { receiver } of channels) receiver.accept();
  expect(outcomes).toHaveLength(CHANNEL_TYPES.length);
  expect(outcomes.filter(({ status }) => status !== 'failed')).toEqual([]);
  expect(outcomes.filter(({ detail }) => detail === '')).toEqual([]);
  expect(outcomes.filter(({ tookMs }) => tookMs >= LIMIT_MS)).toEqual([]);
}, 180_000);
