/**
 * Tests certificates of a real TLS server that are about to expire. People are warned, and the API shows the
 * certificates.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { monitorWorkflowId } from '../../src/contracts/workflows';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import type { ApiClient } from '../support/api-client';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-server';
import type { MadeCertificate } from '../support/make-certificate';
import { uniqueSuite } from '../support/service';
import { openSharedService, type SharedService } from '../support/shared-service';
import { waitUntil } from '../support/wait-until';

const ANY = z.looseObject({});
const monitorShape = z.looseObject({
  id: z.string(),
  health: z.string(),
  tlsExpiresAt: z.string().nullable(),
  tlsWarning: z.number().nullable(),
});
const eventShape = z.looseObject({
  type: z.string(),
  incidentId: z.null(),
  resource: z.looseObject({ id: z.string() }),
  certificate: z.looseObject({ warnDays: z.number(), step: z.string().nullable() }),
});
const listShape = z.looseObject({ data: z.array(z.looseObject({ kind: z.string().optional() })) });

let service: SharedService;
let api: ApiClient;
let hook: HttpSink;
let slack: HttpSink;
let target: Server;
let listening: LoopbackServer;
let url: string;
const RECIPIENT = `${uniqueSuite()}@example.com`;
let first: MadeCertificate;
let second: MadeCertificate;
let healthy: MadeCertificate;

beforeAll(async () => {
  service = await openSharedService();
  [first, second, healthy] = [certificateFor(10), certificateFor(2), certificateFor(300)];
  target = createServer(first, (_request, response) => response.end('ok'));
  listening = await listenOnLoopback(target);
  url = `https://localhost:${listening.port}/`;
  [hook, slack] = await Promise.all([startHttpSink(), startHttpSink()]);
  ({ api } = await service.newAccount());
  const create = (body: object) =>
    api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
  await create({ name: 'hook', type: 'webhook', url: hook.url });
  const webhookUrl = `${slack.url}/services/T/B/x`;
  await create({ name: 'slack', type: 'slack', webhookUrl, isDefault: true });
  await create({ name: 'mail', type: 'email', emails: [RECIPIENT], isDefault: true });
});
afterAll(async () => {
  await service?.close();
  await Promise.all([hook?.close(), slack?.close(), listening?.close()]);
});

function certificateFor(days: number): MadeCertificate {
  const found = service.certificates.find((one) => one.days === days);
  if (found === undefined) throw new Error(`no certificate for ${days} days`);
  return found;
}

/** Makes the target present another certificate from its next connection on. */
function renew(certificate: MadeCertificate): void {
  target.setSecureContext(certificate);
  target.closeAllConnections();
}

const readMonitor = (id: string) =>
  api.call({ method: 'GET', path: `/v1/monitors/${id}` }, { status: 200, shape: monitorShape });

const warningsOf = (id: string) =>
  hook.events
    .filter(({ body }) => body.includes(id) && body.includes('"alert.certificate"'))
    .map(({ body }) => eventShape.parse(JSON.parse(body)).certificate.warnDays);

async function checkNow(id: string): Promise<void> {
  const count = (await api.resultsOf(id)).length;
  const path = `/v1/monitors/${id}/run`;
  await api.call({ method: 'POST', path }, { status: 202, shape: ANY });
  await waitUntil('the result', async () => (await api.resultsOf(id)).length > count);
}

/** Waits for the status of a monitor, because the status is stored after the result. */
const waitForWarning = (id: string, days: number | null) =>
  waitUntil('the status', async () => (await readMonitor(id)).tlsWarning === days);

