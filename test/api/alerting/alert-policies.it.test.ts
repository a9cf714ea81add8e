/**
 * Tests alert policies over /v1: validation, recipients, simulation, and policies in applied sets.
 *
 * Covers:
 * - services/apply/apply-whole
 * - services/alerting/alert-policies
 * - services/alerting/find-policy
 * - services/alerting/policy-contacts
 * - services/accounts/named-in-policies
 * - services/alerting/simulate-policy
 * - services/alerting/explain-incident
 * - services/alerting/alert-routes
 * - services/alerting/choose-policy
 * - services/alerting/simulate-routes
 */
import request from 'supertest';
import type { AlertMessage } from '../../../src/contracts/alerts';
import type { EscalationState } from '../../../src/contracts/escalation';
import { beginEscalation, notifyDue } from '../../../src/domain/alerting/escalation-course';
import { findPolicy, readEscalationStatus } from '../../../src/services/alerting/find-policy';
import { monitorRecord } from '../../models/example-records';
import { buildAlert } from '../../support/alert-message';
import { personOf } from '../people';
import { accountOfSuite, agentOf, suiteService, type TestAccount } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);
let channelId: string;
let member: { readonly id: string; readonly email: string };

const policy = (changes: object = {}) => ({
  key: 'on-call',
  name: 'On call',
  steps: [
    { afterMinutes: 0, notify: ['chat'] },
    { afterMinutes: 15, notify: [member.email, 'chat'], repeat: { everyMinutes: 10, times: 1 } },
  ],
  ...changes,
});

function alertOf(accountId: string, resourceId: string): AlertMessage {
  return buildAlert({
    accountId,
    incidentId: 'inc_00000000000000000000000000',
    resourceId,
  });
}

beforeAll(async () => {
  const made = await as()
    .post('/v1/alert-channels')
    .send({ name: 'Chat', key: 'chat', type: 'email', emails: ['a@example.com'] });
  channelId = made.body.id;
  const { id } = await personOf(service, account.id, 'editor');
  const found = await as().get(`/v1/members/${id}`);
  member = { id, email: found.body.email };
});

it('an alert policy shows channels and members by id, even if the request named them by key and email', async () => {
  const made = await as().post('/v1/alert-policies').send(policy());
  expect(made.status).toBe(201);
  expect(made.body.steps.map(({ notify }: { notify: string[] }) => notify)).toEqual([
    [channelId],
    [member.id, channelId],
  ]);
  const path = `/v1/alert-policies/${made.body.id}`;
  expect((await as().put(path).send(made.body)).body).toEqual(made.body);
  expect((await as().patch(path).send({ name: 'Nights' })).body).toMatchObject({
    name: 'Nights',
    version: 2,
  });
  const renamed = await as().patch(path).send({ key: 'another' });
  expect(renamed.body.errors).toEqual([expect.objectContaining({ path: 'key' })]);
  expect((await as().post('/v1/alert-policies').send(policy())).body.code).toBe('key_taken');
});

it('the refusal of an alert policy lists all its problems', async () => {
  const steps = [
    { afterMinutes: 10, notify: [] },
    { afterMinutes: 10, notify: ['chat'] },
    { afterMinutes: 2_000, notify: ['chat'] },
  ];
  const quietHours = { timeZone: 'Nowhere', days: [], from: '25:00', to: '06:00' };
  const refused = await as()
    .post('/v1/alert-policies')
    .send(policy({ key: 'k', steps, quietHours }));
  expect(refused.status).toBe(400);
  expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'steps[0].notify',
    'steps[2].afterMinutes',
    'quietHours.timeZone',
    'quietHours.days',
    'quietHours.from',
    'steps[1].afterMinutes',
  ]);
  const strangers = {
    steps: [{ afterMinutes: 0, notify: ['chat', 'nobody'] }],
    lastResort: member.id,
  };
  const unknown = await as()
    .post('/v1/alert-policies')
    .send(policy({ key: 'k', ...strangers }));
  expect(unknown.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'steps[0].notify[1]',
    'lastResort',
  ]);
});

