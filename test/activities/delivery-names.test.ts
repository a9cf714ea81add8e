/** Tests the names of the account and the channel in an alert. A name that cannot be read at once is left out. */
import { readDeliveryNames } from '../../src/activities/delivery-names';

const account = { id: 'acc_1', name: 'Acme', plan: 'business', createdAtMs: 0 } as const;
const logger = { warn: () => undefined };
const alert = { accountId: 'acc_1' };

test('an alert contains the name of its account, and of its channel if there is one', async () => {
  const channels = { find: () => Promise.reject(new Error('not asked')) };
  const needs = { accounts: { find: async () => account }, channels, logger };
  expect(await readDeliveryNames(needs, alert, { channelId: null })).toEqual({
    accountName: 'Acme',
    channelName: null,
  });
});

test('while the database is away, an alert is sent without the names of its account and channel', async () => {
  const away = { find: () => Promise.reject(new Error('away')) };
  const needs = { accounts: away, channels: away, logger };
  expect(await readDeliveryNames(needs, alert, { channelId: 'chn_1' })).toEqual({
    accountName: null,
    channelName: null,
  });
});
