/**
 * Stops the database in the middle of creations. Each request gets a response, and afterwards each object exists
 * completely or not at all. A client with an Idempotency-Key retries to find out whether its object exists.
 */
import { z } from 'zod';
import { createHousekeeping, type Database } from '../../src/models';
import { connectTo } from '../models/test-database';
import { freezeFor, type OwnServers, startOwnServers } from '../support/own-servers';
import { startService, type TestService } from '../support/service';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { testSeed } from '../support/test-seed';
import { waitUntil } from '../support/wait-until';

const SEED = testSeed();
const ROUNDS = 2;
/** Number of requests for each kind. Half of them have an Idempotency-Key. */
const AT_ONCE = 4;
const STARTS_AT = new Date(Date.now() + 86_400_000).toISOString();

const KINDS = {
  monitors: (name: string) => ({ name, url: `${target.url}/${name}`, interval: 3_600 }),
  scenarios: (name: string) => ({
    name,
    steps: [{ name: 'one', url: `${target.url}/${name}` }],
    interval: 3_600,
  }),
  'status-pages': (name: string) => ({ title: name, slug: name }),
  'alert-channels': (name: string) => ({ name, type: 'email', emails: ['a@example.com'] }),
  'maintenance-windows': (name: string) => ({
    name,
    mode: 'mute',
    startsAt: STARTS_AT,
    durationMinutes: 5,
    target: { tags: ['none'] },
  }),
};
const LISTS = z.enum([
  'monitors',
  'scenarios',
  'status-pages',
  'alert-channels',
  'maintenance-windows',
]).options;
const listShape = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), name: z.string().optional(), title: z.string().optional() }),
  ),
});

let servers: OwnServers;
let service: TestService;
let database: Database;
let target: SwitchableTarget;
let key: string;

beforeAll(async () => {
  servers = await startOwnServers();
  target = await startSwitchableTarget();
  service = await startService({ regions: ['eu-west'], environment: servers.environment });
  key = (await service.setup()).apiKey;
  const { MONGODB_URI: uri } = servers.environment;
  database = await connectTo(uri, new URL(uri).pathname.slice(1) || 'keepwatch');
});
afterAll(async () => {
  servers?.database.thaw();
  await database?.close();
  await service?.stop();
  await Promise.all([servers?.stop(), target?.close()]);
});

interface Creation {
  readonly list: (typeof LISTS)[number];
  readonly name: string;
  readonly isNamed: boolean;
}

function creationsOf(round: number): readonly Creation[] {
  return Array.from({ length: AT_ONCE }).flatMap((_, nth) =>
    LISTS.map((list) => ({ list, name: `r${round}-${nth}-${list}`, isNamed: nth % 2 === 0 })),
  );
}

