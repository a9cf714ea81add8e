/**
 * Tests incidents over /v1. They are found by state, resource and time, acknowledged once, and have notes.
 *
 * Covers:
 * - services/alerting/incidents
 * - services/alerting/explain-incident
 * - services/alerting/list-alerts
 * - services/alerting/take-hook
 * - services/alerting/silence-incident
 * - services/resources/last-known-state
 */
import { createHmac } from 'node:crypto';
import request from 'supertest';
import { formatInstant } from '../../../src/domain/health/instant-words';
import { monitorRecord } from '../../models/example-records';
import { arranged } from '../arranged';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const HOUR_MS = 3_600_000;
const ANOTHER_ID = 'mon_00000000000000000000000000';

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);
let monitorId: string;
let open: string;
let closed: string;

/** Stores an incident. `closedAfterMs` is null if the incident is still open. */
async function settleIncident(openedAtMs: number, closedAfterMs: number | null): Promise<string> {
  const id = service.services.newId('incident');
  const closedAtMs = closedAfterMs === null ? null : openedAtMs + closedAfterMs;
  const cause = { code: 'assertion_failed', message: 'Expected status 2xx, got 500.' } as const;
  const base = { id, openedAtMs, cause, regions: ['eu-west'], firstRunId: null };
  for (const end of closedAtMs === null ? [null] : [null, closedAtMs]) {
    const incident = { ...base, closedAtMs: end };
    const slotMs = end ?? openedAtMs;
    const record = monitorRecord({ accountId: account.id, monitorId, slotMs, incident });
    await service.recorder.recordMonitorCheck(record);
  }
  return id;
}

const idsAt = async (query: string): Promise<readonly string[]> => {
  const { status, body } = await as().get(`/v1/incidents${query}`);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
};

const TO_SOMEONE = {
  channelId: null as string | null,
  channelType: 'email',
  recipient: 'o***@example.com',
};

async function storeAlert(
  resourceId: string,
  incidentId: string | null,
  place = TO_SOMEONE,
): Promise<string> {
  const id = service.services.newId('alert');
  const createdAtMs = service.clock.nowMs;
  const sent = { attempts: [], sequence: 1, createdAtMs, sentAtMs: createdAtMs, pending: null };
  const what = { kind: 'failure', status: 'sent', resourceId, incidentId } as const;
  await service.services.stores.alerts.save(account.id, {
    id,
    accountId: account.id,
    ...what,
    certificate: null,
    ...place,
    ...sent,
  });
  return id;
}

beforeAll(async () => {
  const target = { name: 'm', url: 'http://example.com' };
  monitorId = (await arranged(as().post('/v1/monitors').send(target))).id;
  const nowMs = service.clock.nowMs;
  closed = await settleIncident(nowMs - 2 * HOUR_MS, HOUR_MS);
  open = await settleIncident(nowMs, null);
});

it('GET /v1/incidents filters by state, resource and opening time', async () => {
  const at = (ms: number) => new Date(service.clock.nowMs + ms).toISOString();
  expect(await idsAt('')).toEqual([open, closed]);
  expect(await idsAt('?state=open')).toEqual([open]);
  expect(await idsAt('?state=resolved')).toEqual([closed]);
  expect(await idsAt(`?resourceId=${monitorId}&state=resolved`)).toEqual([closed]);
  expect(await idsAt(`?to=${at(-HOUR_MS)}`)).toEqual([closed]);
  expect(await idsAt(`?from=${at(-HOUR_MS)}`)).toEqual([open]);
});

