/**
 * Sends thousands of emails while all processes and servers are killed. No email is lost, and no recipient gets a
 * second email. If a sender dies after the mail server accepted its email, the email is sent again with the same
 * Message-ID, so mailboxes recognise the repeat. KEEPWATCH_TEST_SUBSCRIBERS sets the number of emails,
 * KEEPWATCH_TEST_SEED repeats the moments.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { STORED_SECRET_PURPOSE } from '../../src/contracts/seal-contexts';
import { createIdMaker } from '../../src/domain/definitions/ids';
import { createStores, type Database } from '../../src/models';
import { createTextSealer } from '../../src/platform/sealing';
import { newSubscriber } from '../../src/services/subscribers/page-subscribers';
import { connectTo } from '../models/test-database';
import { type HttpSink, type MailSink, startHttpSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type OwnServers, startOwnServers } from '../support/own-servers';
import { createRandom } from '../support/random';
import { startService, type TestService } from '../support/service';
import { testSeed } from '../support/test-seed';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const SUBSCRIBERS = testSize('subscribers', { ci: 300, long: 3_000 });
const SEED = testSeed();
const KILLS = 2;
const STEP = 100;
/** Number of emails of one notice that are sent at the same time. */
const AT_ONCE = 8;
const SECRET_KEY = 'cd'.repeat(32);
const PROCESSES = ['api', 'orchestrator', 'probe-eu-west'];
const HOUR_MS = 3_600_000;
const MESSAGE_ID = /^Message-ID: (.*)$/im;

const created = z.looseObject({ id: z.string() });
const noticePage = z.object({
  data: z.array(z.object({ state: z.string(), letters: z.record(z.string(), z.number()) })),
});

let servers: OwnServers;
let service: TestService;
let database: Database;
let mail: MailSink;
let hook: HttpSink;
let api: ApiClient;

beforeAll(async () => {
  [mail, hook, servers] = await Promise.all([startMailSink(), startHttpSink(), startOwnServers()]);
  // The mail server responds late, so that some kills happen during a delivery.
  mail.answerAfterMs = 10;
  service = await startService({
    regions: ['eu-west'],
    environment: {
      ...servers.environment,
      KEEPWATCH_SECRET_KEY: SECRET_KEY,
      SMTP_URL: mail.url,
      MAIL_FROM: 'status@example.com',
    },
  });
  database = await connectTo(servers.environment.MONGODB_URI, 'keepwatch');
  api = createApiClient(service.url, (await service.setup()).apiKey);
});
afterAll(async () => {
  await service?.stop();
  await database?.close();
  await servers?.stop();
  await Promise.all([mail?.close(), hook?.close()]);
});

async function newPage(): Promise<string> {
  const body = { slug: 'shop', title: 'Shop', isPublic: true, subscribers: { mail: true } };
  const request = { method: 'POST', path: '/v1/status-pages', body };
  return (await api.call(request, { status: 201, shape: created })).id;
}

async function subscribeAll(pageId: string): Promise<void> {
  const { statusPages, subscribers } = createStores(database);
  const page = await statusPages.findPublic('shop');
  if (page === null || page.id !== pageId) throw new Error('the page is not there');
  const clock = { now: () => Date.now() - HOUR_MS };
  const stored = createTextSealer([SECRET_KEY], STORED_SECRET_PURPOSE);
  const needs = {
    clock,
    newId: createIdMaker(clock.now, randomBytes),
    sealers: { stored, runIn: () => stored },
  };
  const origin = { items: null, isConfirmed: true, addedBy: null };
  for (let at = 0; at < SUBSCRIBERS; at += 1) {
    const wanted = { type: 'mail', to: `reader-${at}@example.com`, ...origin } as const;
    await subscribers.create(page.accountId, newSubscriber(needs, page, wanted));
  }
}

/** Kills all processes and servers at once, and then restarts the processes. */
async function killAll(): Promise<void> {
  const killed = PROCESSES.map((name) => service.kill(name));
  servers.database.kill();
  servers.temporal.kill();
  await Promise.all(killed);
  await Promise.all(PROCESSES.map((name) => service.start(name)));
}

/**
 * Waits until emails have arrived at `count` recipients. Waits in steps, each with the usual limit, so that a slow
 * machine causes no failure.
 */
async function sentUpTo(count: number): Promise<void> {
  const isThere = (wanted: number) => () =>
    new Set(mail.messages.map(({ to }) => to)).size >= wanted;
  for (let wanted = Math.min(count, STEP); ; wanted = Math.min(count, wanted + STEP)) {
    await waitUntil(`${wanted} letters`, isThere(wanted));
    if (wanted === count) return;
  }
}

async function readNotice(pageId: string) {
  const request = { method: 'GET', path: `/v1/status-pages/${pageId}/notices` };
  return (await api.call(request, { status: 200, shape: noticePage })).data[0];
}

test(`after ${KILLS} kills of all processes, each of ${SUBSCRIBERS} emails arrives at its own recipient (seed ${SEED})`, async () => {
  const pageId = await newPage();
  await subscribeAll(pageId);
  const post = { pageId, title: 'Cards fail', text: 'We look.', publish: true };
  await api.call(
    { method: 'POST', path: '/v1/status-page-posts', body: post },
    { status: 201, shape: created },
  );
  const random = createRandom(SEED);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const share = (kill - random()) / (KILLS + 1);
    const count = Math.max(1, Math.floor(SUBSCRIBERS * share));
    await sentUpTo(count);
    if (kill === 1) await expectAlert();
    await killAll();
  }
  await sentUpTo(SUBSCRIBERS);
  await waitUntil(
    'the end of the notice',
    async () => (await readNotice(pageId))?.state === 'sent',
  );
  const ids = new Map<string, Set<string>>();
  for (const { to, text } of mail.messages) {
    const known = ids.get(to) ?? new Set();
    ids.set(to, known.add(MESSAGE_ID.exec(text)?.[1] ?? ''));
  }
  const copies = mail.messages.length - SUBSCRIBERS;
  process.stdout.write(`${ids.size} letters, ${copies} came again\n`);
  expect(ids.size).toBe(SUBSCRIBERS);
  expect([...ids.values()].filter((each) => each.size !== 1)).toEqual([]);
  expect(copies).toBeLessThanOrEqual(KILLS * AT_ONCE);
  expect((await readNotice(pageId))?.letters).toMatchObject({ sent: SUBSCRIBERS, pending: 0 });
}, 3_600_000);

/** Expects that an alert is sent while emails are being sent. */
async function expectAlert(): Promise<void> {
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  const path = '/v1/alert-channels';
  const { id } = await api.call({ method: 'POST', path, body }, { status: 201, shape: created });
  const sent = z.looseObject({ status: z.literal('sent') });
  await api.call({ method: 'POST', path: `${path}/${id}/test` }, { status: 200, shape: sent });
}
