/** Tests which checks use a channel, and how many would use it by default, as shown in the settings. */
import {
  asDefaultText,
  channelUsage,
  defaultText,
} from '../../../src/dashboard/shared/alerts/channel-usage';
import type { AlertPolicy } from '../../../src/dashboard/shared/data/api-types';
import { exampleCheck } from '../support/example-check';

const OPS = { id: 'chn_1', type: 'email', isDefault: true } as const;
const PAGER = { id: 'chn_2', type: 'webhook', isDefault: false } as const;

const check = (channels: readonly string[], policy: string | null = null) =>
  exampleCheck('a', { alerts: { ...exampleCheck('a').alerts, channels: [...channels], policy } });
const policy = (
  key: string,
  notify: readonly string[],
): Pick<AlertPolicy, 'key' | 'steps' | 'lastResort'> => ({
  key,
  steps: [
    { afterMinutes: 0, notify: [...notify], until: 'acknowledged', repeat: null, hours: null },
  ],
  lastResort: null,
});
const ways = {
  channels: [OPS, PAGER],
  policies: [policy('duty', ['chn_2']), policy('quiet', ['chn_1'])],
  routes: [],
};

test('the usage of a channel contains the checks that name it by id, by type or through a policy', () => {
  const checks = [
    check(['chn_2']),
    check(['webhook']),
    check([], 'duty'),
    check([], 'quiet'),
    check(['default']),
    check([]),
  ];
  const usage = channelUsage(PAGER, { ...ways, checks });
  expect(usage).toEqual({ users: checks.slice(0, 3), usedAsDefault: 4, total: 6 });
  expect(asDefaultText(usage)).toBe('As a default, 4 of 6 checks would use it.');
});

test('the usage of a channel contains the checks that get its policy from a route', () => {
  const routes = [{ match: { tags: [], groups: [], type: null }, policy: 'duty' }];
  const checks = [check(['default']), check([])];
  expect(channelUsage(PAGER, { ...ways, checks, routes }).users).toEqual([checks[0]]);
});

test('a default channel shows which checks it would notify, before and after the channel is saved', () => {
  const checks = Array.from({ length: 57 }, (_, index) =>
    check(index < 3 ? ['chn_2', 'default'] : ['default']),
  );
  const usage = channelUsage(PAGER, { ...ways, checks });
  expect(usage.users).toHaveLength(3);
  expect(asDefaultText(usage)).toBe('As a default, all 57 checks would use it.');
  const added = channelUsage({ ...PAGER, id: 'chn_~' }, { ...ways, checks });
  expect(added.users).toEqual([]);
  expect(asDefaultText(added)).toBe('As a default, all 57 checks would use it.');
  expect(defaultText(added)).toBe(
    'If on, all 57 checks use it. If off, only the checks that name it do.',
  );
  expect(asDefaultText({ users: [check([])], usedAsDefault: 1, total: 2 })).toBeNull();
});
