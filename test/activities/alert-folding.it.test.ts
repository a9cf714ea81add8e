/** Handing an alert to a digest again, on a real database: a sender may die right after it did. */
import { createAlertActivities } from '../../src/activities/alert-activities';
import type { FoldedAlert } from '../../src/contracts/alerts';
import { STORED_SECRET_PURPOSE } from '../../src/contracts/seal-contexts';
import { createStores } from '../../src/models';
import type { Stores } from '../../src/models/stores';
import { createTextSealer } from '../../src/platform/sealing';
import { newId } from '../models/example-records';
import { openTestDatabase, type TestDatabase } from '../models/test-database';

let opened: TestDatabase;
let stores: Stores;
let handedOver: string[];

beforeAll(async () => {
  opened = await openTestDatabase();
  stores = createStores(opened.database);
});
beforeEach(() => {
  handedOver = [];
});
afterAll(() => opened?.close());

function activities(alerts: Stores['alerts'] = stores.alerts) {
  const unused = async () => ({ kind: 'refused', detail: 'not sent here' }) as const;
  return createAlertActivities({
    channels: stores.alertChannels,
    alerts,
    bursts: stores.alertBursts,
    incidents: stores.incidents,
    dependencies: stores.dependencies,
    sealer: createTextSealer(['ab'.repeat(32)], STORED_SECRET_PURPOSE),
    send: unused,
    readSecrets: async () => [],
    fold: async ({ alert }) => {
      handedOver.push(alert.id);
    },
    logger: { warn: () => undefined },
  });
}

function foldedAlert(id: string, kind: 'failure' | 'recovery' = 'failure'): FoldedAlert {
  const target = {
    key: 'mail',
    type: 'email',
    channelId: null,
    masked: 'a…',
    sealed: 's',
  } as const;
  return {
    alert: {
      id,
      kind,
      accountId: newId('account'),
      incidentId: null,
      resourceType: 'monitor',
      resourceId: newId('monitor'),
      resourceName: 'm',
      atMs: Date.now(),
      sinceMs: Date.now(),
      openedAtMs: null,
      health: 'down',
      ends: [],
      certificate: null,
      cause: null,
      regions: [],
      assertion: null,
      entries: [],
    },
    targets: [target],
  };
}

test('an alert that a digest has told is not handed to another one', async () => {
  const { foldIntoDigest, keepFolded } = activities();
  const folded = foldedAlert('told');
  await foldIntoDigest(folded);
  await keepFolded([folded]);
  await foldIntoDigest(folded);
  expect(handedOver).toEqual(['told']);
});

test('an alert that no digest has told yet is handed over again', async () => {
  const { foldIntoDigest, keepFolded } = activities();
  const folded = foldedAlert('waiting');
  await keepFolded([foldedAlert('another')]);
  await foldIntoDigest(folded);
  await foldIntoDigest(folded);
  expect(handedOver).toEqual(['waiting', 'waiting']);
});

test('an alert is handed over while the database is away', async () => {
  const away = async () => Promise.reject(new Error('the database is away'));
  const { foldIntoDigest } = activities({ ...stores.alerts, isSuppressed: away });
  await foldIntoDigest(foldedAlert('owed'));
  expect(handedOver).toEqual(['owed']);
});
