/**
 * Tests an outage of the database while a target goes down. People are still notified, once, and the record is stored
 * later.
 */
import { z } from 'zod';
import { type FaultyLink, openFaultyLink } from '../models/faulty-link';
import { type HttpSink, type MailSink, startHttpSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { readMailReports, readWebhookReports } from '../support/reported-changes';
import { databaseUri, startService, type TestService, uniqueSuite } from '../support/service';
import { readSlots } from '../support/slots';
import { waitUntil } from '../support/wait-until';

const INTERVAL_MS = 10_000;
const ANY = z.looseObject({});
const list = z.object({
  data: z.array(
    z.looseObject({
      kind: z.string().optional(),
      status: z.string().optional(),
      state: z.string().optional(),
    }),
  ),
});

let service: TestService;
let link: FaultyLink;
let api: ApiClient;
let target: LoopbackServer;
let hook: HttpSink;
let mail: MailSink;
let isBroken = false;
let asked = 0;

beforeAll(async () => {
  [hook, mail] = await Promise.all([startHttpSink(), startMailSink()]);
  target = await startLoopbackServer((_request, response) => {
    asked += 1;
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  link = await openFaultyLink(databaseUri(uniqueSuite()));
  const environment = { MONGODB_URI: link.uri, SMTP_URL: mail.url, MAIL_FROM: 'k@example.com' };
  service = await startService({ regions: ['eu-west'], environment });
  api = createApiClient(service.url, (await service.setup()).apiKey);
});
afterAll(async () => {
  link?.heal();
  await service?.stop();
  await Promise.all([link?.close(), hook?.close(), mail?.close()]);
  await target?.close();
});

const read = async (path: string) =>
  (await api.call({ method: 'GET', path }, { status: 200, shape: list })).data;
const kindsAtHook = () => readWebhookReports(hook).map(({ kind }) => kind);
const kindsInMail = () => readMailReports(mail).map(({ kind }) => kind);

test('an outage sends an alert at once while the database is away, and is recorded once the database is back', async () => {
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  const request = { method: 'POST', path: '/v1/alert-channels', body };
  await api.call(request, { status: 201, shape: ANY });
  const { port } = target;
  const id = await api.createMonitor({
    name: 'shop',
    url: `http://127.0.0.1:${port}/`,
    interval: INTERVAL_MS / 1_000,
    retries: 0,
    alerts: { channels: ['webhook'], emails: ['duty@example.com'] },
  });
  await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0);

  link.cut();
  isBroken = true;
  await waitUntil(
    'people are notified',
    () => kindsAtHook().length > 0 && kindsInMail().length > 0,
  );
  const away = await fetch(`${service.url}/v1/account`, { headers: { authorization: 'Bearer x' } });
  await away.body?.cancel();
  const before = asked;
  await waitUntil('another check', () => asked > before);
  expect([kindsAtHook(), kindsInMail()]).toEqual([['failure'], ['failure']]);

  link.heal();
  await waitUntil(
    'the incident',
    async () => (await read('/v1/incidents?state=open')).length === 1,
  );
  isBroken = false;
  await waitUntil(
    'the recovery is reported',
    () => kindsAtHook().length > 1 && kindsInMail().length > 1,
  );
  expect([kindsAtHook(), kindsInMail()]).toEqual([
    ['failure', 'recovery'],
    ['failure', 'recovery'],
  ]);
  await waitUntil('every delivery is recorded', async () => {
    const rows = await read('/v1/alerts');
    return rows.length === 4 && rows.every(({ status }) => status === 'sent');
  });
  const incidents = await read('/v1/incidents');
  expect(incidents.map(({ state }) => state)).toEqual(['resolved']);
  const { doubled, unnamed } = readSlots(await api.resultsOf(id), {
    region: 'eu-west',
    intervalMs: INTERVAL_MS,
  });
  expect({ doubled, unnamed }).toEqual({ doubled: [], unnamed: [] });
});
