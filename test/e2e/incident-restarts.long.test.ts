/**
 * Kills and restarts processes while many incidents are open, and while they end. No one is notified twice, and no
 * recovery is missing. One account has many alerts at once, so some of them are folded. The other accounts get an alert
 * for each monitor. KEEPWATCH_TEST_INCIDENTS sets the number of incidents, KEEPWATCH_TEST_SEED repeats a choice of
 * processes and moments.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Database } from '../../src/models';
import { connectTo } from '../models/test-database';
import { type HttpSink, type MailSink, startHttpSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { addAccount } from '../support/further-account';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { createRandom } from '../support/random';
import {
  type ReportedChange,
  readMailReports,
  readWebhookReports,
} from '../support/reported-changes';
import { startService, type TestService } from '../support/service';
import { testSeed } from '../support/test-seed';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const INCIDENTS = testSize('incidents', { ci: 18, long: 60 });
const SEED = testSeed();
const RESTARTS = Math.max(3, Math.ceil(INCIDENTS / 7));
/** Number of monitors of the first account. It is above the limit for individual alerts of one kind within a minute. */
const STORM = 12;
/** Upper bound of monitors in each other account. It is low enough that each alert is sent individually. */
const SINGLE_ALERTS_MAX = 8;
const PAUSE_MAX_MS = 3_000;
const PROCESSES = ['api', 'orchestrator', 'probe-eu-west'];
const CHOICES = [...PROCESSES.map((name) => [name]), PROCESSES];

const ANY = z.looseObject({});
const incidentPage = z.object({
  data: z.array(
    z.object({
      resourceName: z.string(),
      state: z.string(),
      timeline: z.array(z.object({ kind: z.string() })),
      alerts: z.array(z.string()),
    }),
  ),
});
const alertPage = z.object({ data: z.array(z.object({ status: z.string() })) });

/** An account and its monitors. */
interface Customer {
  readonly api: ApiClient;
  readonly names: readonly string[];
}

let service: TestService;
let database: Database;
let target: LoopbackServer;
let hook: HttpSink;
let mail: MailSink;
let isBroken = false;
const customers: Customer[] = [];

beforeAll(async () => {
  [hook, mail] = await Promise.all([startHttpSink(), startMailSink()]);
  target = await startLoopbackServer((_request, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'keepwatch@example.com' };
  service = await startService({ regions: ['eu-west'], environment });
  database = await connectTo(service.mongodbUri, service.suite);
  const { apiKey } = await service.setup();
  const sizes = [Math.min(STORM, INCIDENTS)];
  for (let left = INCIDENTS - STORM; left > 0; left -= SINGLE_ALERTS_MAX)
    sizes.push(Math.min(SINGLE_ALERTS_MAX, left));
  for (const [index, size] of sizes.entries()) {
    const key = index === 0 ? apiKey : (await addAccount(database, `account ${index}`)).apiKey;
    const names = Array.from({ length: size }, (_, number) => `inc-${index}-${number}`);
    customers.push({ api: createApiClient(service.url, key), names });
  }
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([database?.close(), hook?.close(), mail?.close()]);
  await target?.close();
});

async function fill({ api, names }: Customer): Promise<void> {
  const post = (path: string, body: object) =>
    api.call({ method: 'POST', path, body }, { status: 201, shape: ANY });
  await post('/v1/alert-channels', { name: 'hook', type: 'webhook', url: hook.url });
  const emails = ['duty@example.com'];
  await post('/v1/alert-channels', { name: 'mail', type: 'email', emails, isDefault: true });
  const { port } = target;
  const url = `http://127.0.0.1:${port}`;
  const ids: string[] = [];
  for (const name of names) {
    const body = { name, url: `${url}/${name}`, interval: 10, retries: 0 };
    // A busy service responds with 503 and has stored nothing, so the creation is repeated.
    ids.push(await waitUntil('a monitor', () => api.createMonitor(body)));
  }
  for (const id of ids)
    await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0);
}