it('the explanation of an incident lists failure counts, decisions and deliveries in order of time', async () => {
  const other = await as().post('/v1/monitors').send({ name: 'e', url: 'http://example.com' });
  const { id: resourceId } = other.body;
  const id = service.services.newId('incident');
  const atMs = service.clock.nowMs - 10_000;
  const evidence = {
    slotMs: atMs,
    failures: 2,
    failuresBeforeDown: 2,
    regions: 3,
    failing: 2,
    quorum: 2,
  };
  const cause = { code: 'assertion_failed', message: 'The status is 500.' } as const;
  const by = {
    kind: 'monitor',
    id: monitorId,
    name: 'm',
    incidentId: open,
    untilMs: null,
  } as const;
  const opened = {
    id,
    openedAtMs: atMs,
    closedAtMs: null,
    cause,
    regions: ['eu'],
    firstRunId: null,
    evidence,
  };
  const asked = [{ atMs, reason: 'asks_dependencies' } as const];
  const explained = [...asked, { atMs: atMs + 900, reason: 'dependency' } as const];
  const later = { ...opened, decisions: explained, explainedBy: { ...by, atMs: atMs + 900 } };
  // The last write is a late repeat of the first write, and must not undo the write between them.
  for (const incident of [{ ...opened, decisions: asked }, later, { ...opened, decisions: asked }])
    await service.recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId: resourceId, slotMs: atMs, incident }),
    );
  const { status, body } = await as().get(`/v1/incidents/${id}/explain`);
  expect([status, body.incidentId, body.notified]).toEqual([200, id, false]);
  const texts = body.sentences.map(
    ({ topic, text }: { topic: string; text: string }) => `${topic}: ${text}`,
  );
  expect(texts).toEqual([
    'check: Failed in eu: The status is 500.',
    'check: 2 of 3 regions failed (2 needed); 2 failed checks in a row (2 needed).',
    'dependency: The alert waited, at most 60 s, for a fresh check of what it depends on.',
    'dependency: No alert was sent: it depends on “m”, which was down; its alert covers this one.',
  ]);
  await as().delete(`/v1/monitors/${resourceId}`);
  expect((await as().get('/v1/incidents/inc_00000000000000000000000000/explain')).status).toBe(404);
});

it('the explanation and the timeline of an incident name the channels of its deliveries', async () => {
  const hook = { name: 'On call', type: 'webhook', url: 'https://hooks.example.com/secret' };
  const { body: channel } = await as().post('/v1/alert-channels').send(hook);
  const recipient = 'https://hooks.example.com/***';
  await storeAlert(ANOTHER_ID, closed, {
    channelId: channel.id,
    channelType: 'webhook',
    recipient,
  });
  // Ids sort by time, so the next alert gets a later id.
  service.clock.nowMs += 1;
  await storeAlert(ANOTHER_ID, closed, { ...TO_SOMEONE, channelId: 'chn_gone' });
  const { body } = await as().get(`/v1/incidents/${closed}/explain`);
  const texts = body.sentences.flatMap(({ topic, text }: { topic: string; text: string }) =>
    topic === 'delivery' ? [text] : [],
  );
  expect(texts).toEqual([
    'The failure alert to On call was sent.',
    'The failure alert to o***@example.com was sent.',
  ]);
  const told = await as().get(`/v1/incidents/${closed}`);
  const entries = told.body.timeline.map(
    ({ kind, channelName }: { kind: string; channelName: string | null }) => [kind, channelName],
  );
  expect(entries.toSorted()).toEqual([
    ['alert', null],
    ['alert', 'On call'],
    ['opened', null],
    ['recovered', null],
  ]);
});

it('a closed incident shows its duration', async () => {
  const { body } = await as().get(`/v1/incidents/${closed}`);
  expect(body).toMatchObject({ state: 'resolved', durationSeconds: 3600, resourceName: 'm' });
});

it('an acknowledgement is refused while Temporal is away', async () => {
  for (const away of ['ping', 'work'] as const) {
    service.gateway.away = away;
    const refused = await as().post(`/v1/incidents/${open}/acknowledge`);
    expect(refused.status).toBe(503);
    expect(refused.body.code).toBe('unavailable');
  }
  service.gateway.away = null;
  expect((await as().get(`/v1/incidents/${open}`)).body.acknowledgedAt).toBeNull();
});

