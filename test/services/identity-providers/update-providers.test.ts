/**
 * Tests that there is one incident for each identity provider and account, with one alert for each recipient of the
 * checks that cannot sign in.
 *
 * Covers:
 * - domain/alerting/identity-provider
 * - services/identity-providers/read-provider-checks
 * - services/identity-providers/provider-incident
 * - services/identity-providers/provider-recipients
 * - services/identity-providers/update-providers
 * - services/results/sign-in-failures
 */
import { writeAlert } from '../../../src/notify/words';
import { MINUTE_MS, ProviderWorld, policy, TOKEN_URL } from './provider-world';

function forty(world: ProviderWorld): readonly string[] {
  return Array.from({ length: 40 }, (_, index) =>
    world.addCheck(`check ${index}`, { notifies: index < 20 ? 'day-team' : 'night-team' }),
  );
}

const listIncidents = (world: ProviderWorld) => [...world.incidents.values()];

test('a provider outage that affects forty checks opens one incident and sends one alert and one recovery per recipient', async () => {
  const world = new ProviderWorld();
  const ids = forty(world);
  await world.live(3, ids, 'up');
  await world.live(10, ids, 'unavailable');
  await world.live(5, ids, 'up');
  expect(world.listSent('failure').toSorted()).toEqual(['day-team', 'night-team']);
  expect(world.listSent('recovery').toSorted()).toEqual(['day-team', 'night-team']);
  expect(world.sent).toHaveLength(4);
  const [incident, ...others] = listIncidents(world);
  expect(others).toEqual([]);
  expect(incident).toMatchObject({
    resourceType: 'identityProvider',
    closedAtMs: (incident?.openedAtMs ?? 0) + 10 * MINUTE_MS,
    cause: { code: 'auth_failed' },
    regions: ['eu'],
    decisions: [{ reason: 'notified' }, { reason: 'recovery_notified' }],
    provider: { tokenUrl: TOKEN_URL, problem: 'unavailable', reason: '503', checkCount: 40 },
  });
  expect(world.failures.size).toBe(0);
  const [failure, recovery] = world.alerts.map((alert) => writeAlert(alert, 'https://k').headline);
  expect(failure).toBe('Identity provider down: auth.example.com: 503; 40 checks cannot sign in');
  expect(recovery).toBe('auth.example.com gives tokens again after 10 min');
});

test('a provider outage that turns into refused credentials ends, and the refusal is another incident', async () => {
  const world = new ProviderWorld();
  const ids = forty(world);
  await world.live(10, ids, 'unavailable');
  await world.live(120, ids, 'refused');
  const [outage, refusal, ...others] = listIncidents(world);
  expect(others).toEqual([]);
  expect(outage).toMatchObject({
    closedAtMs: (outage?.openedAtMs ?? 0) + 10 * MINUTE_MS,
    provider: { problem: 'unavailable', ended: 'refused' },
  });
  expect(refusal).toMatchObject({ closedAtMs: null, provider: { problem: 'refused' } });
  const headlines = world.alerts.map((alert) => writeAlert(alert, 'https://k').headline);
  expect(headlines).toContain(
    'auth.example.com responds again after 10 min, and refuses the credentials',
  );
  await world.live(3, ids, 'up');
  expect(listIncidents(world).every(({ closedAtMs }) => closedAtMs !== null)).toBe(true);
  expect(world.listSent('recovery').toSorted()).toEqual([
    'day-team',
    'day-team',
    'night-team',
    'night-team',
  ]);
});

test('refused credentials of one check end a provider outage only if no other check has failed since then', async () => {
  const world = new ProviderWorld();
  const [one = '', ...others] = forty(world);
  await world.live(5, [one, ...others], 'unavailable');
  for (let minute = 0; minute < 5; minute += 1) {
    world.check(one, 'refused');
    world.wait(1_000);
    world.checkAll(others, 'unavailable');
    await world.pass();
    world.wait();
  }
  const isOpen = () => listIncidents(world).map(({ closedAtMs }) => closedAtMs === null);
  expect(isOpen()).toEqual([true, true]);
  world.checkAll(others.slice(0, 1), 'refused');
  await world.pass();
  expect(isOpen()).toEqual([false, true]);
});

