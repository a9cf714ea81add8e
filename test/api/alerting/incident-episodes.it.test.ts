/**
 * Tests incidents with several episodes over /v1: a check that recovers and soon fails again has one incident. Also
 * tests repeated and late events of PagerDuty: each event counts once, and only within an hour.
 *
 * Covers:
 * - services/alerting/whole-incident
 * - services/alerting/present-incident
 */

import { createHmac } from 'node:crypto';
import request from 'supertest';
import type { AlertDecision, IncidentRecord } from '../../../src/contracts/records';
import { buildAcknowledgeUrl } from '../../../src/notify/acknowledge-link';
import { monitorRecord } from '../../models/example-records';
import { arranged } from '../arranged';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

type Reason = AlertDecision['reason'];

const MINUTE_MS = 60_000;

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);
let monitorId: string;
/** Ids of three episodes: 30 to 20 minutes ago, 18 to 10 minutes ago, and open since one minute ago. */
let ids: readonly string[];

const instant = (minutesAgo: number): string =>
  new Date(service.clock.nowMs - minutesAgo * MINUTE_MS).toISOString();

async function fail(fromMinutesAgo: number, toMinutesAgo: number | null): Promise<string> {
  const id = service.services.newId('incident');
  const openedAtMs = service.clock.nowMs - fromMinutesAgo * MINUTE_MS;
  const closedAtMs = toMinutesAgo === null ? null : service.clock.nowMs - toMinutesAgo * MINUTE_MS;
  const cause = { code: 'assertion_failed', message: `Failed at ${fromMinutesAgo}.` } as const;
  const decisions = [{ atMs: openedAtMs, reason: 'notified' as const }];
  const base = { id, openedAtMs, cause, regions: ['eu-west'], firstRunId: null, decisions };
  for (const end of closedAtMs === null ? [null] : [null, closedAtMs]) {
    const incident = { ...base, closedAtMs: end };
    const slotMs = end ?? openedAtMs;
    await service.recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId, slotMs, incident }),
    );
  }
  return id;
}

async function storeAlert(incidentId: string, kind: 'failure' | 'recovery'): Promise<string> {
  const id = service.services.newId('alert');
  const createdAtMs = service.clock.nowMs;
  await service.services.stores.alerts.save(account.id, {
    id,
    accountId: account.id,
    kind,
    status: 'sent',
    resourceId: monitorId,
    incidentId,
    certificate: null,
    channelId: null,
    channelType: 'email',
    recipient: 'o***@example.com',
    attempts: [],
    sequence: 1,
    createdAtMs,
    sentAtMs: createdAtMs,
    pending: null,
  });
  return id;
}

const read = async (id: string) => {
  const { status, body } = await as().get(`/v1/incidents/${id}`);
  expect(status).toBe(200);
  return body;
};
const first = () => ids[0] ?? '';
const last = () => ids.at(-1) ?? '';

beforeAll(async () => {
  const made = await arranged(
    as().post('/v1/monitors').send({ name: 'm', url: 'http://example.com' }),
  );
  monitorId = made.id;
  ids = [await fail(30, 20), await fail(18, 10), await fail(7, null)];
});

it('an incident with several episodes is listed once, and found by the id of any episode', async () => {
  const { body } = await as().get('/v1/incidents');
  expect(body.data).toHaveLength(1);
  for (const id of ids) expect(await read(id)).toEqual(body.data[0]);
  expect(body.data[0]).toMatchObject({
    id: first(),
    state: 'open',
    openedAt: instant(30),
    closedAt: null,
    durationSeconds: (10 + 8 + 7) * 60,
    cause: { message: 'Failed at 7.' },
    episodeCount: 3,
    episodes: [
      { id: ids[0], startedAt: instant(30), resolvedAt: instant(20), durationSeconds: 600 },
      { id: ids[1], startedAt: instant(18), resolvedAt: instant(10), durationSeconds: 480 },
      { id: ids[2], startedAt: instant(7), resolvedAt: null, durationSeconds: 420 },
    ],
  });
  const kinds = body.data[0].timeline.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(['opened', 'recovered', 'opened', 'recovered', 'opened']);
});

it('an incident with several episodes is found by its current state and by the start time of each episode', async () => {
  const found = async (query: string): Promise<number> =>
    (await as().get(`/v1/incidents?${query}`)).body.data.length;
  expect(await found('state=open')).toBe(1);
  expect(await found('state=resolved')).toBe(0);
  expect(await found(`from=${instant(10)}`)).toBe(1);
  expect(await found(`from=${instant(5)}`)).toBe(0);
  expect(await found(`to=${instant(25)}`)).toBe(1);
  expect(await found(`to=${instant(31)}`)).toBe(0);
});

it('an incident with several episodes lists the alerts of all episodes', async () => {
  const sent = [await storeAlert(first(), 'failure'), await storeAlert(last(), 'failure')];
  expect((await read(last())).alerts).toEqual(sent);
  const { body } = await as().get(`/v1/alerts?incidentId=${first()}`);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(sent.toReversed());
  for (const id of ids) {
    const explained = await as().get(`/v1/incidents/${id}/explain`);
    expect(explained.body).toMatchObject({ incidentId: first(), notified: true });
    const times = explained.body.sentences.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
    const failed = explained.body.sentences.filter(({ text }: { text: string }) =>
      text.startsWith('Failed in eu-west'),
    );
    expect(failed).toHaveLength(3);
  }
});

