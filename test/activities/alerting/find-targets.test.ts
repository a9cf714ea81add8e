/** Tests that a person whom an alert reaches in two ways gets one message. */
import { findTargets } from '../../../src/activities/alerting/find-targets';
import type { AlertKind } from '../../../src/contracts/alerting/alert-kinds';
import type { AlertInput } from '../../../src/contracts/alerts';
import type { AlertChannel } from '../../../src/models/alerting/alert-channels';
import { buildAlert } from '../../support/alert-message';

const ADDRESS = 'ann@example.com';

function emailChannel(changes: Partial<AlertChannel> = {}): AlertChannel {
  return {
    id: 'chn_1',
    accountId: 'acc_1',
    version: 1,
    name: 'Operations',
    key: null,
    type: 'email',
    isDefault: true,
    onlyKinds: null,
    fallbackId: null,
    fallbackAfterMinutes: 15,
    config: {},
    places: [
      { shown: 'ops@example.com', sealed: '' },
      { shown: 'Ann@example.com', sealed: '' },
    ],
    createdAtMs: 0,
    updatedAtMs: 0,
    ...changes,
  };
}

function findKeys(
  channels: readonly AlertChannel[],
  kind: AlertKind = 'failure',
  list = async () => ({ items: channels, hasMore: false }),
) {
  const named = { key: ADDRESS, type: 'email', channelId: null, masked: 'a***', sealed: '' };
  const input: AlertInput = {
    v: 1,
    alert: buildAlert({ kind }),
    recipients: { channels: ['chn_1'], targets: [named] },
  };
  const needs = {
    channels: { list },
    alerts: { page: async () => ({ items: [], hasMore: false }) },
    logger: { warn: () => undefined },
  };
  return findTargets(needs, input).then((targets) => targets.map(({ key }) => key));
}

test.each(['failure', 'recovery'] as const)(
  'a %s alert sends one message to an address that is named and also in a channel',
  async (kind) => {
    expect(await findKeys([emailChannel()], kind)).toEqual(['chn_1:0', 'chn_1:1']);
  },
);

test.each<[string, readonly AlertChannel[], readonly string[]]>([
  ['does not want this kind of alert', [emailChannel({ onlyKinds: ['recovery'] })], [ADDRESS]],
  ['is not used by the alert', [emailChannel({ id: 'chn_2' })], [ADDRESS]],
  [
    'is only a fallback',
    [
      emailChannel({ type: 'webhook', fallbackId: 'chn_2', places: [{ shown: 'x', sealed: '' }] }),
      emailChannel({ id: 'chn_2' }),
    ],
    ['chn_1:0', 'chn_2:0', 'chn_2:1', ADDRESS],
  ],
  ['sends to other addresses', [emailChannel({ places: [] })], [ADDRESS]],
])('a named address gets the alert if a channel with it %s', async (_what, channels, keys) => {
  const found = await findKeys(channels);
  expect(found.toSorted()).toEqual([...keys].sort());
});

test('while the database is away, every recipient of the rule gets the alert', async () => {
  const away = () => Promise.reject(new Error('away'));
  expect(await findKeys([], 'failure', away)).toEqual([ADDRESS]);
});
