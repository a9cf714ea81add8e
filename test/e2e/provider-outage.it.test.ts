/**
 * Tests the outage of an identity provider on the whole service. A real OAuth server goes down and comes back while
 * five monitors use it, and a real receiver gets the alerts.
 */
import type { RequestListener } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { HOUSEKEEPING_WORKFLOW_ID, PASS_NOW_SIGNAL } from '../../src/contracts/housekeeping';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import type { ApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { never } from '../support/never';
import { openSharedService, type SharedService } from '../support/shared-service';
import { waitUntil } from '../support/wait-until';

const SECRET = 'cl13nt-s3cr3t-of-the-shop';
const CHECKS = 5;
const ANY = z.looseObject({});
const monitorShape = z.looseObject({ health: z.string() });
const incidentPage = z.object({
  data: z.array(
    z.looseObject({
      resourceType: z.string(),
      state: z.string(),
      identityProvider: z.looseObject({ checkCount: z.number() }).nullish(),
    }),
  ),
});
const eventShape = z.looseObject({ type: z.string() });

let service: SharedService;
let api: ApiClient;
let hook: HttpSink;
let target: LoopbackServer;
let provider: LoopbackServer;
let connection: Connection;
let client: Client;
let issued = 0;

/**
 * Issues a token that is valid for a millisecond, so that each check needs a new one. Otherwise the checks would share
 * a cached token and could use it during the outage. Then each check would fail in only one slot, but an outage begins
 * after two failed slots.
 */
const issueToken: RequestListener = (_request, response) => {
  issued += 1;
  const token = {
    access_token: `token-${issued}-of-the-shop`,
    token_type: 'Bearer',
    expires_in: 0.001,
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
};

beforeAll(async () => {
  hook = await startHttpSink();
  target = await startLoopbackServer((_request, response) => response.end('ok'));
  provider = await startLoopbackServer(issueToken);
  service = await openSharedService();
  ({ api } = await service.newAccount());
  connection = await Connection.connect({ address: service.temporalAddress });
  client = new Client({ connection, namespace: service.suite });
  const channel = { name: 'hook', type: 'webhook', url: hook.url, isDefault: true };
  await send('POST', '/v1/alert-channels', channel);
  await send('PUT', '/v1/secrets/client', { value: SECRET });
});
afterAll(async () => {
  await service?.close();
  await Promise.all([hook, target, provider, connection].map((one) => one?.close()));
});

const send = (method: string, path: string, body: object, status = 201) =>
  api.call({ method, path, body }, { status, shape: ANY });
const read = <Shape extends z.ZodType>(path: string, shape: Shape) =>
  api.call({ method: 'GET', path }, { status: 200, shape });

const auth = () => ({
  type: 'oauth2',
  grant: 'clientCredentials',
  tokenUrl: `${provider.url}/oauth/token`,
  clientId: 'shop',
  clientSecret: '{{secret:client}}',
});

const newCheck = (name: string) =>
  api.createMonitor({
    name,
    url: `${target.url}/${name}`,
    auth: auth(),
    interval: 3_600,
    retries: 0,
    regions: ['eu-west'],
    alerts: { channels: ['webhook'], onRecovery: true },
  });

/** Requests a check of all monitors, and waits for the results. */
async function checkAll(ids: readonly string[]): Promise<void> {
  const before = await Promise.all(ids.map(async (id) => (await api.resultsOf(id)).length));
  for (const id of ids)
    await api.call({ method: 'POST', path: `/v1/monitors/${id}/run` }, { status: 202, shape: ANY });
  for (const [index, id] of ids.entries())
    await waitUntil(
      'a result',
      async () => (await api.resultsOf(id)).length > (before[index] ?? 0),
    );
}

const healthsOf = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await read(`/v1/monitors/${id}`, monitorShape)).health));

/**
 * Requests passes of the housekeeping until the condition holds. Without a request, it examines providers only once a
 * minute.
 */
async function tendUntil(what: string, isDone: () => Promise<boolean>): Promise<void> {
  await waitUntil(what, async () => {
    if (await isDone()) return true;
    await client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).signal(PASS_NOW_SIGNAL);
    return isDone();
  });
}

const typesAt = () => hook.events.map(({ body }) => eventShape.parse(JSON.parse(body)).type);

test('an outage of an identity provider used by five monitors gives one incident, one alert and one recovery', async () => {
  const ids: string[] = [];
  for (let count = 0; count < CHECKS; count += 1) ids.push(await newCheck(`check-${count}`));
  await waitUntil('all are up', async () =>
    (await healthsOf(ids)).every((health) => health === 'up'),
  );
  await provider.close();
  for (const _slot of [1, 2]) await checkAll(ids);
  await tendUntil('the alert about all checks', async () => {
    const [incident] = (await read('/v1/incidents', incidentPage)).data;
    return typesAt().length > 0 && incident?.identityProvider?.checkCount === CHECKS;
  });
  expect(await healthsOf(ids)).toEqual(ids.map(() => 'unknown'));
  const open = await read('/v1/incidents', incidentPage);
  expect(open.data).toMatchObject([
    {
      resourceType: 'identityProvider',
      state: 'open',
      identityProvider: { problem: 'unavailable' },
    },
  ]);
  provider = await startLoopbackServer(issueToken, '127.0.0.1', provider.port);
  await checkAll(ids);
  await tendUntil('the recovery', async () => typesAt().length > 1);
  await waitUntil('all are up again', async () =>
    (await healthsOf(ids)).every((health) => health === 'up'),
  );
  const closed = await read('/v1/incidents', incidentPage);
  expect(closed.data.map(({ state }) => state)).toEqual(['resolved']);
  // Another pass of the housekeeping sends nothing more.
  await client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).signal(PASS_NOW_SIGNAL);
  await never(() => expect(typesAt()).toEqual(['alert.failure', 'alert.recovery']));
  const shown = await Promise.all(
    ['/v1/incidents', '/v1/alerts', '/v1/audit-events', '/v1/export'].map((path) =>
      read(path, z.unknown()),
    ),
  );
  const results = await Promise.all(ids.map((id) => api.resultsOf(id)));
  const bodies = hook.events.map(({ body }) => body);
  const texts = [JSON.stringify([shown, results]), ...bodies, ...(await service.readLogs())];
  for (const secret of [SECRET, 'token-1-of-the-shop'])
    await never(() => expect(texts.filter((text) => text.includes(secret))).toEqual([]));
});
