/**
 * Tests that a request that repeats stored values is never refused and changes nothing. This holds even after other
 * changes to the account: deleted channels, regions and targets, a smaller plan, pauses, and maintenance.
 *
 * Covers:
 * - services/lists/read-change
 * - services/regions/regions
 * - services/resources/resource-verbs
 * - services/resources/resolve-alerts
 */
import fc from 'fast-check';
import request from 'supertest';
import { isNetworkStep } from '../../../src/contracts/definition';
import { monitorRecord } from '../../models/example-records';
import { propertyOptions } from '../../support/property-runs';
import { personOf } from '../people';
import { suiteService, type TestAccount } from '../test-service';

/** The tests change this list, because an operator may remove regions. */
const configuredRegions = ['eu-west', 'us-east', 'mars'];
const blocked = new Set<string>();

const service = suiteService({
  configuredRegions,
  findBlockedTarget: (url) => (blocked.has(new URL(url).host) ? 'is blocked by now' : null),
});

const MINUTE_MS = 60_000;

const EVENTS = [
  'its channel is gone',
  'its channel has moved',
  'another channel became the default',
  'it is paused',
  'it is paused for a while',
  'its pause is over',
  'it is in maintenance',
  'it is down',
  'the plan got smaller',
  'its region is gone',
  'its target is blocked by now',
  'rules became stricter',
] as const;
type AccountEvent = (typeof EVENTS)[number];

interface Scene {
  readonly account: TestAccount;
  readonly channelId: string;
  readonly ids: { readonly monitors: string; readonly scenarios: string };
}

function api({ key }: TestAccount) {
  const as = () => request.agent(service.app).set('Authorization', `Bearer ${key}`);
  return {
    get: async (path: string) => okOf(await as().get(path)),
    post: async (path: string, body: object = {}) => okOf(await as().post(path).send(body)),
    put: async (path: string, body: object) => okOf(await as().put(path).send(body)),
    patch: async (path: string, body: object) => okOf(await as().patch(path).send(body)),
    delete: async (path: string) => okOf(await as().delete(path)),
  };
}

