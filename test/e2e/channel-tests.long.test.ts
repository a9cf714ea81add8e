/** Tests the test message of every type of channel, also while the services of all channels hang. */
import { z } from 'zod';
import { CHANNEL_TYPES } from '../../src/notify/channels/registry';
import { type MailSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import {
  createChannel,
  expectArrival,
  expectRefusal,
  isHttpType,
  type Receiver,
  startHttpReceiver,
} from './channel-receivers';

const NEVER_MS = 600_000;
/** Number of API keys. One key may not have as many concurrent requests as there are types, but an account may. */
const KEYS = 2;
const RECIPIENT = 'on-call@example.com';
const createdKey = z.looseObject({ key: z.string() });

let service: TestService;
let api: ApiClient;
let mail: MailSink;
const receivers = new Map<string, Receiver>();

beforeAll(async () => {
  mail = await startMailSink();
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'keepwatch@example.com' };
  service = await startService({ regions: ['eu-west'], environment });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  for (const type of CHANNEL_TYPES)
    receivers.set(type, isHttpType(type) ? await startHttpReceiver(type) : mailReceiver());
});
afterAll(async () => {
  await service?.stop();
  await mail?.close();
  for (const receiver of receivers.values()) await receiver.close();
});

function mailReceiver(): Receiver {
  return {
    config: { emails: [RECIPIENT] },
    received: async () => mail.messages.map(({ text }) => ({ path: '', headers: {}, text })),
    refuse: async () => {
      mail.refusing.add(RECIPIENT);
      return 'try later';
    },
    hang: () => {
      mail.answerAfterMs = NEVER_MS;
    },
    close: async () => undefined,
  };
}

function receiverOf(type: string): Receiver {
  const receiver = receivers.get(type);
  if (receiver === undefined) throw new Error(`no receiver of ${type}`);
  return receiver;
}

test.each([...CHANNEL_TYPES])(
  'a test message of a %s channel arrives, or the refusal is reported with its reason and without a secret',
  async (type) => {
    const receiver = receiverOf(type);
    const send = await createChannel(api, type, receiver);
    await expectArrival(type, receiver, send);
    await expectRefusal(type, receiver, send);
  },
);

/** Creates a client with a new key. */
async function newCaller(): Promise<ApiClient> {
  const body = { name: 'for a test', scopes: ['admin'] };
  const request = { method: 'POST', path: '/v1/api-keys', body };
  const { key } = await api.call(request, { status: 201, shape: createdKey });
  return createApiClient(service.url, key);
}

test('a test of every channel type returns while its service hangs', async () => {
  const callers = await Promise.all(Array.from({ length: KEYS }, newCaller));
  const outcomes = await Promise.all(
    [...CHANNEL_TYPES].map(async (type, index) => {
      const send = await createChannel(api, type, receiverOf(type));
      receiverOf(type).hang();
      return send(callers[index % KEYS]);
    }),
  );
  expect(outcomes.filter(({ status }) => status !== 'failed')).toEqual([]);
  expect(outcomes.filter(({ detail }) => detail === '')).toEqual([]);
});