describe('an acknowledgement or snooze through any episode of an incident', () => {
  const at = (id: string, action: string, body: object = {}) =>
    as().post(`/v1/incidents/${id}/${action}`).send(body);
  const handedOver = () => service.gateway.calls.findLast(({ name }) => name === 'silence');

  it('an acknowledgement or snooze through any episode of an incident changes the current episode, and can be undone', async () => {
    for (const id of ids) {
      const { status, body } = await at(id, 'acknowledge', { note: `at ${id}` });
      expect([status, body.id, body.state]).toEqual([200, first(), 'acknowledged']);
      expect(handedOver()?.silence).toMatchObject({ incidentId: last(), isAcknowledged: true });
      expect(body.notes.at(-1).text).toBe(`at ${id}`);
      const snoozed = await at(id, 'snooze', { minutes: 5, reason: 'x' });
      expect(snoozed.body).toMatchObject({ state: 'open', snoozeReason: 'x' });
      expect((await at(id, 'unacknowledge')).body).toMatchObject({ snoozedUntil: null });
    }
  });

  it('the link of an earlier email acknowledges the current episode of the incident once', async () => {
    const { sealers } = service.services;
    const alert = {
      kind: 'failure',
      health: 'down',
      accountId: account.id,
      incidentId: first(),
    } as const;
    const about = { alert, by: 'ann@example.com', id: 'alr_1' };
    const url = buildAcknowledgeUrl(sealers.stored, 'https://x.example', about);
    const token = new URL(url ?? '').searchParams.get('token');
    const use = () => request(service.app).post('/v1/incidents/acknowledge').send({ token });
    expect((await use()).body).toMatchObject({ id: first(), state: 'acknowledged' });
    await at(last(), 'unacknowledge');
    expect((await use()).body.code).toBe('expired_token');
  });

  it('an acknowledgement by another service through an earlier episode acknowledges the current episode', async () => {
    const webhookSecret = 'a-long-hook-secret';
    const channel = { name: 'On call', type: 'pagerduty', routingKey: 'key', webhookSecret };
    const made = await as().post('/v1/alert-channels').send(channel);
    const agent = { summary: 'Ann' };
    const event = { event_type: 'incident.acknowledged', agent, data: { incident_key: ids[1] } };
    const text = JSON.stringify({ event });
    const signature = createHmac('sha256', webhookSecret).update(text).digest('hex');
    const { status } = await request(service.app)
      .post(`/hooks/${made.body.id}`)
      .set({ 'content-type': 'application/json', 'x-pagerduty-signature': `v1=${signature}` })
      .send(text);
    expect(status).toBe(204);
    expect(await read(last())).toMatchObject({ acknowledgedBy: 'Ann (On call)' });
  });
});

it('a new failure reopens an acknowledged incident, and the acknowledgement no longer applies', async () => {
  await as().post(`/v1/incidents/${last()}/acknowledge`);
  const acknowledged = await read(first());
  expect(acknowledged.state).toBe('acknowledged');
  service.clock.nowMs += 10 * MINUTE_MS;
  const closing = monitorRecord({
    accountId: account.id,
    monitorId,
    slotMs: service.clock.nowMs,
    incident: {
      id: last(),
      openedAtMs: Date.parse(acknowledged.episodes[2].startedAt),
      closedAtMs: service.clock.nowMs - 3 * MINUTE_MS,
      cause: null,
      regions: [],
      firstRunId: null,
    },
  });
  await service.recorder.recordMonitorCheck(closing);
  expect(await read(first())).toMatchObject({ state: 'resolved', episodeCount: 3 });
  await fail(1, null);
  const again = await read(first());
  expect(again).toMatchObject({ state: 'open', acknowledgedAt: null, episodeCount: 4 });
  const kinds = again.timeline.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toContain('acknowledged');
});

it('a failure opens a new incident if it is of another check or begins five minutes after the recovery', async () => {
  const other = await as().post('/v1/monitors').send({ name: 'o', url: 'http://example.com' });
  const mine = monitorId;
  monitorId = other.body.id;
  const apart = [await fail(30, 20), await fail(15, 14)];
  const { body } = await as().get(`/v1/incidents?resourceId=${monitorId}`);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(apart.toReversed());
  monitorId = mine;
});

it('another account cannot read an incident by the id of any episode', async () => {
  const { key } = await service.newAccount();
  const theirs = (path: string) =>
    request(service.app).get(path).set('Authorization', `Bearer ${key}`);
  for (const id of ids) {
    expect((await theirs(`/v1/incidents/${id}`)).status).toBe(404);
    expect((await theirs(`/v1/incidents/${id}/explain`)).status).toBe(404);
    expect((await theirs(`/v1/alerts?incidentId=${id}`)).body.data).toEqual([]);
  }
  expect((await theirs('/v1/incidents')).body.data).toEqual([]);
});