test('a provider outage notifies recipients in batches, each once, and one notice counts the recipients left out', async () => {
  const world = new ProviderWorld();
  const ids = Array.from({ length: 300 }, (_, check) => {
    const emails = Array.from({ length: 20 }, (_, at) => `person-${check}-${at}@example.com`);
    const alerts = { channels: [], emails, onFailure: true, onRecovery: true, onDegraded: false };
    return world.addCheck(`check ${check}`, {
      alerts: { ...alerts, remindEveryMinutes: null, policy: null },
    });
  });
  await world.live(4, ids, 'unavailable');
  const notified = world.listSent('failure');
  expect(new Set(notified).size).toBe(notified.length);
  expect(notified.length).toBeGreaterThan(1_000);
  const steps = world.listSteps();
  expect(Math.max(...steps.map(({ contacts }) => contacts.length))).toBeLessThanOrEqual(100);
  expect(JSON.stringify(steps).length).toBeLessThan(600_000);
  expect(world.notices).toEqual([
    expect.objectContaining({ recipients: String(6_000 - notified.length) }),
  ]);
  await world.live(2, ids, 'up');
  expect(world.listSent('recovery').toSorted()).toEqual(notified.toSorted());
});

test('one failing slot of each check does not count as a provider outage', async () => {
  const world = new ProviderWorld();
  const ids = forty(world);
  await world.live(1, ids, 'up');
  await world.live(1, ids, 'unavailable');
  await world.live(2, ids, 'up');
  expect([world.incidents.size, world.sent, world.failures.size]).toEqual([0, [], 0]);
});

test('failures with a passing slot between them do not count as a provider outage, even if found by the same pass', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  for (const found of ['unavailable', 'up', 'unavailable'] as const) {
    world.check(id, found);
    world.wait(10_000);
  }
  await world.pass();
  expect(world.incidents.size).toBe(0);
});

test('checks whose providers work cause no database write', async () => {
  const world = new ProviderWorld();
  await world.live(5, forty(world), 'up');
  expect(world.writes).toBe(0);
});

test('a lasting provider outage causes no database write once its incident and alerts are stored', async () => {
  const world = new ProviderWorld();
  const ids = forty(world);
  await world.live(3, ids, 'unavailable');
  const { writes } = world;
  await world.live(5, ids, 'unavailable');
  expect(world.writes).toBe(writes);
});

test('each account has its own incident for the same provider', async () => {
  const world = new ProviderWorld();
  const one = world.addCheck('shop', { accountId: 'acc_1', notifies: 'one' });
  const other = world.addCheck('shop', { accountId: 'acc_2', notifies: 'other' });
  await world.live(3, [one, other], 'unavailable');
  expect(
    listIncidents(world)
      .map(({ accountId }) => accountId)
      .toSorted(),
  ).toEqual(['acc_1', 'acc_2']);
  world.checkAll([one], 'up');
  world.check(other, 'unavailable');
  await world.pass();
  expect(world.listSent('recovery')).toEqual(['one']);
  expect(listIncidents(world).filter(({ closedAtMs }) => closedAtMs === null)).toHaveLength(1);
});

test('recipients of checks that fail later in an outage are notified too, and no one is notified twice', async () => {
  const world = new ProviderWorld();
  const first = world.addCheck('first', { notifies: 'first-team' });
  const same = world.addCheck('same', { notifies: 'first-team' });
  const late = world.addCheck('late', { notifies: 'late-team' });
  await world.live(2, [first], 'unavailable');
  expect(world.listSent('failure')).toEqual(['first-team']);
  await world.live(2, [first, same, late], 'unavailable');
  expect(world.listSent('failure')).toEqual(['first-team', 'late-team']);
  await world.live(1, [first, same, late], 'up');
  expect(world.listSent('recovery')).toEqual(['first-team', 'late-team']);
  expect(listIncidents(world)[0]?.provider?.checkCount).toBe(3);
});

