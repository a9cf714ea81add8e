/** Tests key rotation. Values encrypted with an old key are re-encrypted while people continue working. */
import { randomBytes } from 'node:crypto';
import {
  STORED_SECRET_PURPOSE,
  secretContext,
  variableContext,
} from '../../../src/contracts/seal-contexts';
import { createHousekeeping, createStores } from '../../../src/models';
import type { Secret } from '../../../src/models/secrets/secrets';
import type { Stores } from '../../../src/models/stores';
import { email } from '../../../src/notify/channels/email';
import { systemClock } from '../../../src/platform/clock';
import { createTextSealer, readKeyId, type TextSealer } from '../../../src/platform/sealing';
import {
  listChannelTargets,
  openDestination,
  sealDestinations,
} from '../../../src/services/alerting/alert-destinations';
import {
  hashRecipient,
  openRecipient,
  sealRecipient,
} from '../../../src/services/subscribers/recipient';
import { manyTimes } from '../../support/many-times';
import { monitorRow, newId, stepDefinition } from '../example-records';
import { openTestDatabase, type TestDatabase } from '../test-database';

/** Number of secrets. They fill more than two batches. */
const SECRETS = 250;
/** Time budget in milliseconds. It is shorter than the timeout of a test, and longer than a busy machine needs. */
const BUDGET_MS = 120_000;
const OLD = randomBytes(32).toString('hex');
const NEW = randomBytes(32).toString('hex');
const ACCOUNT = 'acc_1';
const sealerOf = (...keys: string[]) => createTextSealer(keys, STORED_SECRET_PURPOSE);

let database: TestDatabase;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database.database);
});
afterAll(() => database.close());

const nameOf = (index: number): string => `secret-${index}`;

function secretRow(sealer: TextSealer, name: string, version = 1): Secret {
  const sealed = sealer.seal(`value of ${name}`, secretContext(ACCOUNT, name, version));
  return { accountId: ACCOUNT, name, version, sealed, createdAtMs: 1, updatedAtMs: 1 };
}

function housekeepingOf(sealer: TextSealer) {
  return createHousekeeping(database.database, systemClock, sealer);
}

test('secrets are re-encrypted while other processes read and change them', async () => {
  const old = sealerOf(OLD);
  const names = Array.from({ length: SECRETS }, (_, index) => nameOf(index));
  await manyTimes(SECRETS, (index) =>
    stores.secrets.create(ACCOUNT, secretRow(old, nameOf(index))),
  );
  const both = sealerOf(NEW, OLD);
  const rotation = housekeepingOf(both).rotateSecrets(BUDGET_MS);
  let reads = 0;
  const isRotating = rotation.then(() => false);
  while (await Promise.race([isRotating, Promise.resolve(true)])) {
    const name = nameOf(reads % SECRETS);
    const [row] = await stores.secrets.findMany(ACCOUNT, [name]);
    if (row === undefined) throw new Error(`${name} is gone`);
    const { version, sealed } = row;
    expect(both.open(sealed, secretContext(ACCOUNT, name, version))).toBe(`value of ${name}`);
    if (reads % 10 === 0)
      await stores.secrets.replace(ACCOUNT, secretRow(both, name, version + 1), version);
    reads += 1;
  }
  const { rotated, unreadable } = await rotation;
  expect(unreadable).toBe(0);
  expect(rotated).toBeGreaterThan(SECRETS / 2);
  const only = sealerOf(NEW);
  const rows = await stores.secrets.findMany(ACCOUNT, names);
  expect(rows).toHaveLength(SECRETS);
  for (const { name, version, sealed } of rows) {
    expect(only.open(sealed, secretContext(ACCOUNT, name, version))).toBe(`value of ${name}`);
  }
  expect(await housekeepingOf(both).rotateSecrets(BUDGET_MS)).toEqual({
    rotated: 0,
    unreadable: 0,
  });
});

test('re-encryption checks its time limit before each value, so a slow database does not extend the limit', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `slow-${index}`);
  for (const name of names) await stores.secrets.create(ACCOUNT, secretRow(sealerOf(OLD), name));
  let nowMs = 0;
  const clock = { now: () => nowMs++ };
  const housekeeping = createHousekeeping(database.database, clock, sealerOf(NEW, OLD));
  // The budget is six, and each check of the time limit takes 1 ms. The order of the key ids decides how many of the
  // six checks find no value.
  const { rotated, unreadable } = await housekeeping.rotateSecrets(6);
  expect(unreadable).toBe(0);
  expect(rotated).toBeGreaterThan(0);
  expect(rotated).toBeLessThan(6);
  const all = await housekeepingOf(sealerOf(NEW, OLD)).rotateSecrets(BUDGET_MS);
  expect(all).toEqual({ rotated: names.length - rotated, unreadable: 0 });
});