it('an alert policy cannot name a member without an email address for alerts', async () => {
  const { users } = service.database.database.models;
  const id = service.services.newId('user');
  await service.services.stores.users.create(account.id, {
    id,
    accountId: account.id,
    personId: service.services.newId('person'),
    email: 'operator',
    role: 'viewer',
    createdAtMs: 0,
    joinedAtMs: 0,
  });
  const steps = [{ afterMinutes: 0, notify: [id] }];
  const refused = await as()
    .post('/v1/alert-policies')
    .send(policy({ key: 'k', steps }));
  expect(refused.status).toBe(400);
  expect(refused.body.errors[0]).toMatchObject({ path: 'steps[0].notify[0]' });
  await users.deleteOne({ _id: id });
});

it('a channel or member that an alert policy names cannot be deleted', async () => {
  for (const path of [`/v1/alert-channels/${channelId}`, `/v1/members/${member.id}`]) {
    const refused = await as().delete(path);
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.detail).toContain('on-call');
    expect((await as().get(path)).status).toBe(200);
  }
});

it('a simulation of an alert policy lists who would be notified and when', async () => {
  const { body } = await as().get('/v1/alert-policies');
  const path = `/v1/alert-policies/${body.data[0].id}`;
  const at = '2026-11-20T12:00:00.000Z';
  const simulate = async (more: object) =>
    (
      await as()
        .post(`${path}/simulate`)
        .send({ at, ...more })
    ).body;
  const shown = (await simulate({})).notifications.map(
    ({ at: when, step, kind, notify }: Record<string, never[]>) => [
      when,
      step,
      kind,
      notify?.map(({ name }: { name: string }) => name),
    ],
  );
  expect(shown).toEqual([
    ['2026-11-20T12:00:00.000Z', 1, 'failure', ['Chat']],
    ['2026-11-20T12:15:00.000Z', 2, 'failure', [member.email]],
    ['2026-11-20T12:15:00.000Z', 2, 'reminder', ['Chat']],
    ['2026-11-20T12:25:00.000Z', 2, 'reminder', [member.email, 'Chat']],
  ]);
  expect(await simulate({ kind: 'certificate' })).toEqual({
    isEscalated: false,
    notifications: [],
  });
  const quietHours = {
    timeZone: 'UTC',
    days: ['fri'],
    from: '11:00',
    to: '13:00',
    except: ['vip'],
  };
  await as().patch(path).send({ quietHours });
  expect((await simulate({})).notifications[0].at).toBe('2026-11-20T13:00:00.000Z');
  expect((await simulate({ tags: ['vip'] })).notifications[0].at).toBe(at);
});

it('an escalation follows the policy of its monitor, waits while the monitor is paused, and ends with its deletion', async () => {
  const { stores, sealers } = service.services;
  const needs = { stores, sealer: sealers.stored };
  const monitor = { name: 'm', url: 'https://example.com/', tags: ['vip'] };
  const made = await as()
    .post('/v1/monitors')
    .send({ ...monitor, alerts: { policy: 'on-call' } });
  const about = alertOf(account.id, made.body.id);
  const plan = await findPolicy(needs, about);
  expect(plan?.steps.map(({ contacts }) => contacts.map(({ id }) => id))).toEqual([
    [channelId],
    [member.id, channelId],
  ]);
  // The policy has no quiet hours for the tag of this resource.
  expect(plan?.quietHours).toBeNull();
  const status = async () => (await readEscalationStatus(needs, about, service.clock.nowMs)).state;
  expect(await status()).toBe('open');
  await as().post(`/v1/monitors/${made.body.id}/pause`);
  expect(await status()).toBe('hold');
  await as().delete(`/v1/monitors/${made.body.id}`);
  expect(await status()).toBe('gone');
  expect(await findPolicy(needs, about)).toBeNull();
});