test('policies of a provider outage escalate in parallel, and notify a shared contact once', async () => {
  const world = new ProviderWorld();
  world.addCheck('owner of channels', { notifies: 'on-call' });
  world.addCheck('owner of more channels', { notifies: 'boss' });
  const times = { until: 'acknowledged', repeat: null } as const;
  world.policies.push(
    policy('acc_1', 'a', [
      { ...times, afterMinutes: 0, notify: ['on-call'] },
      { ...times, afterMinutes: 15, notify: ['boss'] },
    ]),
    policy('acc_1', 'b', [{ ...times, afterMinutes: 0, notify: ['on-call', 'boss'] }]),
  );
  const withPolicy = (name: string, key: string) => {
    const id = world.addCheck(name);
    const row = world.monitors.get(id);
    if (row !== undefined) world.change(id, { alerts: { ...row.alerts, policy: key } });
    return id;
  };
  const [one, other] = [withPolicy('one', 'a'), withPolicy('other', 'b')];
  await world.live(2, [one], 'unavailable');
  expect(world.listSent('failure')).toEqual(['on-call']);
  await world.live(2, [one, other], 'unavailable');
  // The policy of `other` notifies the boss at once. The policy of `one` would notify the boss later.
  expect(world.listSent('failure')).toEqual(['on-call', 'boss']);
  expect(world.sent).toHaveLength(2);
});

test('refused credentials open a separate incident, which names the refusal', async () => {
  const world = new ProviderWorld();
  const [bad, good] = [world.addCheck('bad'), world.addCheck('good')];
  await world.live(2, [good], 'up');
  await world.live(3, [bad], 'refused');
  await world.live(2, [good], 'up');
  expect(listIncidents(world)).toMatchObject([
    { closedAtMs: null, provider: { problem: 'refused', checkCount: 1 } },
  ]);
  const [alert] = world.alerts.map((one) => writeAlert(one, 'https://k').headline);
  expect(alert).toBe(
    'Credentials refused: auth.example.com: 401 (invalid_client); 1 check cannot sign in',
  );
  expect(world.sent.map(({ to }) => to)).toEqual(['bad-channel']);
});

test('if a provider accepts the credentials of one check, the incident of refused credentials of another check stays open', async () => {
  const world = new ProviderWorld();
  const [one, other] = [world.addCheck('one'), world.addCheck('other')];
  await world.live(2, [one, other], 'refused');
  await world.live(1, [one], 'up');
  expect(world.listSent('recovery')).toEqual([]);
  await world.live(1, [other], 'up');
  expect(world.listSent('recovery')).toEqual(['one-channel', 'other-channel']);
});

test('a provider outage ends when one check gets a token again, unless another check fails after that', async () => {
  const world = new ProviderWorld();
  const [often, seldom] = [world.addCheck('often'), world.addCheck('seldom')];
  await world.live(2, [often, seldom], 'unavailable');
  world.check(often, 'up');
  world.wait(1_000);
  world.check(seldom, 'unavailable');
  await world.pass();
  expect(world.listSent('recovery')).toEqual([]);
  world.wait();
  world.check(often, 'unavailable');
  await world.pass();
  world.wait();
  world.check(often, 'up');
  await world.pass();
  expect(world.listSent('recovery')).toHaveLength(2);
  // The check `seldom` failed before the recovery, so its result no longer counts.
  await world.live(3, [often], 'up');
  expect(world.incidents.size).toBe(1);
});

test('a slot without an observation neither begins nor ends a provider outage', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  await world.live(1, [id], 'unavailable');
  await world.live(3, [id], 'lost');
  expect(world.incidents.size).toBe(0);
  await world.live(2, [id], 'unavailable');
  await world.live(3, [id], 'lost');
  expect(listIncidents(world)).toMatchObject([{ closedAtMs: null }]);
});

test('a provider outage ends when a check is down, since that check could sign in', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  await world.live(2, [id], 'unavailable');
  await world.live(1, [id], 'down');
  expect(world.listSent('recovery')).toEqual(['shop-channel']);
});

test.each([
  ['deleted', (world: ProviderWorld, id: string) => void world.monitors.delete(id)],
  ['paused', (world: ProviderWorld, id: string) => world.change(id, { state: 'paused' })],
  [
    'moved to another region',
    (world: ProviderWorld, id: string) => world.change(id, { regions: ['us'] }),
  ],
  [
    'given other credentials, which cannot be filled in',
    (world: ProviderWorld, id: string) => {
      world.change(id, { revision: 2 });
      world.check(id, 'lost');
    },
  ],
])(
  'the incident of an identity provider ends with a reason when the last check of the provider is %s',
  async (_, change) => {
    const world = new ProviderWorld();
    const id = world.addCheck('shop');
    await world.live(3, [id], 'unavailable');
    change(world, id);
    await world.pass();
    expect(listIncidents(world)).toMatchObject([
      {
        closedAtMs: world.nowMs,
        decisions: [{ reason: 'notified' }, { reason: 'no_longer_used' }],
        provider: { ended: 'unused' },
      },
    ]);
    const [, ended] = world.alerts.map((alert) => writeAlert(alert, 'https://k').headline);
    expect(ended).toBe('auth.example.com: no check signs in there any more, after 3 min');
    expect(world.failures.size).toBe(0);
  },
);

