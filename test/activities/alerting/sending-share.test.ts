/** Tests how many alerts of one account are sent at the same time while their receivers hang. */
import { createAlertActivities } from '../../../src/activities/alert-activities';
import { STORED_SECRET_PURPOSE } from '../../../src/contracts/seal-contexts';
import { findChannel } from '../../../src/notify/channels/registry';
import { createTextSealer } from '../../../src/platform/sealing';
import { sealDestinations } from '../../../src/services/alerting/alert-destinations';
import { buildAlert } from '../../support/alert-message';

const sealer = createTextSealer(['ab'.repeat(32)], STORED_SECRET_PURPOSE);

function targetOf(accountId: string) {
  const channel = findChannel('slack');
  if (channel === undefined) throw new Error('there is no such channel');
  const config = { webhookUrl: 'https://chat.example.com/x' };
  const destination = { channel, config, signingSecret: null };
  const [place] = sealDestinations(sealer, accountId, destination);
  const sealed = place?.sealed ?? '';
  return { key: 'chn_1:0', type: 'slack', channelId: 'chn_1', masked: 'chat', sealed } as const;
}

test('an account whose receivers hang leaves most of the parallel deliveries to other accounts', async () => {
  let release = (): void => undefined;
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Contains only the stores that the tests use.
  const needs = {
    channels: { find: async () => null },
    wholeIncidents: { findLast: async () => null },
    dependencies: { hasDependents: async () => false },
    sealer,
    readSecrets: async () => [],
    send: async ({ alert }: { readonly alert: { readonly accountId: string } }) => {
      if (alert.accountId === 'acc_hanging') await hanging;
      return { kind: 'sent', detail: 'taken' };
    },
    clock: { now: () => 0 },
    logger: { warn: () => undefined },
  } as unknown as Parameters<typeof createAlertActivities>[0];
  const { deliverAlert } = createAlertActivities(needs);
  const deliver = (accountId: string, id: string) =>
    deliverAlert({
      alert: { ...buildAlert({ id, kind: 'failure' }), accountId },
      target: targetOf(accountId),
    });
  const flood = Array.from({ length: 60 }, (_, index) => deliver('acc_hanging', `alr_${index}`));
  const others = await Promise.all(
    Array.from({ length: 18 }, (_, index) => deliver(`acc_${index % 6}`, `alr_o${index}`)),
  );
  expect(others.map(({ kind }) => kind)).toEqual(others.map(() => 'sent'));
  release();
  const kinds = (await Promise.all(flood)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(25);
  expect(kinds.filter((kind) => kind === 'later')).toHaveLength(35);
});