test('each recipient is warned once for each threshold that a certificate passes', async () => {
  const name = `shop-${randomBytes(4).toString('hex')}`;
  const tls = { warnDays: [3, 30, 14] };
  const id = await api.createMonitor({
    name,
    url,
    interval: 3_600,
    regions: ['eu-west'],
    retries: 0,
    tls,
  });
  await waitUntil('three warnings', async () => {
    const mails = (await service.mailsTo(RECIPIENT)).filter((text) => text.includes(name));
    const posts = slack.events.filter(({ body }) => body.includes(name));
    return warningsOf(id).length === 1 && mails.length === 1 && posts.length === 1;
  });
  await checkNow(id);
  await checkNow(id);
  expect(await readMonitor(id)).toMatchObject({
    health: 'up',
    tlsWarning: 14,
    tls: { warnDays: [30, 14, 3] },
  });

  renew(second);
  await checkNow(id);
  await waitUntil('the next warning', () => warningsOf(id).length === 2);
  expect(warningsOf(id)).toEqual([14, 3]);
  await waitForWarning(id, 3);

  renew(healthy);
  await checkNow(id);
  await waitForWarning(id, null);
  renew(first);
  await checkNow(id);
  expect(warningsOf(id)).toEqual([14, 3]);
  const incidents = { method: 'GET', path: `/v1/incidents?resourceId=${id}` } as const;
  expect((await api.call(incidents, { status: 200, shape: listShape })).data).toEqual([]);
  const alerts = { method: 'GET', path: `/v1/alerts?resourceId=${id}` } as const;
  const sent = await waitUntil('the alerts', async () => {
    const { data } = await api.call(alerts, { status: 200, shape: listShape });
    return data.length >= 6 && data;
  });
  expect(sent.map(({ kind }) => kind)).toEqual(Array(6).fill('certificate'));
  await waitUntil('the metric', async () => {
    const { tlsExpiresAt } = await readMonitor(id);
    const seconds = Math.floor(Date.parse(tlsExpiresAt ?? '') / 1_000);
    const line = `^probe_ssl_earliest_cert_expiry\\{[^}]*${id}[^}]*\\} ${seconds}$`;
    return new RegExp(line, 'm').test(await (await fetch(`${service.url}/metrics`)).text());
  });
});

test('people are warned of expiring certificates of scenario steps', async () => {
  renew(first);
  const steps = [
    { name: 'silent', url, tls: { warnDays: [] } },
    { name: 'read', url },
  ];
  const body = { name: 'certified', steps, interval: 3_600, regions: ['eu-west'] };
  const made = await api.call(
    { method: 'POST', path: '/v1/scenarios', body },
    { status: 201, shape: z.looseObject({ id: z.string() }) },
  );
  await waitUntil('the warning', () => warningsOf(made.id).length > 0);
  expect(warningsOf(made.id)).toEqual([14]);
  const event = hook.events.find(({ body: sent }) => sent.includes(made.id));
  expect(eventShape.parse(JSON.parse(event?.body ?? '')).certificate.step).toBe('read');
  await waitUntil('its status', async () => {
    const path = `/v1/scenarios/${made.id}`;
    const shown = await api.call({ method: 'GET', path }, { status: 200, shape: ANY });
    return typeof shown['tlsExpiresAt'] === 'string' && shown['tlsWarning'] === 14;
  });
});

test('a workflow that was lost and restarted does not repeat a certificate warning', async () => {
  renew(first);
  const tls = { warnDays: [14, 3] };
  const id = await api.createMonitor({
    name: 'lost',
    url,
    interval: 3_600,
    regions: ['eu-west'],
    retries: 0,
    tls,
  });
  await waitUntil('the first warning', () => warningsOf(id).length === 1);
  await waitForWarning(id, 14);
  const connection = await Connection.connect({ address: service.temporalAddress });
  const client = new Client({ connection, namespace: service.suite });
  await client.workflow.getHandle(monitorWorkflowId(id)).terminate('lost');
  await connection.close();
  const change = { method: 'PATCH', path: `/v1/monitors/${id}`, body: { name: 'found' } } as const;
  await api.call(change, { status: 200, shape: ANY });
  await checkNow(id);
  renew(second);
  await checkNow(id);
  await waitUntil('the next warning', () => warningsOf(id).includes(3));
  expect(warningsOf(id)).toEqual([14, 3]);
});
