/**
 * Tests who would be notified by the settings of a check: named channels or default channels, and email addresses if a
 * mail server is configured.
 */

import {
  type Alerting,
  findRecipients,
  hasNoRecipients,
  isEmptyDefault,
} from '../../../src/dashboard/shared/alerts/recipients';
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
  lastSentAt: null,
  failing: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
});
const CHANNELS = [channel('ops', true), channel('quiet', false)];

test('"default" and channel types mean the default channels, or no recipient if no default channel exists', () => {
  const alerts = { channels: ['email', 'slack', 'webhook'], emails: [] };
  const given = { alerts, emailEnabled: true };
  expect(findRecipients({ ...given, channels: CHANNELS }).reached).toEqual(['ops']);
  expect(findRecipients({ ...given, channels: [] }).reached).toEqual([]);
  const every = { alerts: { channels: ['default'], emails: [] }, emailEnabled: true };
  expect(findRecipients({ ...every, channels: CHANNELS }).reached).toEqual(['ops']);
  expect(isEmptyDefault('default', CHANNELS)).toBe(false);
  expect(isEmptyDefault('default', [])).toBe(true);
  expect(isEmptyDefault('email', CHANNELS)).toBe(true);
  expect(isEmptyDefault('slack', CHANNELS)).toBe(false);
  expect(isEmptyDefault('chn_ops', [])).toBe(false);
});

test('without a mail server, the email addresses of a check count as unreachable', () => {
  const alerts = { channels: ['chn_quiet'], emails: ['a@example.com'] };
  expect(findRecipients({ alerts, channels: CHANNELS, emailEnabled: false })).toEqual({
    reached: ['quiet'],
    unreachable: ['a@example.com'],
  });
});

describe('a check that alerts no one', () => {
  const check = (changes: Partial<Alerting['alerts']> = {}): Alerting => ({
    type: 'monitor',
    tags: ['web'],
    groupKey: 'shop/checkout',
    alerts: {
      channels: ['default'],
      emails: [],
      onFailure: true,
      onRecovery: true,
      onDegraded: false,
      remindEveryMinutes: null,
      policy: null,
      ...changes,
    },
  });
  const routeTo = (policy: string | null, type: Alerting['type'] | null = null) => [
    { match: { tags: [], groups: ['shop'], type }, policy },
  ];
  const ways = { channels: [], emailEnabled: true, routes: [] };

  test('a check that alerts no one has no recipient, no policy, and no route to a policy', () => {
    expect(hasNoRecipients(check(), ways)).toBe(true);
    expect(hasNoRecipients(check(), { ...ways, channels: CHANNELS })).toBe(false);
    expect(hasNoRecipients(check({ policy: 'duty' }), ways)).toBe(false);
    expect(hasNoRecipients(check(), { ...ways, routes: routeTo('duty') })).toBe(false);
  });

  test('a check that alerts no one is recognised even if a route applies to other checks', () => {
    expect(hasNoRecipients(check(), { ...ways, routes: routeTo('duty', 'scenario') })).toBe(true);
    expect(hasNoRecipients(check(), { ...ways, routes: routeTo(null) })).toBe(true);
    const routes = routeTo('duty');
    expect(hasNoRecipients(check({ onFailure: false }), { ...ways, routes })).toBe(true);
    expect(hasNoRecipients(check({ channels: [] }), { ...ways, routes })).toBe(true);
  });
});