function okOf({ status, body }: request.Response) {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

const shared = {
  regions: ['mars', 'eu-west'],
  interval: 10,
  group: ' Shop // eu/',
  tags: ['a', 'a', 'b'],
  variables: { plain: 'x', token: { value: 'of the variable', secret: true } },
  timeoutMs: 5_000,
};

const contains = { type: 'body', operator: 'contains', value: 'ok' } as const;

async function setUp(account: TestAccount, isKeyed: boolean): Promise<Scene> {
  configuredRegions.splice(0, 3, 'eu-west', 'us-east', 'mars');
  blocked.clear();
  const { post, get, put } = api(account);
  const key = (name: string) => (isKeyed ? { key: name } : {});
  const hook = { name: 'hook', type: 'webhook', url: 'https://hooks.example.com/of/theirs' };
  const channel = await post('/v1/alert-channels', { ...hook, ...key('hook') });
  await post('/v1/alert-channels', { name: 'mail', type: 'email', emails: ['a@example.com'] });
  await put('/v1/secrets/TOKEN', { value: 'of the account' });
  const alerts = { channels: [channel.id, 'email'], emails: ['b@example.com'] };
  const { timeoutMs, ...sharedByScenarios } = shared;
  const monitor = await post('/v1/monitors', {
    ...shared,
    ...key('shop'),
    name: 'm',
    url: 'https://shop.example.com/a?b=c',
    headers: { 'X-Key': '{{token}}', Authorization: 'Bearer in clear' },
    assertions: Array.from({ length: 18 }, () => contains),
    expectedStatus: 200,
    expectedText: 'hello',
    quorum: 2,
    alerts,
  });
  const scenario = await post('/v1/scenarios', {
    ...sharedByScenarios,
    ...key('buy'),
    name: 's',
    steps: [
      { name: 'one', url: 'https://shop.example.com/', extract: { id: '$.id' }, timeoutMs },
      {
        name: 'two',
        url: 'https://{{plain}}.example.com/{{id}}',
        method: 'post',
        body: '{{id}}',
        headers: { Cookie: 'a=b' },
      },
    ],
    alerts,
  });
  const items = [monitor, scenario].map(({ id, name }) => ({ id, name }));
  await post('/v1/status-pages', {
    slug: slugOf(account),
    title: 'p',
    groups: [{ name: 'g', items }],
  });
  const startsAt = new Date(service.clock.nowMs + 60 * MINUTE_MS).toISOString();
  const window = { mode: 'mute', startsAt, durationMinutes: 5, target: { ids: [monitor.id] } };
  await post('/v1/maintenance-windows', { ...window, name: 'once', ...key('once') });
  await post('/v1/maintenance-windows', { ...window, name: 'daily', rrule: 'FREQ=DAILY' });
  expect(await get(`/v1/monitors/${monitor.id}`)).toMatchObject({ version: 1 });
  const ids = { monitors: String(monitor.id), scenarios: String(scenario.id) };
  return { account, channelId: channel.id, ids };
}

function slugOf({ id }: TestAccount): string {
  return id.replaceAll('_', '-');
}

/** Applies one event to the account. */
async function applyEvent({ account, channelId, ids }: Scene, event: AccountEvent): Promise<void> {
  const { post, patch } = api(account);
  const paths = Object.entries(ids).map(([kind, id]) => `/v1/${kind}/${id}`);
  const until = new Date(service.clock.nowMs + 10 * MINUTE_MS).toISOString();
  switch (event) {
    case 'its channel is gone':
      await api(account).delete(`/v1/alert-channels/${channelId}`);
      return;
    case 'its channel has moved':
      await patch(`/v1/alert-channels/${channelId}`, { url: 'https://new.example.com/hook' });
      return;
    case 'another channel became the default': {
      const mail = { name: 'new', type: 'email', emails: ['c@example.com'], isDefault: true };
      await post('/v1/alert-channels', mail);
      return;
    }
    case 'it is paused':
      for (const path of paths) await post(`${path}/pause`, { reason: 'because' });
      return;
    case 'it is paused for a while':
      for (const path of paths) await post(`${path}/pause`, { until });
      return;
    case 'its pause is over':
      for (const path of paths) await post(`${path}/pause`, { until });
      service.clock.nowMs += 11 * MINUTE_MS;
      return;
    case 'it is in maintenance':
      await post('/v1/maintenance-windows/now', { minutes: 30, target: { all: true } });
      return;
    case 'it is down': {
      const slot = { accountId: account.id, monitorId: ids.monitors, health: 'down' } as const;
      await service.recorder.recordMonitorCheck(
        monitorRecord({ ...slot, slotMs: service.clock.nowMs }),
      );
      return;
    }
    case 'the plan got smaller': {
      const { accounts } = service.database.database.models;
      await accounts.updateOne({ _id: account.id }, { $set: { plan: 'pro' } });
      return;
    }
    case 'its region is gone':
      configuredRegions.splice(configuredRegions.indexOf('mars'), 1);
      return;
    case 'its target is blocked by now':
      blocked.add('shop.example.com');
      return;
    case 'rules became stricter':
      await breakRules(account);
  }
}

/** Stores values that no current request could store. Each kind of object breaks several rules. */
async function breakRules({ id }: TestAccount): Promise<void> {
  const { stores } = service.services;
  const all = { limit: 10, beforeId: null };
  const assertions = Array.from({ length: 22 }, () => ({ ...contains, severity: 'fail' as const }));
  const tags = Array.from({ length: 30 }, (_unused, index) => `tag ${index}`);
  const headers = [{ name: 'X.Bad', value: 'line\nbreak' }];
  const group = 'g'.repeat(200);
  const shared = { tags, group, groupKey: group };
  for (const row of (await stores.monitors.list(id, all)).items) {
    if (row.step !== null && isNetworkStep(row.step)) continue;
    const step = row.step && {
      ...row.step,
      assertions,
      headers: [...row.step.headers, ...headers],
    };
    await stores.monitors.replace(id, { ...row, ...shared, quorum: 9, step }, row.version);
  }
  for (const row of (await stores.scenarios.list(id, all)).items) {
    const steps = row.steps.map((step) => ({ ...step, name: 'one', retries: 9, assertions }));
    await stores.scenarios.replace(id, { ...row, ...shared, steps }, row.version);
  }
  const { models } = service.database.database;
  const long = { description: 'd'.repeat(3_000) };
  await models.statusPages.updateMany({ accountId: id }, { $set: long });
  await models.alertChannels.updateMany({ accountId: id }, { $set: { name: 'n'.repeat(300) } });
  const many = Array.from({ length: 130 }, (_unused, index) => `tag ${index}`);
  const window = { 'target.tags': many };
  await models.maintenanceWindows.updateMany({ accountId: id }, { $set: window });
}

const LISTS = ['monitors', 'scenarios', 'alert-channels', 'maintenance-windows', 'status-pages'];
/** The lists whose objects can be replaced by PUT. */
const REPLACED = ['monitors', 'scenarios', 'status-pages'];

async function readAll(account: TestAccount) {
  const all = [];
  for (const list of LISTS) {
    const { data } = await api(account).get(`/v1/${list}`);
    for (const item of data) all.push({ list, path: `/v1/${list}/${item.id}` });
  }
  return all;
}

async function sendBack(account: TestAccount): Promise<void> {
  const { get, put, patch } = api(account);
  for (const { list, path } of await readAll(account)) {
    const before = await get(path);
    if (REPLACED.includes(list)) expect(await put(path, before)).toEqual(before);
    expect(await patch(path, before)).toEqual(before);
    expect(await patch(path, {})).toEqual(before);
  }
}

async function changeOneField(account: TestAccount): Promise<void> {
  const { get, patch } = api(account);
  for (const { list, path } of await readAll(account)) {
    const field = list === 'status-pages' ? 'title' : 'name';
    const { updatedAt: _before, ...before } = await get(path);
    const { updatedAt: _after, ...after } = await patch(path, { [field]: 'another' });
    expect(after).toEqual({ ...before, [field]: 'another', version: before.version + 1 });
  }
}

async function applyOwnExport(account: TestAccount): Promise<void> {
  const { get, post } = api(account);
  const before = await get('/v1/export');
  const applied = await post('/v1/apply', before);
  const actions = applied.objects.map(
    ({ kind, action, problem, changes }: Record<string, unknown>) => ({
      kind,
      action,
      problem,
      changes,
    }),
  );
  for (const object of actions)
    expect(object).toMatchObject({ action: 'unchanged', problem: null, changes: [] });
  expect(actions.length).toBeGreaterThan(0);
}

it('a request that changes nothing is accepted, even if other data has changed since the last write', async () => {
  const events = fc.record({ events: fc.subarray([...EVENTS]), isKeyed: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(events, async ({ events: chosen, isKeyed }) => {
      const scene = await setUp(await service.newAccount(), isKeyed);
      for (const event of chosen.filter((event) => !isImpossible(event, chosen)))
        await applyEvent(scene, event);
      await sendBack(scene.account);
      await applyOwnExport(scene.account);
      await changeOneField(scene.account);
      await sendBack(scene.account);
    }),
    {
      // CI tries only the example below.
      ...propertyOptions(1),
      endOnFailure: true,
      examples: [[{ events: [...EVENTS], isKeyed: true }]],
    },
  );
});

/** Returns true if the event is impossible after the other events: a deleted channel cannot be moved. */
function isImpossible(event: AccountEvent, events: readonly AccountEvent[]): boolean {
  return event === 'its channel has moved' && events.includes('its channel is gone');
}

it('status pages and maintenance windows that name deleted resources can be saved unchanged', async () => {
  const scene = await setUp(await service.newAccount(), true);
  await api(scene.account).delete(`/v1/monitors/${scene.ids.monitors}`);
  await sendBack(scene.account);
  await applyOwnExport(scene.account);
  await changeOneField(scene.account);
});

it('deleted channels are omitted from responses and refused in requests', async () => {
  const { account, channelId, ids } = await setUp(await service.newAccount(), false);
  const { get, delete: remove } = api(account);
  await remove(`/v1/alert-channels/${channelId}`);
  for (const path of [`/v1/monitors/${ids.monitors}`, `/v1/scenarios/${ids.scenarios}`])
    expect(await get(path)).toMatchObject({ version: 1, alerts: { channels: ['email'] } });
  const { data } = await get('/v1/monitors');
  expect(data[0]).toMatchObject({ alerts: { channels: ['email'] } });
  const fresh = { name: 'n', url: 'https://example.com/', alerts: { channels: [channelId] } };
  await expect(api(account).post('/v1/monitors', fresh)).rejects.toThrow('alerts.channels[0]');
});

it('a change that breaks a rule is refused, even if the stored resource already breaks a rule', async () => {
  const { account, ids } = await setUp(await service.newAccount(), true);
  await breakRules(account);
  const { get, post, put, patch } = api(account);
  const path = `/v1/monitors/${ids.monitors}`;
  const before = await get(path);
  const refusals: readonly (readonly [object, readonly string[]])[] = [
    [{ retries: 9 }, ['retries']],
    [{ name: '', group: 'h'.repeat(200) }, ['group', 'name']],
    [{ tags: [...before.tags, 'one more'] }, ['tags']],
    [{ headers: { 'X-Worse': 'line\nbreak' } }, ['headers.X-Worse']],
    [{ headers: { 'X.Bad': 'another\nbreak' } }, ['headers.X.Bad']],
    [{ assertions: [...before.assertions.slice(0, 20), { type: 'odd' }] }, ['assertions']],
    [{ quorum: 8 }, ['quorum']],
    [{ nonsense: null }, ['nonsense']],
  ];
  for (const [change, paths] of refusals) {
    await expect(pathsRefused(patch(path, change))).resolves.toEqual(
      expect.arrayContaining([...paths]),
    );
    if (!('nonsense' in change)) await pathsRefused(put(path, { ...before, ...change }));
  }
  expect(await get(path)).toEqual(before);
  await pathsRefused(post('/v1/monitors', { ...before, key: 'copy' }));
  const mended = { headers: { 'X.Bad': 'fine' }, tags: ['a'], quorum: 1, group: null };
  expect(await patch(path, mended)).toMatchObject({ tags: ['a'], quorum: 1, group: null });
});

/** Returns the paths of the fields that the refusal names. Fails on any status but 400. */
async function pathsRefused(response: Promise<unknown>): Promise<readonly string[]> {
  const reason: unknown = await response.catch((error: unknown) => error);
  const [, status, body = '{}'] =
    /^(\d+) (.*)$/s.exec(reason instanceof Error ? reason.message : '') ?? [];
  expect(status).toBe('400');
  const { errors = [] }: { errors?: readonly { path: string }[] } = JSON.parse(body);
  return errors.map((error) => error.path);
}

it('saving a value that is already stored creates no version and no event', async () => {
  const account = await service.newAccount();
  const { get, put, patch } = api(account);
  const secret = await put('/v1/secrets/TOKEN', { value: 'the same' });
  expect(await put('/v1/secrets/TOKEN', { value: 'the same' })).toEqual(secret);
  const member = await personOf(service, account.id, 'editor');
  await patch(`/v1/members/${member.id}`, { role: 'editor' });
  const { name } = await get('/v1/account');
  await patch('/v1/account', { name });
  const { data } = await get('/v1/audit-events');
  expect(data.map(({ action }: { action: string }) => action)).toEqual(['secret.put']);
});

describe('a masked URL that is sent back', () => {
  it.each([
    [{ type: 'slack', webhookUrl: 'https://hooks.slack.com/services/T0/B0/x' }, 'webhookUrl'],
    [{ type: 'webhook', url: 'https://hooks.example.com/of/theirs' }, 'url'],
  ])(
    'sending back the masked URL of the channel %j keeps the stored URL',
    async (address, field) => {
      const account = await service.newAccount();
      const { post, patch } = api(account);
      const created = await post('/v1/alert-channels', { name: 'c', ...address });
      const { signingSecret: _secret, ...shown } = created;
      const path = `/v1/alert-channels/${shown.id}`;
      const stored = () => service.services.stores.alertChannels.find(account.id, shown.id);
      const before = await stored();
      expect(await patch(path, { [field]: shown[field] })).toEqual(shown);
      expect(await patch(path, address)).toEqual(shown);
      expect(await stored()).toEqual(before);
      const renamed = await patch(path, { name: 'd', [field]: shown[field] });
      expect(renamed).toMatchObject({ name: 'd', version: 2, [field]: shown[field] });
      expect((await stored())?.places).toEqual(before?.places);
      const elsewhere = { [field]: 'https://elsewhere.example.com/…' };
      await expect(patch(path, elsewhere)).rejects.toThrow('is masked');
      const copied = post('/v1/alert-channels', {
        ...address,
        name: 'copy',
        [field]: shown[field],
      });
      await expect(copied).rejects.toThrow('is masked');
    },
  );
});
