/**
 * Tests that an account is suspended, resumed and deleted on the whole service with a real Temporal, while each process
 * is killed in the middle. Another account is checked in the meantime and loses no slot.
 */
import { Client, Connection } from '@temporalio/client';
import mongoose from 'mongoose';
import { z } from 'zod';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/workflows';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type CountingTarget, startCountingTarget } from '../support/counting-target';
import { OWNER, startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const MONITORS = testSize('monitors', { ci: 10, long: 60 });
const REGION = 'eu-west';
const INTERVAL_MS = 10_000;
const PATH = '/v1/operator/accounts';
const ANY = z.looseObject({});
const REASON = 'The invoice is not paid';

let service: TestService;
let target: CountingTarget;
let temporal: Connection;
let database: mongoose.Connection;
let operator: Record<string, string>;
let guest: ApiClient;
let guestId: string;
let neighbour: ApiClient;
let neighbourMonitor: string;

beforeAll(async () => {
  target = await startCountingTarget();
  service = await startService({ regions: [REGION] });
  const { apiKey } = await service.setup();
  neighbour = createApiClient(service.url, apiKey);
  neighbourMonitor = await neighbour.createMonitor(monitorOf('neighbour'));
  operator = await signIn();
  ({ id: guestId, client: guest } = await createGuest());
  temporal = await Connection.connect({ address: service.temporalAddress });
  database = await mongoose.createConnection(service.mongodbUri).asPromise();
});
afterAll(async () => {
  await database?.close();
  await temporal?.close();
  await service?.stop();
  await target?.close();
});

const monitorOf = (name: string) => ({
  name,
  url: `${target.url}/${name}`,
  interval: INTERVAL_MS / 1_000,
  retries: 0,
});
const namesOfGuest = Array.from({ length: MONITORS }, (_, index) => `guest-${index}`);
const countOfGuest = (): number =>
  namesOfGuest.reduce((sum, name) => sum + target.countOf(`/${name}`), 0);

const cookieOf = (answer: Response): string =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

async function send(headers: Record<string, string>, method: string, path: string, body?: object) {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: service.url, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return { answer, body: text === '' ? {} : ANY.parse(JSON.parse(text)) };
}

async function signIn(): Promise<Record<string, string>> {
  const { answer } = await send({}, 'POST', '/v1/session', OWNER);
  return { cookie: cookieOf(answer) };
}

/** Creates an account. Its owner accepts the invitation and creates a key. */
async function createGuest(): Promise<{ readonly id: string; readonly client: ApiClient }> {
  const creating = { name: 'Guest', plan: 'business', ownerEmail: 'guest@example.com' };
  const { body } = await send(operator, 'POST', PATH, creating);
  const shape = z.object({ id: z.string(), owner: z.object({ acceptUrl: z.string() }) });
  const { id, owner } = shape.parse(body);
  const accepting = { token: owner.acceptUrl.split('#token=')[1], password: OWNER.password };
  const { answer } = await send({}, 'POST', '/v1/invitations/accept', accepting);
  const keyBody = { name: 'long test', scopes: ['admin'] };
  const key = await send({ cookie: cookieOf(answer) }, 'POST', '/v1/api-keys', keyBody);
  return { id, client: createApiClient(service.url, z.string().parse(key.body['key'])) };
}

async function killAll(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await service.kill(name);
    await service.start(name);
  }
}

/** Resolves when the neighbour was checked three times in a row while the guest was not checked. */
async function untilSilent(): Promise<void> {
  let last = { guest: -1, neighbour: 0 };
  await waitUntil('the guest is no longer checked', () => {
    const guest = countOfGuest();
    const neighbour = target.countOf('/neighbour');
    if (guest !== last.guest) last = { guest, neighbour };
    return neighbour >= last.neighbour + 3;
  });
}

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Expects that each slot outside the span is measured or named in a gap, and that no slot is stored twice. Returns the
 * number of slots.
 */
async function requireUnbroken(client: ApiClient, id: string, except?: Span): Promise<number> {
  const results = await client.resultsOf(id);
  const ledger = readSlots(results, { region: REGION, intervalMs: INTERVAL_MS });
  const { fromMs, untilMs } = except ?? { fromMs: 0, untilMs: 0 };
  const unnamed = ledger.unnamed.filter((slotMs) => slotMs < fromMs || slotMs > untilMs);
  expect({ id, unnamed, doubled: ledger.doubled }).toEqual({ id, unnamed: [], doubled: [] });
  return ledger.slotsMs.length;
}

const listMonitors = (client: ApiClient) =>
  client.call(
    { method: 'GET', path: '/v1/monitors?limit=500' },
    { status: 200, shape: z.object({ data: z.array(z.object({ id: z.string() })) }) },
  );

/** Lists the workflows of the guest that still run, of any kind. */
async function listRunning(): Promise<readonly string[]> {
  const client = new Client({ connection: temporal, namespace: service.suite });
  const query = `${SEARCH_ATTRIBUTES.account} = '${guestId}' AND ExecutionStatus = 'Running'`;
  const running: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) running.push(workflowId);
  return running;
}

/** Returns the collections with documents that name the guest, and the number of these documents. */
async function countOwned(): Promise<Readonly<Record<string, number>>> {
  const collections = await database.db?.collections();
  const counts = (collections ?? []).map(async (collection) => {
    const documents = await collection.find({}).toArray();
    const owned = documents.filter((document) => JSON.stringify(document).includes(guestId));
    return [collection.collectionName, owned.length] as const;
  });
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0));
}

test('suspension and deletion end all checks of an account, and none of another account, despite kills of every process', async () => {
  const monitors = namesOfGuest.map((name) => ({ key: name, ...monitorOf(name) }));
  await guest.call(
    { method: 'POST', path: '/v1/apply', body: { monitors } },
    { status: 200, shape: ANY },
  );
  await waitUntil('every monitor of the guest is checked', () =>
    namesOfGuest.every((name) => target.countOf(`/${name}`) > 0),
  );
  const ids = (await listMonitors(guest)).data.map(({ id }) => id);
  expect(ids).toHaveLength(MONITORS);

  const fromMs = Date.now();
  await send(operator, 'PATCH', `${PATH}/${guestId}`, { suspended: { reason: REASON } });
  await killAll('orchestrator', 'api', `probe-${REGION}`);
  await untilSilent();
  await guest.call({ method: 'GET', path: '/v1/monitors' }, { status: 403, shape: ANY });

  const silent = countOfGuest();
  await send(operator, 'PATCH', `${PATH}/${guestId}`, { suspended: null });
  const untilMs = Date.now();
  await killAll('orchestrator', 'api', `probe-${REGION}`);
  await waitUntil('the guest is checked again', () => countOfGuest() >= silent + 3 * MONITORS);
  for (const id of ids) await requireUnbroken(guest, id, { fromMs, untilMs });

  expect((await listRunning()).length).toBeGreaterThanOrEqual(MONITORS);

  await send(operator, 'DELETE', `${PATH}/${guestId}`);
  await killAll('orchestrator', 'api', `probe-${REGION}`);
  await untilSilent();
  await waitUntil('its workflows have ended', async () => (await listRunning()).length === 0);
  // Leaves out the audit trail, because the operator's account has an entry that names the deleted account.
  await waitUntil('nothing of the account is left', async () => {
    const { audit: _named, ...owned } = await countOwned();
    expect(owned).toEqual({});
    return true;
  });

  const before = await requireUnbroken(neighbour, neighbourMonitor);
  await waitUntil('the neighbour is still checked', async () => {
    const results = await neighbour.resultsOf(neighbourMonitor);
    return results.length > before;
  });
});