test('secret variables are re-encrypted in definitions and revisions', async () => {
  const old = sealerOf(OLD);
  const { id } = monitorRow(ACCOUNT);
  const context = variableContext(ACCOUNT, id, 'key');
  const variables = [
    { name: 'plain', value: 'seen' },
    { name: 'key', value: old.seal('the value', context), secret: true as const },
  ];
  const row = monitorRow(ACCOUNT, { id, variables });
  const definition = {
    kind: 'monitor',
    id,
    revision: 1,
    variables,
    steps: [stepDefinition()],
  } as const;
  await stores.monitors.create(ACCOUNT, row);
  await stores.revisions.save(ACCOUNT, definition);
  const both = sealerOf(NEW, OLD);
  expect(await housekeepingOf(both).rotateSecrets(BUDGET_MS)).toMatchObject({ rotated: 2 });
  const stored = [
    await stores.monitors.find(ACCOUNT, row.id),
    await stores.revisions.find(ACCOUNT, 'monitor', row.id, 1),
  ];
  for (const holder of stored) {
    const [plain, key] = holder?.variables ?? [];
    expect(plain).toEqual(variables[0]);
    expect(readKeyId(key?.value ?? '')).toBe(both.keyId);
    expect(sealerOf(NEW).open(key?.value ?? '', context)).toBe('the value');
  }
  expect({ ...stored[0], variables: [] }).toEqual({ ...row, variables: [] });
});

test('recipients of alerts are re-encrypted in channels and in stored alert rules', async () => {
  const old = sealerOf(OLD);
  const config = { emails: ['a@example.com'] };
  const places = sealDestinations(old, ACCOUNT, { channel: email, config, signingSecret: null });
  const id = newId('channel');
  const times = { createdAtMs: 1, updatedAtMs: 1 };
  const channel = {
    id,
    accountId: ACCOUNT,
    version: 1,
    name: 'c',
    key: null,
    isDefault: true,
    onlyKinds: null,
    fallbackId: null,
    fallbackAfterMinutes: 15,
    type: 'email',
    config,
    places,
    ...times,
  };
  await stores.alertChannels.create(ACCOUNT, channel);
  const row = monitorRow(ACCOUNT, {
    alertTargets: listChannelTargets([id], [channel]),
  });
  await stores.monitors.create(ACCOUNT, row);
  const both = sealerOf(NEW, OLD);
  expect(await housekeepingOf(both).rotateSecrets(BUDGET_MS)).toMatchObject({ rotated: 2 });
  const sealed = [
    (await stores.alertChannels.find(ACCOUNT, id))?.places[0]?.sealed,
    (await stores.monitors.find(ACCOUNT, row.id))?.alertTargets[0]?.sealed,
  ];
  for (const text of sealed)
    expect(openDestination(sealerOf(NEW), ACCOUNT, text ?? '')).toEqual({ type: 'email', config });
});

test('values that no key can decrypt are counted, and do not block other values', async () => {
  const lost = sealerOf(randomBytes(32).toString('hex'));
  for (let index = 0; index < 150; index += 1) {
    await stores.secrets.create(ACCOUNT, secretRow(lost, `a-lost-${index}`));
  }
  await stores.secrets.create(ACCOUNT, secretRow(sealerOf(OLD), 'z-fine'));
  const outcome = await housekeepingOf(sealerOf(NEW, OLD)).rotateSecrets(BUDGET_MS);
  expect(outcome).toEqual({ rotated: 1, unreadable: 150 });
});

test('after a rotation, subscribers of status pages can still be found and notified', async () => {
  const recipient = { type: 'mail', to: 'reader@example.com' } as const;
  const id = newId('subscriber');
  await stores.subscribers.create(ACCOUNT, {
    id,
    accountId: ACCOUNT,
    pageId: 'stp_1',
    ...sealRecipient(sealerOf(OLD), 'stp_1', recipient),
    items: null,
    state: 'active',
    bounces: 0,
    addedBy: null,
    createdAtMs: 1,
    confirmedAtMs: 1,
  });
  await housekeepingOf(sealerOf(NEW, OLD)).rotateSecrets(BUDGET_MS);
  const hash = hashRecipient('stp_1', recipient);
  const found = await stores.subscribers.findByHash(ACCOUNT, 'stp_1', hash);
  expect(found?.id).toBe(id);
  expect(found && openRecipient(sealerOf(NEW), found)).toBe('reader@example.com');
});
