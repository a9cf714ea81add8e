/**
 * Tests the text of an alert. It is the current template of its channel, or the default text if the template may have
 * crashed the sender.
 */
import { createAlertActivities } from '../../src/activities/alert-activities';
import type { AlertTemplate } from '../../src/contracts/alerts';
import { STORED_SECRET_PURPOSE } from '../../src/contracts/seal-contexts';
import { findChannel } from '../../src/notify/channels/registry';
import { createTextSealer } from '../../src/platform/sealing';
import { sealDestinations } from '../../src/services/alerting/alert-destinations';
import { buildAlert } from '../support/alert-message';

const sealer = createTextSealer(['ab'.repeat(32)], STORED_SECRET_PURPOSE);
const alert = buildAlert({ id: 'alr_1', kind: 'failure' });
const WAS: AlertTemplate = { text: 'was' };

type Needs = Parameters<typeof createAlertActivities>[0];

function senderWith(find: () => Promise<unknown>) {
  const sent: (AlertTemplate | null)[] = [];
  // Contains only the stores that the tests use.
  const needs = {
    channels: { find },
    wholeIncidents: { findLast: async () => null },
    dependencies: { hasDependents: async () => false },
    sealer,
    readSecrets: async () => [],
    send: async ({ template }: { readonly template: AlertTemplate | null }) => {
      sent.push(template);
      return { kind: 'sent', detail: 'taken' };
    },
    clock: { now: () => 0 },
    logger: { warn: () => undefined },
  } as unknown as Needs;
  const channel = findChannel('slack');
  if (channel === undefined) throw new Error('there is no such channel');
  const config = { webhookUrl: 'https://chat.example.com/x' };
  const [place] = sealDestinations(sealer, alert.accountId, {
    channel,
    config,
    signingSecret: null,
  });
  const target = {
    key: 'chn_1:0',
    type: 'slack',
    channelId: 'chn_1',
    masked: 'chat',
    sealed: place?.sealed ?? '',
    template: WAS,
  };
  const { deliverAlert } = createAlertActivities(needs);
  return {
    sent,
    deliver: (lostTries?: number) =>
      deliverAlert({ alert, target, ...(lostTries !== undefined && { lostTries }) }),
  };
}

const withTemplate = async () => ({ config: { template: { text: 'is' } } });

test.each<[string, () => Promise<unknown>, AlertTemplate | null]>([
  ['the current template of its channel', withTemplate, { text: 'is' }],
  ['the default text once its channel is deleted', async () => null, null],
  ['the default text once its channel has no template', async () => ({ config: {} }), null],
  [
    'the earlier template of its channel while the database is away',
    () => Promise.reject(new Error('away')),
    WAS,
  ],
])('an alert is sent with %s', async (_, find, template) => {
  const { sent, deliver } = senderWith(find);
  expect(await deliver()).toMatchObject({ kind: 'sent' });
  expect(sent).toEqual([template]);
});

test('an alert that crashes the sender three times is sent with the default text', async () => {
  const { sent, deliver } = senderWith(withTemplate);
  await deliver(2);
  await deliver(3);
  await deliver(9);
  expect(sent).toEqual([{ text: 'is' }, null, null]);
  expect(await deliver(10)).toEqual({
    kind: 'refused',
    detail: 'The sender was lost 10 times while it sent this; it is not tried again.',
  });
  expect(sent).toHaveLength(3);
});