it('the explanation of an incident lists the notifications of its policy', async () => {
  const { stores, sealers, newId } = service.services;
  const needs = { stores, sealer: sealers.stored };
  const monitor = { name: 'm', url: 'https://example.com/', alerts: { policy: 'on-call' } };
  const { body } = await as().post('/v1/monitors').send(monitor);
  const nowMs = service.clock.nowMs;
  const incident = {
    id: newId('incident'),
    openedAtMs: nowMs,
    closedAtMs: null,
    cause: null,
    regions: [],
    firstRunId: null,
    decisions: [{ atMs: nowMs, reason: 'notified' }] as const,
  };
  const ids = { accountId: account.id, monitorId: body.id };
  await service.recorder.recordMonitorCheck(monitorRecord({ ...ids, slotMs: nowMs, incident }));
  const explained = async () => (await as().get(`/v1/incidents/${incident.id}/explain`)).body;
  expect((await explained()).escalation).toBeNull();
  const alert = { ...alertOf(account.id, body.id), incidentId: incident.id };
  const plan = await findPolicy(needs, alert);
  if (plan === null) throw new Error('there is no policy');
  const begun = beginEscalation(alert, { ...plan, quietHours: null }, nowMs);
  const save = async (state: EscalationState, sequence: number): Promise<void> => {
    const record = { accountId: account.id, incidentId: incident.id };
    await stores.escalations.save(account.id, { ...record, state: { ...state, sequence } });
  };
  await save(begun, 1);
  expect((await explained()).notified).toBe(false);
  await save(notifyDue(begun, nowMs).state, 2);
  expect((await explained()).notified).toBe(true);
  const shown = async () => {
    const { escalation, sentences } = await explained();
    return {
      states: escalation.notifications.map((one: { state: string }) => one.state),
      texts: sentences.flatMap(({ topic, text }: { topic: string; text: string }) =>
        topic === 'policy' ? [text] : [],
      ),
    };
  };
  const past = [
    'Escalated by the alert policy “Nights” (set on the check).',
    'Step 1 began: Chat.',
  ];
  expect(await shown()).toEqual({
    states: ['sent', 'planned', 'planned'],
    texts: [
      ...past,
      `Step 2 will be sent unless someone responds: ${member.email}; Chat (again).`,
      `Step 2 will be sent unless someone responds: ${member.email}, Chat (again).`,
    ],
  });
  await as().post(`/v1/incidents/${incident.id}/acknowledge`).send({});
  expect(await shown()).toEqual({
    states: ['sent', 'waiting', 'waiting'],
    texts: [...past, 'Waiting because the incident is acknowledged: step 2 (2 times).'],
  });
  const closed = { ...incident, closedAtMs: nowMs + 60_000 };
  const later = { ...ids, slotMs: nowMs + 60_000, incident: closed, currentIncidentId: null };
  await service.recorder.recordMonitorCheck(monitorRecord(later));
  expect((await shown()).states).toEqual(['sent', 'skipped', 'skipped']);
  await as().delete(`/v1/monitors/${body.id}`);
  expect(await stores.escalations.find(account.id, incident.id)).toBeNull();
});

it('a resource that names a deleted alert policy can be saved, but a new resource cannot name an unknown policy', async () => {
  const monitor = { name: 'm', url: 'https://example.com/' };
  const refused = await as()
    .post('/v1/monitors')
    .send({ ...monitor, alerts: { policy: 'nothing' } });
  expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'alerts.policy' })]);
  const made = await as()
    .post('/v1/monitors')
    .send({ ...monitor, alerts: { policy: 'on-call' } });
  expect(made.body.alerts.policy).toBe('on-call');
  const { body } = await as().get('/v1/alert-policies');
  expect((await as().delete(`/v1/alert-policies/${body.data[0].id}`)).status).toBe(204);
  const path = `/v1/monitors/${made.body.id}`;
  expect((await as().put(path).send(made.body)).status).toBe(200);
});

it('an alert policy is applied together with its channel and monitor, and exported unchanged', async () => {
  const other = await service.newAccount();
  const with_ = () => request.agent(service.app).set('Authorization', `Bearer ${other.key}`);
  const set = {
    alertChannels: [{ key: 'chat', name: 'Chat', type: 'email', emails: ['a@example.com'] }],
    alertPolicies: [
      {
        key: 'on-call',
        name: 'On call',
        steps: [{ afterMinutes: 0, notify: ['chat'] }],
        lastResort: 'chat',
      },
    ],
    monitors: [{ key: 'm', name: 'm', url: 'https://example.com/', alerts: { policy: 'on-call' } }],
  };
  const applied = await with_().post('/v1/apply').send(set);
  expect(applied.body.summary).toMatchObject({ create: 3, failed: 0 });
  const exported = (await with_().get('/v1/export')).body;
  expect(exported.alertPolicies).toEqual([
    {
      key: 'on-call',
      name: 'On call',
      steps: [{ afterMinutes: 0, notify: ['chat'], until: 'acknowledged', repeat: null }],
      lastResort: 'chat',
    },
  ]);
  const again = await with_().post('/v1/apply').send(exported);
  expect(again.body.summary).toMatchObject({ create: 0, update: 0, failed: 0, unchanged: 3 });
});