test('a changed check that still cannot sign in keeps the incident of the provider open', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  await world.live(3, [id], 'unavailable');
  world.change(id, { revision: 2 });
  await world.pass();
  await world.live(2, [id], 'unavailable');
  expect(listIncidents(world)).toMatchObject([{ closedAtMs: null }]);
  expect(world.sent).toHaveLength(1);
});

test('a check in maintenance notifies no one of a provider outage until its maintenance ends', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  world.check(id, 'unavailable');
  world.wait();
  world.check(id, 'unavailable');
  world.setMaintenance(id, true);
  await world.pass();
  expect(listIncidents(world)).toMatchObject([{ decisions: [{ reason: 'no_recipients' }] }]);
  expect(world.sent).toEqual([]);
  world.setMaintenance(id, false);
  await world.pass();
  expect(world.listSent('failure')).toEqual(['shop-channel']);
});

test('a flapping provider has one incident, and sends at most two failure alerts', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  for (let round = 0; round < 8; round += 1) {
    await world.live(2, [id], 'unavailable');
    await world.live(1, [id], 'up');
  }
  expect(world.listSent('failure')).toHaveLength(2);
  expect(world.listSent('recovery')).toHaveLength(1);
  await world.live(6, [id], 'up');
  expect(world.listSent('recovery')).toHaveLength(2);
  const [first, second, ...others] = listIncidents(world);
  expect(others).toEqual([]);
  const gapMs = (second?.openedAtMs ?? 0) - (first?.closedAtMs ?? 0);
  expect(gapMs).toBeGreaterThan(0);
  expect(gapMs).toBeLessThan(5 * MINUTE_MS);
});

test('a provider URL with a query or credentials, which only a broken probe reports, is ignored', async () => {
  const world = new ProviderWorld();
  const id = world.addCheck('shop');
  for (const address of ['https://a@auth.example/', 'https://auth.example/?a=b', 'nonsense'])
    world.check(id, 'unavailable', address);
  expect(world.failures.size).toBe(0);
});

/** Simulates an outage with a late check, a recovery, a second outage, and the end of its last check. */
async function playOutages(world: ProviderWorld): Promise<ProviderWorld> {
  const ids = ['one', 'two'].map((name) => world.addCheck(name, { notifies: 'team' }));
  const late = world.addCheck('late', { notifies: 'late-team' });
  await world.live(3, ids, 'unavailable');
  await world.live(2, [...ids, late], 'unavailable');
  await world.live(2, [...ids, late], 'up');
  world.wait(30 * MINUTE_MS);
  await world.live(3, ids, 'refused');
  for (const id of ids) world.monitors.delete(id);
  await world.pass();
  await world.pass();
  return world;
}

test.each(['before', 'after'] as const)(
  'a process killed %s any single write loses no alert of a provider outage and sends none twice',
  async (when) => {
    const smooth = await playOutages(new ProviderWorld());
    expect(smooth.sent.map(({ kind, to }) => `${kind} ${to}`)).toEqual([
      'failure team',
      'failure late-team',
      'recovery team',
      'recovery late-team',
      'failure team',
      'recovery team',
    ]);
    for (let at = 0; at < smooth.writes; at += 1) {
      const broken = await playOutages(new ProviderWorld({ at, when }));
      const list = (world: ProviderWorld) => world.sent.map(({ kind, to }) => `${kind} ${to}`);
      expect({ at, deaths: broken.deaths }).toEqual({ at, deaths: 1 });
      expect({ at, sent: list(broken) }).toEqual({ at, sent: list(smooth) });
      expect({ at, incidents: broken.incidents.size }).toEqual({ at, incidents: 2 });
      expect(listIncidents(broken).every(({ closedAtMs }) => closedAtMs !== null)).toBe(true);
      expect(broken.failures.size).toBe(0);
    }
  },
);
