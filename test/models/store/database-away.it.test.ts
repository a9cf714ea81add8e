/** Tests a database that is unavailable. Every call fails by its deadline and works again afterwards. */
import { createRecordWrites, createStores, ensureIndexes } from '../../../src/models';
import type { Database } from '../../../src/models/store/database';
import { createCheckRecorder } from '../../../src/services/results/record-check';
import { waitUntil } from '../../support/wait-until';
import {
  FIRST_SLOT_MS,
  monitorRecord,
  monitorRow,
  newId,
  pendingStatus,
  runRecord,
  stepDefinition,
} from '../example-records';
import { type FaultyLink, openFaultyLink } from '../faulty-link';
import { connectTo, openTestDatabase, type TestDatabase } from '../test-database';

const DEADLINES = { callMs: 300, connectMs: 200 };
const UNAVAILABLE = { name: 'AppError', code: 'unavailable', retryAfterSeconds: 5 };

let opened: TestDatabase;
let link: FaultyLink;
let linked: Database;

beforeAll(async () => {
  opened = await openTestDatabase();
  link = await openFaultyLink(opened.uri);
  linked = await connectTo(link.uri, opened.name, DEADLINES);
});

afterEach(() => link.heal());

afterAll(async () => {
  await linked?.close();
  await link?.close();
  await opened?.close();
});

/** Returns one call of every store, and of each kind of write. */
function someCalls(database: Database): readonly (() => Promise<unknown>)[] {
  const stores = createStores(database);
  const recorder = createCheckRecorder(createRecordWrites(database));
  const accountId = newId('account');
  const id = newId('monitor');
  const anyTime = { fromMs: null, toMs: null };
  const results = { ...anyTime, monitorId: id, regions: ['eu-west', 'us-east'] };
  const runs = { ...anyTime, region: null, status: null, trigger: null, limit: 5, beforeId: null };
  const definition = {
    kind: 'monitor',
    id,
    revision: 1,
    variables: [],
    steps: [stepDefinition()],
  } as const;
  const limits = { perMinute: 60, perDay: 1_000 };
  const account = { id: accountId, name: 'x', plan: 'pro', createdAtMs: FIRST_SLOT_MS } as const;
  return [
    () => stores.accounts.createFirst(account),
    () => stores.people.findByEmail('nobody@example.com'),
    () => stores.apiKeys.findByHash('none'),
    () => stores.sessions.touch(accountId, 'none', FIRST_SLOT_MS),
    () => stores.invitations.count(accountId, FIRST_SLOT_MS),
    () => stores.passwordTokens.findByHash('none'),
    () => stores.quotas.spend(accountId, newId('apiKey'), { limits, nowMs: FIRST_SLOT_MS }),
    () => stores.failedSignIns.forgive('none'),
    () => stores.audit.page(accountId, { limit: 5, beforeId: null }),
    () => stores.monitors.create(accountId, monitorRow(accountId)),
    () => stores.monitors.replace(accountId, monitorRow(accountId), 1),
    () => stores.scenarios.remove(accountId, newId('scenario')),
    () => stores.revisions.save(accountId, definition),
    () => stores.statuses.create(accountId, pendingStatus(accountId, id)),
    () => stores.results.page(accountId, { ...results, status: 'unknown', limit: 5, after: null }),
    () => stores.results.count(accountId, results),
    () => stores.runs.page(accountId, { ...runs, scenarioId: id }),
    () => stores.incidents.findOpen(accountId, id),
    () => stores.regions.hello('eu-west', 'probe', FIRST_SLOT_MS),
    () => recorder.recordMonitorCheck(monitorRecord({ accountId, monitorId: id })),
    () => recorder.saveRun(runRecord({ accountId, scenarioId: id })),
    () => database.ping(DEADLINES.callMs),
  ];
}

/** Resolves to the error of a refused call, or to null. */
const refusalOf = (call: () => Promise<unknown>): Promise<unknown> =>
  call().then(
    () => null,
    (refused: unknown) => refused,
  );

test.each(['cut', 'freeze'] as const)(
  'all calls to the database end by their deadlines while the connection is broken (%s)',
  async (fault) => {
    link[fault]();
    const crowd = Array.from({ length: 100 }, () => () => linked.ping(DEADLINES.callMs));
    const refusals = await Promise.all([...someCalls(linked), ...crowd].map(refusalOf));
    for (const refusal of refusals) expect(refusal).toMatchObject(UNAVAILABLE);
    link.heal();
    for (const index of someCalls(linked).keys())
      await waitUntil(`call ${index} works again`, async () => {
        await someCalls(linked)[index]?.();
        return true;
      });
  },
);

test('connecting to an unavailable database fails by the deadline', async () => {
  link.cut();
  const connecting = connectTo(link.uri, opened.name, DEADLINES);
  await expect(connecting).rejects.toMatchObject(UNAVAILABLE);
});

test('a call to a frozen database ends at its deadline', async () => {
  const { people } = createStores(linked);
  const isConnected = () => people.findByEmail('nobody@example.com').then(() => true);
  await waitUntil('the connection is there', isConnected);
  link.freeze();
  await expect(people.findByEmail('nobody@example.com')).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: expect.objectContaining({ message: 'no response within 300 ms' }),
  });
});

test('a ping of the database has its own deadline', async () => {
  link.freeze();
  await expect(linked.ping(150)).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: expect.objectContaining({ message: 'no response within 150 ms' }),
  });
});

test('index creation has its own deadline, and the error names the missing indexes', async () => {
  link.freeze();
  await expect(ensureIndexes(linked, 300)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database did not create its collections and indexes within 0.3 s.',
  });
});

test('a recording that was interrupted is completed when it is repeated', async () => {
  const stores = createStores(opened.database);
  const recorder = createCheckRecorder(createRecordWrites(linked));
  const [accountId, monitorId] = [newId('account'), newId('monitor')];
  await stores.statuses.create(accountId, pendingStatus(accountId, monitorId));
  const settleAgain = async (slotMs: number): Promise<void> => {
    const record = monitorRecord({ accountId, monitorId, slotMs });
    const recorded = await recorder.recordMonitorCheck(record).catch(() => null);
    if (recorded === null) await settleAgain(slotMs);
  };
  const slots = Array.from({ length: 40 }, (_, slot) => FIRST_SLOT_MS + slot * 60_000);
  for (const [index, slotMs] of slots.entries()) {
    const recorded = settleAgain(slotMs);
    if (index % 8 === 3) {
      link.cut();
      link.heal();
    }
    await recorded;
  }
  const query = { monitorId, fromMs: null, toMs: null, status: null, limit: 200, after: null };
  const page = await stores.results.page(accountId, { ...query, regions: ['eu-west', 'us-east'] });
  expect(page.items.map(({ slotMs, region }) => `${slotMs} ${region}`)).toEqual(
    slots.toReversed().flatMap((slotMs) => [`${slotMs} eu-west`, `${slotMs} us-east`]),
  );
});