it('the workflow receives an acknowledgement of an open incident before the response is sent', async () => {
  const acknowledged = () => service.gateway.calls.filter(({ name }) => name === 'silence').length;
  const before = acknowledged();
  expect((await as().post(`/v1/incidents/${open}/acknowledge`)).status).toBe(200);
  expect(acknowledged()).toBe(before + 1);
  expect((await as().post(`/v1/incidents/${closed}/acknowledge`)).status).toBe(200);
  expect(acknowledged()).toBe(before + 1);
});

describe('acknowledging and snoozing an incident', () => {
  const at = (action: string, body: object = {}) =>
    as().post(`/v1/incidents/${open}/${action}`).send(body);
  const handedOver = () => service.gateway.calls.findLast(({ name }) => name === 'silence');

  it('an incident is open again after its acknowledgement has been undone', async () => {
    const first = await at('acknowledge');
    expect(first.body).toMatchObject({ state: 'acknowledged' });
    expect(await idsAt('?state=acknowledged')).toEqual([open]);
    expect(await idsAt('?state=open')).toEqual([]);
    expect(await idsAt('?state=unresolved')).toEqual([open]);
    const before = handedOver()?.silence?.sequence ?? 0;
    const again = await at('unacknowledge');
    expect(again.body).toMatchObject({ state: 'open', acknowledgedAt: null, acknowledgedBy: null });
    expect(handedOver()?.silence).toMatchObject({ sequence: before + 1, isAcknowledged: false });
    expect((await at('unacknowledge')).body).toEqual(again.body);
  });

  it('if two people acknowledge an incident at once, the first acknowledgement wins and the second gets a 200', async () => {
    await at('unacknowledge');
    const responses = await Promise.all([
      at('acknowledge', { note: 'mine' }),
      at('acknowledge', { note: 'mine' }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await as().get(`/v1/incidents/${open}`);
    const [one, two] = responses.map((response) => response.body.acknowledgedAt);
    expect([one, two]).toEqual([body.acknowledgedAt, body.acknowledgedAt]);
    expect(body.notes.filter(({ text }: { text: string }) => text === 'mine')).toHaveLength(1);
  });

  it('a snoozed incident shows who snoozed it and why, and is open again at the given time', async () => {
    const { status, body } = await at('snooze', {
      minutes: 60,
      reason: 'The provider works on it.',
    });
    expect(status).toBe(200);
    const until = new Date(service.clock.nowMs + HOUR_MS).toISOString();
    expect(body).toMatchObject({
      state: 'open',
      acknowledgedAt: null,
      snoozedUntil: until,
      snoozedBy: 'test (API key)',
      snoozeReason: 'The provider works on it.',
    });
    expect(body.timeline).toContainEqual(expect.objectContaining({ kind: 'snoozed' }));
    expect(handedOver()?.silence).toMatchObject({ snoozedUntilMs: Date.parse(until) });
    service.clock.nowMs += HOUR_MS;
    expect((await as().get(`/v1/incidents/${open}`)).body.snoozedUntil).toBeNull();
  });

  it('an incident can be snoozed without a reason', async () => {
    const { status, body } = await at('snooze', { minutes: 60 });
    expect([status, body.snoozeReason]).toEqual([200, null]);
    expect(body.timeline.at(-1).text).toBe(
      `Snoozed by test (API key) until ${formatInstant(Date.parse(body.snoozedUntil))}`,
    );
  });

  it('a snooze that is too short, and changes of a closed incident, are refused', async () => {
    const refused = await at('snooze', { minutes: 4, reason: 'x'.repeat(501) });
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'minutes',
      'reason',
    ]);
    for (const action of ['snooze', 'unacknowledge']) {
      const body = action === 'snooze' ? { minutes: 5, reason: 'x' } : {};
      const over = await as().post(`/v1/incidents/${closed}/${action}`).send(body);
      expect([over.status, over.body.code]).toEqual([409, 'already_finished']);
    }
  });

  it('acknowledging and snoozing change nothing while Temporal is away', async () => {
    await at('unacknowledge');
    service.gateway.away = 'work';
    for (const [action, body] of [
      ['acknowledge', {}],
      ['snooze', { minutes: 5, reason: 'x' }],
    ] as const)
      expect((await at(action, body)).status).toBe(503);
    service.gateway.away = null;
    const { body } = await as().get(`/v1/incidents/${open}`);
    expect(body).toMatchObject({ state: 'open', acknowledgedAt: null, snoozedUntil: null });
  });
});

it('an incident keeps the first person who acknowledged it, and all notes in order', async () => {
  const first = await as().post(`/v1/incidents/${open}/acknowledge`);
  service.clock.nowMs += 1_000;
  const second = await as().post(`/v1/incidents/${open}/acknowledge`);
  expect(second.body.acknowledgedAt).toBe(first.body.acknowledgedAt);
  for (const text of ['one', 'two']) await as().post(`/v1/incidents/${open}/notes`).send({ text });
  const { body } = await as().get(`/v1/incidents/${open}`);
  expect(body.notes.map(({ text }: { text: string }) => text).slice(-2)).toEqual(['one', 'two']);
});

describe('an acknowledgement sent by another service', () => {
  const SECRET = 'a-long-hook-secret';
  const channelOf = async (body: object): Promise<string> => {
    const made = await as()
      .post('/v1/alert-channels')
      .send({ name: 'On call', webhookSecret: SECRET, ...body });
    expect([made.status, made.text.includes(SECRET)]).toEqual([201, false]);
    return made.body.id;
  };
  const pagerduty = async (id: string, body: object | string, secret = SECRET) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const signature = createHmac('sha256', secret).update(text).digest('hex');
    return request(service.app)
      .post(`/hooks/${id}`)
      .set({ 'content-type': 'application/json', 'x-pagerduty-signature': `v1=00,v1=${signature}` })
      .send(text);
  };
  const event = (type: string, key = open) => ({
    event: {
      event_type: `incident.${type}`,
      agent: { type: 'user_reference', summary: 'Ann' },
      data: { incident_key: key },
    },
  });
  const incident = async () => (await as().get(`/v1/incidents/${open}`)).body;

  beforeEach(async () => {
    await as().post(`/v1/incidents/${open}/unacknowledge`);
  });
  afterAll(async () => {
    await as().post(`/v1/incidents/${open}/acknowledge`);
  });

  it('an acknowledgement from PagerDuty is verified by its signature and names the person', async () => {
    const id = await channelOf({ type: 'pagerduty', routingKey: 'key' });
    expect((await pagerduty(id, event('acknowledged'))).status).toBe(204);
    const acknowledged = await incident();
    expect(acknowledged).toMatchObject({
      state: 'acknowledged',
      acknowledgedBy: 'Ann (On call)',
    });
    expect((await pagerduty(id, event('acknowledged'))).status).toBe(204);
    expect(await incident()).toEqual(acknowledged);
    expect((await pagerduty(id, event('unacknowledged'))).status).toBe(204);
    expect(await incident()).toMatchObject({ state: 'open', acknowledgedBy: null });
  });

  it('an acknowledgement from Jira Service Management is verified by the secret in a header', async () => {
    const id = await channelOf({ type: 'jira', apiKey: 'key' });
    const body = { action: 'Acknowledge', alert: { alias: open, username: 'ann@example.com' } };
    const send = (secret: string) =>
      request(service.app).post(`/hooks/${id}`).set('authorization', `Bearer ${secret}`).send(body);
    expect((await send('wrong')).status).toBe(404);
    expect(await incident()).toMatchObject({ state: 'open' });
    expect((await send(SECRET)).status).toBe(204);
    expect(await incident()).toMatchObject({ acknowledgedBy: 'ann@example.com (On call)' });
  });

  it('an acknowledgement by another service gets the same 404 for a wrong secret and an unknown channel', async () => {
    const signed = await channelOf({ type: 'pagerduty', routingKey: 'key' });
    const without = await channelOf({ type: 'pagerduty', routingKey: 'k', webhookSecret: null });
    const refusals = [
      await pagerduty(signed, event('acknowledged'), 'another-secret'),
      await pagerduty(without, event('acknowledged'), ''),
      await pagerduty(service.services.newId('channel'), event('acknowledged')),
      await pagerduty('nothing', event('acknowledged')),
    ];
    const { requestId: _, ...problem } = refusals[0]?.body ?? {};
    for (const { status, body } of refusals)
      expect([status, body]).toEqual([404, { ...problem, requestId: expect.any(String) }]);
    expect(await incident()).toMatchObject({ state: 'open' });
  });

  it('an acknowledgement by another service is ignored for other events and unknown incidents', async () => {
    const id = await channelOf({ type: 'pagerduty', routingKey: 'key' });
    const theirs = service.services.newId('incident');
    for (const body of [event('resolved'), event('acknowledged', theirs), 'no JSON', '[]', {}])
      expect((await pagerduty(id, body)).status).toBe(204);
    expect((await pagerduty(id, event('acknowledged', closed))).status).toBe(204);
    expect(await incident()).toMatchObject({ state: 'open' });
    service.gateway.away = 'work';
    expect((await pagerduty(id, event('acknowledged'))).status).toBe(503);
    service.gateway.away = null;
    expect(await incident()).toMatchObject({ state: 'open' });
    expect((await request(service.app).get(`/hooks/${id}`)).status).toBe(405);
    expect((await pagerduty(id, 'x'.repeat(300_000))).status).toBe(413);
  });
});