describe('alert routes', () => {
  let own: TestAccount;
  const by = () => request.agent(service.app).set('Authorization', `Bearer ${own.key}`);
  const AT = '2026-11-20T12:00:00.000Z';
  const base = { url: 'https://example.com/' };
  const simulate = (resourceId: string) =>
    by().post('/v1/alert-routes/simulate').send({ resourceId, at: AT });

  beforeAll(async () => {
    own = await service.newAccount();
    const chat = { name: 'Chat', key: 'chat', type: 'email', emails: ['a@example.com'] };
    await by().post('/v1/alert-channels').send(chat);
    for (const key of ['nights', 'days'])
      await by()
        .post('/v1/alert-policies')
        .send({ key, name: key, steps: [{ afterMinutes: 0, notify: ['chat'] }] });
  });

  it('alert routes are replaced as a whole, and are unchanged by a PUT of their GET response', async () => {
    expect((await by().get('/v1/alert-routes')).body).toEqual({
      version: 0,
      routes: [],
      updatedAt: null,
    });
    const refused = await by()
      .put('/v1/alert-routes')
      .send({
        routes: [
          { match: { tags: [''], type: 'page' }, policy: 'Nights' },
          { policy: null },
          { match: { groups: ['shop'] }, policy: 'nights' },
        ],
      });
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'routes[0].match.tags[0]',
      'routes[0].match.type',
      'routes[0].policy',
      'routes[2]',
    ]);
    const unknown = await by()
      .put('/v1/alert-routes')
      .send({
        routes: [
          { match: { tags: ['a'] }, policy: 'nobody' },
          { match: { tags: ['b'] }, policy: 'never' },
        ],
      });
    expect(unknown.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'routes[0].policy',
      'routes[1].policy',
    ]);
    expect((await by().get('/v1/alert-routes')).body.version).toBe(0);
    const set = await by()
      .put('/v1/alert-routes')
      .send({
        routes: [
          { match: { groups: ['internal'] }, policy: null },
          { match: { tags: ['pay', 'pay'], type: 'monitor' }, policy: 'nights' },
          { match: {}, policy: 'days' },
        ],
      });
    expect(set.body).toMatchObject({ version: 1, routes: [{}, { match: { tags: ['pay'] } }, {}] });
    expect((await by().put('/v1/alert-routes').send(set.body)).body).toEqual(set.body);
    const stale = await by().put('/v1/alert-routes').set('If-Match', '"0"').send({ routes: [] });
    expect(stale.body.code).toBe('version_mismatch');
  });

  it('an alert route chooses the policy of a resource without a policy, and the simulation names the route', async () => {
    const steps = [{ name: 'a', ...base }];
    const made = async (path: string, body: object): Promise<string> =>
      (await by().post(path).send(body)).body.id;
    const monitor = await made('/v1/monitors', { ...base, name: 'm', tags: ['pay'] });
    const scenario = await made('/v1/scenarios', { steps, name: 's', tags: ['pay'] });
    const heartbeat = { type: 'heartbeat', name: 'h', schedule: { everySeconds: 60 } };
    const silent = { ...heartbeat, group: 'internal/jobs' };
    const named = { ...base, name: 'n', group: 'internal', alerts: { policy: 'nights' } };
    const chosen = async (id: string) => {
      const { body } = await simulate(id);
      return [body.policy?.key ?? null, body.chosenBy, body.route, body.notifications?.length];
    };
    expect(await chosen(monitor)).toEqual(['nights', 'route', 2, 1]);
    expect(await chosen(scenario)).toEqual(['days', 'route', 3, 1]);
    expect(await chosen(await made('/v1/monitors', silent))).toEqual([null, 'route', 1, 0]);
    expect(await chosen(await made('/v1/monitors', named))).toEqual([
      'nights',
      'resource',
      null,
      1,
    ]);
    // The same routes apply to resources that are not saved yet.
    const simulated = async (resource: object) => {
      const body = { resource, at: AT };
      const { body: found } = await by().post('/v1/alert-routes/simulate').send(body);
      return [found.policy?.key ?? null, found.chosenBy, found.route, found.notifications?.length];
    };
    const pay = { url: base.url, tags: ['pay'] };
    expect(await simulated({ ...pay, type: 'monitor' })).toEqual(['nights', 'route', 2, 1]);
    expect(await simulated({ ...pay, type: 'scenario' })).toEqual(['days', 'route', 3, 1]);
    const internal = { type: 'heartbeat', group: 'internal/jobs' };
    expect(await simulated(internal)).toEqual([null, 'route', 1, 0]);
    for (const given of [{}, { resourceId: monitor, resource: internal }]) {
      const refused = await by()
        .post('/v1/alert-routes/simulate')
        .send({ ...given, at: AT });
      expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: 'resourceId' }]]);
    }
    const { stores, sealers } = service.services;
    const needs = { stores, sealer: sealers.stored };
    const plan = await findPolicy(needs, alertOf(own.id, monitor));
    expect([plan?.policyName, plan?.route]).toEqual(['nights', 2]);
  });

  it('a policy that an alert route names cannot be deleted', async () => {
    const { body } = await by().get('/v1/alert-policies');
    const refused = await by().delete(`/v1/alert-policies/${body.data[0].id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'routes[2]' })]);
  });

  it('alert routes are hidden from read-only keys and from another account', async () => {
    const reader = await by()
      .post('/v1/api-keys')
      .send({ name: 'r', scopes: ['read'] });
    const refused = await request(service.app)
      .put('/v1/alert-routes')
      .set('Authorization', `Bearer ${reader.body.key}`)
      .send({ routes: [] });
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    const { body } = await by().get('/v1/monitors');
    expect((await as().get('/v1/alert-routes')).body.routes).toEqual([]);
    const others = await as()
      .post('/v1/alert-routes/simulate')
      .send({ resourceId: body.data[0].id, at: AT });
    expect(others.body.errors).toEqual([expect.objectContaining({ path: 'resourceId' })]);
    await as().put('/v1/alert-routes').send({ routes: [] });
    expect((await by().get('/v1/alert-routes')).body.routes).toHaveLength(3);
  });

  it('alert routes are applied together with their policies, exported in order, and removed by a prune', async () => {
    const exported = (await by().get('/v1/export')).body;
    expect(exported.alertRoutes).toEqual([
      { match: { groups: ['internal'] }, policy: null },
      { match: { tags: ['pay'], type: 'monitor' }, policy: 'nights' },
      { match: {}, policy: 'days' },
    ]);
    const again = await by().post('/v1/apply').send(exported);
    expect(again.body.summary).toMatchObject({ create: 0, update: 0, failed: 0 });
    own = await service.newAccount();
    const { alertChannels, alertPolicies, alertRoutes } = exported;
    const wrong = [...alertRoutes.slice(0, 2), { match: {}, policy: 'nobody' }];
    const apply = async (set: object) => (await by().post('/v1/apply').send(set)).body;
    const refused = await apply({ alertChannels, alertPolicies, alertRoutes: wrong, dryRun: true });
    expect(refused.objects.at(-1)).toMatchObject({
      kind: 'alertRoutes',
      outcome: 'failed',
      problem: { errors: [{ path: 'routes[2].policy' }] },
    });
    const made = await apply({ alertChannels, alertPolicies, alertRoutes });
    expect(made.summary).toMatchObject({ create: 4, failed: 0 });
    const turned = await apply({ alertRoutes: alertRoutes.slice(0, 2).reverse() });
    expect(turned.summary).toMatchObject({ update: 1, failed: 0 });
    expect((await by().get('/v1/export')).body.alertRoutes).toEqual(
      alertRoutes.slice(0, 2).reverse(),
    );
    const pruned = await apply({ alertChannels, prune: true });
    expect(pruned.summary).toMatchObject({ delete: 3, failed: 0 });
    expect((await by().get('/v1/alert-routes')).body.routes).toEqual([]);
  });
});
