/** Tests the names of the account, the channel and the group in an alert. A name that cannot be read at once is left out. */
import type { NameNeeds } from '../../src/activities/delivery-names';
import { readDeliveryNames } from '../../src/activities/delivery-names';
import { buildAlert } from '../support/alert-message';

const account = { id: 'acc_1', name: 'Acme', plan: 'business', createdAtMs: 0 } as const;
const logger = { warn: () => undefined };
const alert = buildAlert();

// Contains only the fields that the tests use.
const storing = (group: string | null) =>
  ({ monitors: { find: async () => ({ group }) } }) as unknown as NameNeeds['resources'];

test('an alert contains the names of its account and group, and of its channel if there is one', async () => {
  const channels = { find: () => Promise.reject(new Error('not asked')) };
  const needs = {
    accounts: { find: async () => account },
    channels,
    resources: storing('shop'),
    logger,
  };
  expect(await readDeliveryNames(needs, alert, { channelId: null })).toEqual({
    accountName: 'Acme',
    channelName: null,
    group: 'shop',
  });
  const digest = { ...alert, kind: 'digest' } as const;
  expect(await readDeliveryNames(needs, digest, { channelId: null })).toMatchObject({
    group: null,
  });
  const single = { ...digest, only: alert };
  expect(await readDeliveryNames(needs, single, { channelId: null })).toMatchObject({
    group: 'shop',
  });
});

test('while the database is away, an alert is sent without the names of its account and channel', async () => {
  const away = { find: () => Promise.reject(new Error('away')) };
  const needs = { accounts: away, channels: away, resources: storing('shop'), logger };
  expect(await readDeliveryNames(needs, alert, { channelId: 'chn_1' })).toEqual({
    accountName: null,
    channelName: null,
    group: null,
  });
});