describe('GET /v1/alerts', () => {
  it('GET /v1/alerts lists all alerts of a monitor, with and without an incident, page by page', async () => {
    const own: string[] = [];
    for (const incidentId of [closed, 'inc_another', null, 'inc_another', closed]) {
      own.unshift(await storeAlert(monitorId, incidentId));
      await storeAlert(ANOTHER_ID, incidentId);
    }
    const found: string[] = [];
    let next: string | null = `/v1/alerts?resourceId=${monitorId}&limit=2`;
    while (next !== null) {
      const { status, body } = await as().get(next);
      expect(status).toBe(200);
      found.push(...body.data.map(({ id }: { id: string }) => id));
      const cursor: string | null = body.nextCursor;
      next = cursor === null ? null : `/v1/alerts?resourceId=${monitorId}&limit=2&cursor=${cursor}`;
    }
    expect(found).toEqual(own);
    const elsewhere = await service.newAccount();
    const { body } = await request(service.app)
      .get(`/v1/alerts?resourceId=${monitorId}`)
      .set('Authorization', `Bearer ${elsewhere.key}`);
    expect(body.data).toEqual([]);
  });
});

describe('an open incident whose workflow was lost, after an edit or a check of its monitor', () => {
  const path = () => `/v1/monitors/${monitorId}`;
  const lastLost = () => service.gateway.calls.findLast(({ id }) => id === monitorId)?.lost;

  it('an open incident whose workflow was lost sends an alert if none was recorded', async () => {
    await as().patch(path()).send({ name: 'edited' });
    expect(lastLost()).toMatchObject({
      alerts: { notices: [], silence: { incidentId: open }, incident: { id: open } },
    });
  });

  const notified = () => ({
    notices: [{ kind: 'failure', incident: { id: open } }],
    incident: { id: open },
  });

  it('an open incident whose workflow was lost sends no second alert if one was recorded', async () => {
    await storeAlert(monitorId, open);
    await as().patch(path()).send({ name: 'edited again' });
    expect(lastLost()).toMatchObject({ alerts: notified() });
    await as().post(`${path()}/run`);
    expect(lastLost()).toMatchObject({ alerts: notified() });
  });
});
