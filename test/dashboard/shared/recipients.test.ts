/** Who would be notified: channels that are named or defaults, and addresses, as far as emails are sent. */

import { isEmptyDefault, recipientsOf } from '../../../src/dashboard/shared/alerts/recipients';
import type { AlertChannel } from '../../../src/dashboard/shared/data/api-types';

const channel = (name: string, isDefault: boolean): AlertChannel => ({
  id: `chn_${name}`,
  version: 1,
  key: null,
  name,
  type: 'slack',
  isDefault,
  onlyKinds: null,
  fallback: null,
  fallbackAfterMinutes: 15,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
});
const CHANNELS = [channel('ops', true), channel('quiet', false)];

test('defaults stand for the default channels of their type, and for nobody without one', () => {
  const alerts = { channels: ['email', 'slack', 'webhook'], emails: [] };
  const given = { alerts, emailEnabled: true };
  expect(recipientsOf({ ...given, channels: CHANNELS }).reached).toEqual(['ops']);
  expect(recipientsOf({ ...given, channels: [] }).reached).toEqual([]);
  const every = { alerts: { channels: ['default'], emails: [] }, emailEnabled: true };
  expect(recipientsOf({ ...every, channels: CHANNELS }).reached).toEqual(['ops']);
  expect(isEmptyDefault('default', CHANNELS)).toBe(false);
  expect(isEmptyDefault('default', [])).toBe(true);
  expect(isEmptyDefault('email', CHANNELS)).toBe(true);
  expect(isEmptyDefault('slack', CHANNELS)).toBe(false);
  expect(isEmptyDefault('chn_ops', [])).toBe(false);
});

test('without a mail server, emails reach nobody', () => {
  const alerts = { channels: ['chn_quiet'], emails: ['a@example.com'] };
  expect(recipientsOf({ alerts, channels: CHANNELS, emailEnabled: false })).toEqual({
    reached: ['quiet'],
    unreachable: ['a@example.com'],
  });
});
