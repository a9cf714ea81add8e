/** Slack and webhooks that misbehave, on real sockets: what a try comes to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPostJson } from '../../src/checks/post-json';
import type { AlertMessage } from '../../src/contracts/alerts';
import { createSlackSender } from '../../src/notify/slack';
import { createWebhookSender } from '../../src/notify/webhook';

const PUBLIC_URL = 'https://watch.example';
const TIMEOUT_MS = 400;
const alert: AlertMessage = {
  id: 'owed-1',
  kind: 'failure',
  accountId: 'acc_1',
  incidentId: 'inc_1',
  resourceType: 'monitor',
  resourceId: 'mon_1',
  resourceName: 'Shop',
  atMs: 0,
  sinceMs: 0,
  openedAtMs: 0,
  health: 'down',
  ends: [],
  certificate: null,
  cause: null,
  regions: [],
  assertion: null,
  entries: [],
};

type Answering = (response: ServerResponse, request: IncomingMessage) => void;
let answering: Answering;
let server: Server;
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => answering(response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
});
beforeEach(() => {
  requests = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = createPostJson({ allowedPrivateTargets: ['127.0.0.0/8'] }, 'test', TIMEOUT_MS);
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

const answers = (status: number, headers: Record<string, string> = {}): Answering => {
  return (response) => response.writeHead(status, headers).end('ok');
};

/** The status is there; what follows it is of no use. */
const bodies: readonly (readonly [string, Answering])[] = [
  ['never ends', (response) => response.writeHead(200).write('o')],
  [
    'breaks off',
    (response, { socket }) => response.writeHead(200).write('o', () => socket.destroy()),
  ],
  ['is larger than anything that is read', (response) => response.end('x'.repeat(3_000_000))],
];

const cases: readonly (readonly [string, Answering, object])[] = [
  ['says yes', answers(200), { kind: 'sent' }],
  [
    'is busy and names a time',
    answers(429, { 'retry-after': '7' }),
    { kind: 'later', afterMs: 7_000 },
  ],
  ['is busy', answers(429), { kind: 'later', afterMs: null }],
  ['is broken', answers(500), { kind: 'later', afterMs: null }],
  ['is in maintenance', answers(503, { 'retry-after': '60' }), { kind: 'later', afterMs: 60_000 }],
  ['takes the request and hangs', () => undefined, { kind: 'later', afterMs: null }],
  ['resets the connection', (_response, { socket }) => socket.destroy(), { kind: 'later' }],
  ['is gone', answers(410), { kind: 'refused' }],
  ['leads elsewhere', answers(302, { location: 'http://127.0.0.1:1/' }), { kind: 'refused' }],
  ...bodies.map(
    ([what, body]) => [`says yes in a body that ${what}`, body, { kind: 'sent' }] as const,
  ),
];

test.each(cases)(
  'a receiver that %s is asked once, and the try says what comes next',
  async (_what, by, outcome) => {
    answering = by;
    const slack = createSlackSender(post, PUBLIC_URL);
    expect(
      await slack({ id: 'alr_1', alert, address: { type: 'slack', url: url() } }),
    ).toMatchObject(outcome);
    expect(requests).toBe(1);
    const webhook = createWebhookSender(post, PUBLIC_URL);
    const address = { type: 'webhook', url: url(), secret: 's' } as const;
    expect(await webhook({ id: 'alr_1', alert, address })).toMatchObject(outcome);
    expect(requests).toBe(2);
  },
);

test('an address inside the network that is not allowed is never asked, and never again', async () => {
  const guarded = createWebhookSender(
    createPostJson({ allowedPrivateTargets: [] }, 'test', TIMEOUT_MS),
    PUBLIC_URL,
  );
  const address = { type: 'webhook', url: url(), secret: 's' } as const;
  expect(await guarded({ id: 'alr_1', alert, address })).toMatchObject({ kind: 'refused' });
  expect(requests).toBe(0);
});
