/**
 * Runs `POST /v1/alert-channels/{id}/test` for one type of channel on the running service. The receiver behaves as the
 * documentation of its service says, and records the messages.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { EXAMPLES, type Reply } from '../notify/channel-examples';
import type { ApiClient } from '../support/api-client';
import { startRecordingTarget } from '../support/recording-target';

const created = z.looseObject({ id: z.string() });
const outcome = z.object({
  status: z.string(),
  deliveries: z.array(z.object({ status: z.string(), detail: z.string() })),
});

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The receiver of the messages of one type of channel. */
export interface Receiver {
  readonly config: Readonly<Record<string, unknown>>;
  readonly received: () => Promise<readonly Received[]>;
  /**
   * Makes the receiver refuse, permanently if its service has such a refusal. Returns the reason that the receiver
   * sends.
   */
  readonly refuse: () => Promise<string>;
  readonly hang: () => void;
  readonly close: () => Promise<void>;
}

type HttpType = keyof typeof EXAMPLES;

export function isHttpType(type: string): type is HttpType {
  return Object.hasOwn(EXAMPLES, type);
}

export async function startHttpReceiver(type: HttpType): Promise<Receiver> {
  const example = EXAMPLES[type];
  const received: Received[] = [];
  let reply: Reply | null = example.accepted;
  const server = await startRecordingTarget(({ url, headers, body }, response) => {
    const isForm = headers['content-type']?.startsWith(FORM) === true;
    const text = isForm ? JSON.stringify(Object.fromEntries(new URLSearchParams(body))) : body;
    received.push({ path: url, headers, text });
    if (reply !== null) response.writeHead(reply.status, reply.headers ?? {}).end(reply.body);
  });
  return {
    config: example.config(server.origin),
    received: async () => received,
    refuse: async () => {
      reply = refusalOf(type);
      return reasonIn(reply);
    },
    hang: () => {
      reply = null;
    },
    close: server.close,
  };
}

const FORM = 'application/x-www-form-urlencoded';

/** Returns the last documented refusal that is permanent: a 4xx status except 429. */
function refusalOf(type: HttpType): Reply {
  const finals = EXAMPLES[type].refusals.map(([reply]) => reply);
  const found = finals.findLast(({ status }) => status >= 400 && status < 500 && status !== 429);
  if (found === undefined) throw new Error(`no refusal of ${type}`);
  return found;
}

/** Returns the reason in the response, or the status if the response contains no reason. */
function reasonIn({ status, headers, body = '' }: Reply): string {
  if (headers?.['content-type'] === 'text/plain') return body;
  const said = body === '' ? {} : JSON.parse(body);
  const words = [said.message, said.description, said.error?.message, said.error, said.errors?.[0]];
  return words.find((word): word is string => typeof word === 'string') ?? `${status}`;
}

export interface ChannelTest {
  readonly status: string;
  readonly detail: string;
}

/** Creates a channel for the receiver. Returns a function that sends its test message. */
export async function createChannel(
  api: ApiClient,
  type: string,
  { config }: Receiver,
): Promise<(by?: ApiClient) => Promise<ChannelTest>> {
  const body = { name: `Try ${type}`, type, ...config };
  const path = '/v1/alert-channels';
  const { id } = await api.call({ method: 'POST', path, body }, { status: 201, shape: created });
  return async (by = api) => {
    const request = { method: 'POST', path: `${path}/${id}/test` };
    const { status, deliveries } = await by.call(request, { status: 200, shape: outcome });
    return { status, detail: deliveries.map((delivery) => delivery.detail).join(' ') };
  };
}

export async function expectArrival(
  type: string,
  receiver: Receiver,
  send: () => Promise<ChannelTest>,
): Promise<void> {
  expect(await send()).toMatchObject({ status: 'sent' });
  const [first] = await receiver.received();
  expect(first?.text).toContain('Test of the alert channel');
  if (!isHttpType(type)) return;
  const example = EXAMPLES[type];
  const pathOf = (path: string | undefined): string => (path ?? '').replace(/\?.*$/s, '');
  expect(pathOf(first?.path)).toBe(pathOf(example.path));
  const { 'keepwatch-event-id': _, ...headers } = example.headers ?? {};
  expect(first?.headers).toMatchObject(headers);
}

export async function expectRefusal(
  type: string,
  receiver: Receiver,
  send: () => Promise<ChannelTest>,
): Promise<void> {
  const reason = await receiver.refuse();
  const { status, detail } = await send();
  expect([status, detail]).toEqual(['failed', expect.stringContaining(reason)]);
  const secrets = isHttpType(type) ? EXAMPLES[type].secrets : [];
  for (const secret of secrets) expect(detail).not.toContain(secret);
}
