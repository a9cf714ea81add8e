/**
 * Tests channels that contain secrets of the account. The secrets are read when an alert is sent, and sent only to
 * their hosts.
 */
import type { AlertAddress } from '../../../src/contracts/alerts';
import { fillAddress } from '../../../src/services/alerting/fill-address';

const address: AlertAddress = {
  type: 'webhook',
  config: {
    url: 'https://pager.example.com/hook',
    headers: { Authorization: 'Bearer {{secret:pager}}', 'X-Plain': 'as it is' },
  },
  signingSecret: 's',
};
const secret = { name: 'pager', value: 'the value' };
const filled = (found: readonly object[], given = address) =>
  fillAddress(async () => found.map((each) => ({ ...secret, ...each })), 'acc_1', given);

test('a secret is filled into a header of the channel and listed among the values to mask', async () => {
  expect(await filled([{}])).toMatchObject({
    address: {
      config: { headers: { Authorization: 'Bearer the value', 'X-Plain': 'as it is' } },
      signingSecret: 's',
    },
    secrets: expect.arrayContaining(['the value', '/hook']),
  });
});

test.each([
  ['that is missing', [], /no secret "pager"/],
  ['for another host', [{ hosts: ['api.example.com'] }], /not allowed for pager\.example\.com/],
  ['that no header can contain', [{ value: 'two\nlines' }], /cannot be sent/],
])(
  'a secret %s prevents sending, and the attempt names the problem',
  async (_what, found, fault) => {
    expect(await filled(found)).toEqual({ fault: expect.stringMatching(fault) });
  },
);

test('while secrets cannot be read, channels that use a secret wait, and other channels do not', async () => {
  const away = () => Promise.reject(new Error('away'));
  expect(await fillAddress(away, 'acc_1', address)).toHaveProperty('fault');
  const plain = { type: 'slack', config: { webhookUrl: 'https://hooks.example.com/x' } };
  expect(await fillAddress(away, 'acc_1', plain)).toMatchObject({ address: plain });
});

test('the token of a channel can be a secret, unless the secret is limited to other hosts', async () => {
  const bot = {
    type: 'telegram',
    config: { botToken: '{{secret:pager}}', chatId: '-1' },
    signingSecret: '',
  };
  expect(await filled([{}], { ...address, ...bot })).toMatchObject({
    address: { config: { botToken: 'the value' } },
  });
  expect(await filled([{ hosts: ['api.example.com'] }], { ...address, ...bot })).toHaveProperty(
    'fault',
  );
});
