/**
 * Tests providers that fail in changing ways, and processes that die while checks change. No alert is lost, and no
 * false recovery is sent.
 *
 * Covers:
 * - services/identity-providers/provider-recipients
 * - services/identity-providers/update-providers
 */
import { writeAlert } from '../../../src/notify/words';
import { ProviderWorld, policy, TOKEN_URL } from './provider-world';

const QUIET_ALL_DAY = {
  timeZone: 'UTC',
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  from: '00:00',
  to: '23:59',
} as const;
const ONCE = { until: 'acknowledged', repeat: null, afterMinutes: 0 } as const;

const headlines = (world: ProviderWorld) =>
  world.alerts.map((alert) => writeAlert(alert, 'https://k').headline);

function withPolicy(world: ProviderWorld, name: string, key: string): string {
  const id = world.addCheck(name);
  const row = world.monitors.get(id);
  if (row !== undefined) world.change(id, { alerts: { ...row.alerts, policy: key } });
  return id;
}

test('an identity provider that alternates between outages and refusals causes an alert, and no recovery until it works', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  for (let round = 0; round < 6; round += 1) {
    await world.live(1, [id], 'unavailable');
    await world.live(1, [id], 'refused');
  }
  expect(world.listSent('failure').length).toBeGreaterThan(0);
  expect(world.listSent('recovery')).toEqual([]);
  await world.live(2, [id], 'up');
  expect(world.listSent('recovery')).toHaveLength(world.listSent('failure').length);
  expect(world.failures.size).toBe(0);
});

test('a later failure at one provider does not end the outage of another provider', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  await world.live(3, [id], 'unavailable');
  world.change(id, { revision: 2 });
  world.check(id, 'unavailable', `${TOKEN_URL}/v2`);
  await world.pass();
  expect(headlines(world).at(-1)).toBe(
    'auth.example.com: no check signs in there any more, after 3 min',
  );
});

test('a flapping provider still recovers after its earlier failures were forgotten', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  for (let round = 0; round < 2; round += 1) {
    await world.live(2, [id], 'unavailable');
    await world.live(1, [id], 'up');
  }
  await world.live(6, [id], 'up');
  expect(headlines(world).at(-1)).toMatch(/^auth\.example\.com gives tokens again/);
});

test.each(['before', 'after'] as const)(
  'recipients of a provider outage are notified even if the process dies %s a write',
  async (when) => {
    const run = async (at: number): Promise<ProviderWorld> => {
      const world = new ProviderWorld({ at, when });
      const id = world.addCheck('shop');
      const paused = world.addCheck('paused');
      world.checkAll([id, paused], 'unavailable');
      world.change(paused, { state: 'paused' });
      world.wait();
      world.check(id, 'unavailable');
      await world.pass(() => world.setMaintenance(id, true));
      await world.live(2, [id], 'unavailable');
      return world;
    };
    for (let at = 0; at < 4; at += 1)
      expect({ at, sent: (await run(at)).listSent('failure') }).toEqual({
        at,
        sent: ['shop-channel'],
      });
  },
);

test('one account with many failing providers does not delay other accounts', async () => {
  const world = new ProviderWorld();
  const many = Array.from({ length: 5 }, (_, index) => world.addCheck(`many ${index}`));
  const other = world.addCheck('other', { accountId: 'acc_2' });
  for (let slot = 0; slot < 2; slot += 1) {
    for (const [index, id] of many.entries())
      world.check(id, 'unavailable', `${TOKEN_URL}/${index}`);
    world.check(other, 'unavailable');
    world.wait();
  }
  await world.pass();
  expect(world.listSent('failure').indexOf('other-channel')).toBeLessThan(2);
});

test('a check that is exempt from quiet hours notifies people of a provider outage during quiet hours', async () => {
  const world = new ProviderWorld();
  const rules = policy('acc_1', 'a', [{ ...ONCE, notify: ['on-call'] }]);
  world.policies.push({ ...rules, quietHours: { ...QUIET_ALL_DAY, except: ['critical'] } });
  world.addCheck('owner of channels', { notifies: 'on-call' });
  const [plain, critical] = [withPolicy(world, 'plain', 'a'), withPolicy(world, 'critical', 'a')];
  world.change(critical, { tags: ['critical'] });
  await world.live(2, [plain, critical], 'unavailable');
  const awake = (one: ProviderWorld) =>
    one
      .listSteps()
      .filter(({ quietHours }) => quietHours === undefined)
      .flatMap(({ contacts }) => contacts.map(({ id }) => id));
  expect(awake(world)).toEqual(['on-call']);
});