describe('repeated events of PagerDuty', () => {
  const HOUR_MS = 3_600_000;
  const SECRET = 'a-long-hook-secret';

  const account = accountOfSuite(service);
  const as = agentOf(service, account);
  let incidentId: string;
  let channelId: string;

  beforeAll(async () => {
    const monitor = await as().post('/v1/monitors').send({ name: 'm', url: 'http://example.com' });
    incidentId = service.services.newId('incident');
    const nowMs = service.clock.nowMs;
    const incident = {
      id: incidentId,
      openedAtMs: nowMs,
      closedAtMs: null,
      cause: { code: 'assertion_failed', message: 'Failed.' } as const,
      regions: ['eu-west'],
      firstRunId: null,
      decisions: [],
    };
    const ids = { accountId: account.id, monitorId: monitor.body.id, slotMs: nowMs };
    await service.recorder.recordMonitorCheck(monitorRecord({ ...ids, incident }));
    const channel = {
      name: 'On call',
      type: 'pagerduty',
      routingKey: 'key',
      webhookSecret: SECRET,
    };
    channelId = (await as().post('/v1/alert-channels').send(channel)).body.id;
  });

  const eventOf = (type: string, id: string, ageMs = 0) => ({
    event: {
      id,
      event_type: `incident.${type}`,
      occurred_at: new Date(service.clock.nowMs - ageMs).toISOString(),
      agent: { summary: 'Ann' },
      data: { incident_key: incidentId },
    },
  });

  function send(event: object): request.Test {
    const text = JSON.stringify(event);
    const signature = createHmac('sha256', SECRET).update(text).digest('hex');
    return request(service.app)
      .post(`/hooks/${channelId}`)
      .set({ 'content-type': 'application/json', 'x-pagerduty-signature': `v1=${signature}` })
      .send(text);
  }

  const acknowledgedBy = async (): Promise<unknown> =>
    (await as().get(`/v1/incidents/${incidentId}`)).body.acknowledgedBy;

  test('an event of PagerDuty counts once, is ignored after an hour, and is accepted again after a failed attempt', async () => {
    expect((await send(eventOf('acknowledged', 'old', HOUR_MS + 1))).status).toBe(204);
    expect(await acknowledgedBy()).toBeNull();
    const kept = eventOf('acknowledged', 'kept');
    service.gateway.away = 'work';
    expect((await send(kept)).status).toBe(503);
    service.gateway.away = null;
    expect((await send(kept)).status).toBe(204);
    expect(await acknowledgedBy()).toBe('Ann (On call)');
    expect((await send(eventOf('unacknowledged', 'next'))).status).toBe(204);
    expect((await send(kept)).status).toBe(204);
    expect(await acknowledgedBy()).toBeNull();
  });
});

it('an incident is flapping until nothing has changed for 30 minutes, and its timeline shows the held alerts', async () => {
  const flap = async (minutesAgo: number) => {
    const { id } = await arranged(
      as().post('/v1/monitors').send({ name: 'flaps', url: 'http://example.com' }),
    );
    await storeOutage(id, minutesAgo, ['notified', 'flapping_began']);
    return read(await storeOutage(id, minutesAgo - 3, ['flapping', 'recovery_flapping']));
  };
  const lately = await flap(30);
  expect(lately).toMatchObject({ isFlapping: true, flappingSince: instant(29), episodeCount: 2 });
  const held = lately.timeline.filter(({ kind }: { kind: string }) => kind === 'flapping');
  expect(held).toMatchObject([{ at: instant(27), text: 'No alert: flapping' }]);
  expect(await flap(34)).toMatchObject({ isFlapping: false, flappingSince: null });
  const { body } = await as().get(`/v1/incidents/${lately.id}/explain`);
  const decided = body.sentences.flatMap(
    ({ decision }: { decision: string | null }) => decision ?? [],
  );
  expect(decided).toEqual(['notified', 'flapping_began', 'flapping', 'recovery_flapping']);
});

/** Stores an outage of one minute with the decisions at its start and its end. */
async function storeOutage(
  ofMonitor: string,
  minutesAgo: number,
  [atStart, atEnd]: readonly [Reason, Reason],
): Promise<string> {
  const id = service.services.newId('incident');
  const openedAtMs = service.clock.nowMs - minutesAgo * MINUTE_MS;
  const closedAtMs = openedAtMs + MINUTE_MS;
  const base = { id, openedAtMs, cause: null, regions: [], firstRunId: null };
  const started = [{ atMs: openedAtMs, reason: atStart }];
  const ended = [...started, { atMs: closedAtMs, reason: atEnd }];
  const record = (incident: IncidentRecord) =>
    service.recorder.recordMonitorCheck(
      monitorRecord({
        accountId: account.id,
        monitorId: ofMonitor,
        slotMs: incident.closedAtMs ?? openedAtMs,
        incident,
      }),
    );
  await record({ ...base, closedAtMs: null, decisions: started });
  await record({ ...base, closedAtMs, decisions: ended });
  return id;
}