async function create({ list, name, isNamed }: Creation): Promise<number> {
  const response = await fetch(`${service.url}/v1/${list}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(isNamed && { 'idempotency-key': name }),
    },
    body: JSON.stringify(KINDS[list](name)),
    signal: AbortSignal.timeout(15_000),
  });
  const { status, headers } = response;
  await response.body?.cancel();
  if (status === 503) expect(headers.get('retry-after')).not.toBeNull();
  expect([201, 503]).toContain(status);
  return status;
}

/** Counts the objects with each name. */
async function countNames(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const list of LISTS) {
    const response = await fetch(`${service.url}/v1/${list}?limit=500`, {
      headers: { authorization: `Bearer ${key}` },
    });
    for (const { name, title } of listShape.parse(await response.json()).data) {
      const shown = title ?? name ?? '';
      counts.set(shown, (counts.get(shown) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Sends all requests. Stops the database after `answeredBefore` responses, and resumes it when all requests have a
 * response.
 */
async function rush(creations: readonly Creation[], answeredBefore: number) {
  let answered = 0;
  const statuses = new Map<Creation, number>();
  const stop = (): void => {
    if (answered === answeredBefore) servers.database.freeze();
    answered += 1;
  };
  const work = creations.map(async (creation) => {
    statuses.set(creation, await create(creation));
    stop();
  });
  if (answeredBefore < 0) servers.database.freeze();
  await Promise.all(work);
  servers.database.thaw();
  return statuses;
}

/** Lists incomplete monitors and scenarios, and records that belong to no monitor or scenario. */
async function findHalves(): Promise<readonly string[]> {
  const { monitors, scenarios, statuses, revisions } = database.models;
  const rows = [
    ...(await monitors.find({}, { _id: 1 }).lean()),
    ...(await scenarios.find({}, { _id: 1 }).lean()),
  ].map(({ _id }) => _id);
  const known = (await statuses.find({}, { _id: 1 }).lean()).map(({ _id }) => _id);
  const defined = (await revisions.find({}, { _id: 1 }).lean()).map(({ _id }) => _id);
  return [
    ...rows.filter((id) => !known.includes(id)).map((id) => `${id} has no status`),
    ...rows
      .filter((id) => !defined.some((revision) => revision.includes(id)))
      .map((id) => `${id} has no definition`),
    ...known.filter((id) => !rows.includes(id)).map((id) => `status of nothing: ${id}`),
  ];
}

test(`a creation while the database is stopped either completes or leaves nothing behind (seed ${SEED})`, async () => {
  const all: Creation[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const creations = creationsOf(round);
    // In the first round, the database stops before any request gets a response.
    const answeredBefore = round === 0 ? -1 : (SEED * (round + 1)) % (creations.length - 5);
    const statuses = await rush(creations, answeredBefore);
    await waitUntil('the API responds', async () => {
      const { ok } = await fetch(`${service.url}/readyz`);
      return ok;
    });
    const named = creations.filter(({ isNamed }) => isNamed);
    await Promise.all(
      named.map((creation) =>
        waitUntil(`${creation.name} gets a response`, async () => (await create(creation)) === 201),
      ),
    );
    const counts = await countNames();
    for (const creation of creations) {
      const count = counts.get(creation.name) ?? 0;
      const isCertain = creation.isNamed || statuses.get(creation) === 201;
      expect({ ...creation, count }).toEqual({
        ...creation,
        count: isCertain ? 1 : expect.any(Number),
      });
      expect(count).toBeLessThanOrEqual(1);
    }
    all.push(...creations);
  }
  await waitUntil('nothing is half', async () => {
    const halves = await findHalves();
    if (halves.length > 0) throw new Error(halves.join('; '));
    return true;
  });
  const counts = await countNames();
  const checked = all.filter(
    ({ list, name }) => /monitors|scenarios/.test(list) && counts.has(name),
  );
  expect(checked.length).toBeGreaterThan(ROUNDS);
  await waitUntil('each is checked', () =>
    checked.every(({ name }) => target.countOf(`/${name}`) > 0),
  );
  for (const { name, isNamed } of all) if (isNamed) expect(counts.get(name)).toBe(1);
});

const APPLIED = 60;
/** Duration of the freeze in milliseconds. It is longer than the service waits for either server. */
const FROZEN_MS = 4_000;
const appliedShape = z.looseObject({
  objects: z.array(z.looseObject({ key: z.string(), outcome: z.string() })),
});

async function apply(prefix: string): Promise<readonly string[]> {
  const monitors = Array.from({ length: APPLIED }, (_, index) => ({
    ...KINDS.monitors(`${prefix}-${index}`),
    key: `${prefix}-${index}`,
    enabled: false,
  }));
  const response = await fetch(`${service.url}/v1/apply`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ set: prefix, monitors }),
    signal: AbortSignal.timeout(150_000),
  });
  const { status } = response;
  const text = await response.text();
  if (status === 503) return [];
  expect({ status, text }).toMatchObject({ status: 200 });
  const { objects } = appliedShape.parse(JSON.parse(text));
  return objects.flatMap((object) => (object.outcome === 'done' ? [object.key] : []));
}

test.each(['database', 'temporal'] as const)(
  'an object that apply reports as created exists, even if the server `%s` is frozen during the apply',
  async (server) => {
    const { monitors } = database.models;
    const applying = apply(server);
    await waitUntil('some are there', async () => {
      const there = await monitors.find({}, { key: 1 }).lean();
      return there.filter((monitor) => monitor.key?.startsWith(server)).length >= 5;
    });
    await freezeFor(servers[server], FROZEN_MS);
    const done = await applying;
    expect(done.length).toBeGreaterThan(0);
    const clock = { now: () => Date.now() };
    await createHousekeeping(database, clock).sweepRemovals(10_000);
    const there = (await monitors.find({}, { key: 1 }).lean()).map((monitor) => monitor.key);
    expect(there).toEqual(expect.arrayContaining([...done]));
    // The next apply creates all monitors that are missing.
    await waitUntil('all are done', async () => (await apply(server)).length === APPLIED);
    await waitUntil('nothing is half', async () => (await findHalves()).length === 0);
  },
  240_000,
);
