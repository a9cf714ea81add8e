/** Events of PagerDuty that come again, or late: each counts once, and for an hour. */
import { createHmac } from 'node:crypto';
import request from 'supertest';
import { monitorRecord } from '../../models/example-records';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const HOUR_MS = 3_600_000;
const SECRET = 'a-long-hook-secret';

const service = suiteService();
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
  const channel = { name: 'On call', type: 'pagerduty', routingKey: 'key', webhookSecret: SECRET };
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

test('an event counts once, not after an hour, and again where it has failed', async () => {
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