async function incidentsOf({ api }: Customer, state: 'open' | 'resolved') {
  const path = `/v1/incidents?state=${state}&limit=500`;
  return (await api.call({ method: 'GET', path }, { status: 200, shape: incidentPage })).data;
}

async function whenAll(state: 'open' | 'resolved'): Promise<void> {
  for (const customer of customers)
    await waitUntil(
      `every incident is ${state} (seed ${SEED})`,
      async () => (await incidentsOf(customer, state)).length === customer.names.length,
    );
}

async function restart(random: () => number): Promise<string> {
  await sleep(random() * PAUSE_MAX_MS);
  const chosen = CHOICES[Math.floor(random() * CHOICES.length)] ?? PROCESSES;
  await Promise.all(chosen.map((name) => service.kill(name)));
  for (const name of chosen) await service.start(name);
  return chosen.length === 1 ? String(chosen[0]) : 'all';
}

const allNames = () => customers.flatMap(({ names }) => names);
const WANTED = ['failure', 'recovery'];

/** Counts the alerts for each failure and recovery. Alerts with the same id count as one alert. */
function alertsPerNews(told: readonly ReportedChange[]): Record<string, number> {
  const ids = new Map<string, Set<string>>();
  for (const { id, kind, name } of told) {
    const news = `${name} ${kind}`;
    ids.set(news, (ids.get(news) ?? new Set()).add(id));
  }
  return Object.fromEntries([...ids].map(([news, { size }]) => [news, size]));
}

/** Expects that some alerts of the first account are folded. The other accounts get an alert for each monitor. */
function expectFolding(told: readonly ReportedChange[]): void {
  const folded = told.filter(({ isFolded }) => isFolded).map(({ name }) => name);
  expect(folded.filter((name) => !name.startsWith('inc-0-'))).toEqual([]);
  if (INCIDENTS >= STORM) expect(folded.length).toBeGreaterThan(0);
}

async function whenNothingIsPending({ api }: Customer): Promise<void> {
  await waitUntil('no delivery is pending', async () => {
    const request = { method: 'GET', path: '/v1/alerts?status=pending' };
    return (await api.call(request, { status: 200, shape: alertPage })).data.length === 0;
  });
}

test(`${RESTARTS} restarts during ${INCIDENTS} incidents send each failure and recovery once (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  await Promise.all(customers.map(fill));
  isBroken = true;
  const killed = [await restart(random)];
  await whenAll('open');
  const last = Math.ceil(RESTARTS / 3);
  while (killed.length < RESTARTS - last) killed.push(await restart(random));
  expect(alertsPerNews(readWebhookReports(hook))).not.toHaveProperty(`${allNames()[0]} recovery`);
  isBroken = false;
  while (killed.length < RESTARTS) killed.push(await restart(random));
  await whenAll('resolved');

  const once = Object.fromEntries(
    allNames().flatMap((name) => WANTED.map((kind) => [`${name} ${kind}`, 1])),
  );
  for (const told of [() => readWebhookReports(hook), () => readMailReports(mail)]) {
    await waitUntil(
      `everyone is notified (seed ${SEED}, killed ${killed.join(', ')})`,
      () => Object.keys(alertsPerNews(told())).length >= Object.keys(once).length,
    );
  }
  for (const customer of customers) await whenNothingIsPending(customer);
  for (const told of [readWebhookReports(hook), readMailReports(mail)]) {
    expect(alertsPerNews(told)).toEqual(once);
    expectFolding(told);
  }
  for (const customer of customers) {
    const incidents = await incidentsOf(customer, 'resolved');
    expect(incidents.map(({ resourceName }) => resourceName).toSorted()).toEqual(
      customer.names.toSorted(),
    );
    for (const { timeline, alerts } of incidents) {
      const kinds = timeline.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['opened', 'alert', 'recovered']));
      expect(alerts).toHaveLength(4);
    }
  }
}, 900_000);
