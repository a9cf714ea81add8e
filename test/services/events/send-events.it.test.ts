/**
 * Tests events for programs on the real database: which webhook gets which event, once, and what its receiver gets.
 *
 * Covers:
 * - services/events/send-events
 * - services/events/change-events
 * - services/events/delivery-id
 * - activities/alerting/find-targets
 * - models/events/event-sources
 */
import { createHmac } from 'node:crypto';
import { createAlertActivities } from '../../../src/activities/alert-activities';
import { findTargets } from '../../../src/activities/alerting/find-targets';
import type { AlertInput } from '../../../src/contracts/alerts';
import { STORED_SECRET_PURPOSE } from '../../../src/contracts/seal-contexts';
import type { Alert } from '../../../src/models/alerting/alerts';
import type { PostRequest } from '../../../src/notify/post';
import { createSender } from '../../../src/notify/sender';
import { createTextSealer } from '../../../src/platform/sealing';
import { buildDeliveryId } from '../../../src/services/events/delivery-id';
import { sendEvents } from '../../../src/services/events/send-events';
import { arranged } from '../../api/arranged';
import { agentOf, SECRET_KEY, suiteService, type TestAccount } from '../../api/test-service';
import { monitorRecord, runRecord } from '../../models/example-records';

const HOUR_MS = 3_600_000;
const service = suiteService();
const ALL = [
  'run.finished',
  'monitor.changed',
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
];

/** Creates a fake of the part of Temporal that events need. It starts each alert only once. */
function createTemporal() {
  const started = new Map<string, AlertInput>();
  return {
    started,
    restoreAlert: async (input: AlertInput) => {
      if (started.has(input.alert.id)) return false;
      started.set(input.alert.id, input);
      return true;
    },
  };
}

/** Runs one pass. The clock of Temporal is ahead of the database's clock by `aheadMs`. */
const look = (
  temporal: ReturnType<typeof createTemporal>,
  { stores = service.services.stores, aheadMs = 0 } = {},
) =>
  sendEvents(
    { stores, clock: service.services.clock, sleep: async () => undefined, temporal },
    { beganAtMs: service.clock.nowMs + aheadMs },
    new AbortController().signal,
  );

async function newChannel(account: TestAccount, fields: object) {
  const body = { name: 'Bot', type: 'webhook', url: 'https://bot.example/hook', ...fields };
  return arranged(agentOf(service, account)().post('/v1/alert-channels').send(body));
}

async function newMonitor(account: TestAccount): Promise<string> {
  const body = { name: 'Shop', url: 'https://shop.example/' };
  return (await arranged(agentOf(service, account)().post('/v1/monitors').send(body))).id;
}

/** Records that the monitor goes down. If `isOver` is true, also records that it comes up again. */
async function failCheck(
  account: TestAccount,
  monitorId: string,
  { openedAtMs = service.clock.nowMs, isOver = false } = {},
) {
  const id = service.services.newId('incident');
  const cause = { code: 'assertion_failed', message: 'Expected status 2xx, got 503.' } as const;
  const base = { id, openedAtMs, cause, regions: ['eu-west'], firstRunId: null };
  const save = (closedAtMs: number | null, health: 'down' | 'up') =>
    service.recorder.recordMonitorCheck(
      monitorRecord({
        accountId: account.id,
        monitorId,
        slotMs: closedAtMs ?? openedAtMs,
        health,
        healthSinceMs: closedAtMs ?? openedAtMs,
        incident: { ...base, closedAtMs },
      }),
    );
  await save(null, 'down');
  if (isOver) await save(openedAtMs + 10_000, 'up');
  return id;
}

/** Returns the types of the account's events. */
const typesIn = (temporal: ReturnType<typeof createTemporal>, { id }: TestAccount) =>
  [...temporal.started.values()]
    .filter(({ alert }) => alert.accountId === id)
    .map(({ alert }) => String(alert.event?.type))
    .toSorted();

/** Returns the first event of the account. */
function eventIn(temporal: ReturnType<typeof createTemporal>, { id }: TestAccount): AlertInput {
  const input = [...temporal.started.values()].find(({ alert }) => alert.accountId === id);
  if (input === undefined) throw new Error('no event');
  return input;
}

it('a webhook gets each subscribed event once, even if several passes run', async () => {
  const account = await service.newAccount();
  const { id: channelId } = await newChannel(account, { events: ALL });
  const monitorId = await newMonitor(account);
  service.clock.nowMs += 1_000;
  const incidentId = await failCheck(account, monitorId);
  const temporal = createTemporal();
  await look(temporal);
  expect(typesIn(temporal, account)).toEqual(['incident.opened', 'monitor.changed']);
  await look(temporal);
  service.clock.nowMs += 1_000;
  await arranged(agentOf(service, account)().post(`/v1/incidents/${incidentId}/acknowledge`));
  await look(temporal);
  expect(typesIn(temporal, account)).toEqual([
    'incident.acknowledged',
    'incident.opened',
    'monitor.changed',
  ]);
  const opened = [...temporal.started.values()].find(
    ({ alert }) => alert.event?.type === 'incident.opened',
  );
  expect(opened).toMatchObject({
    decided: 'send',
    recipients: { channels: [channelId], targets: [] },
    alert: { kind: 'event', incidentId: null, resourceName: 'Shop', resourceId: monitorId },
  });
  expect(opened?.alert.event?.data).toMatchObject({ incidentId, regions: ['eu-west'] });
});

/** Returns the record that the workflow of an event writes about a delivery. */
function deliveryRow(account: TestAccount, channelId: string, id: string): Alert {
  return {
    id,
    accountId: account.id,
    incidentId: null,
    resourceId: 'mon_any',
    kind: 'event',
    channelId,
    channelType: 'webhook',
    recipient: 'https://bot.example',
    status: 'pending',
    attempts: [],
    sequence: 1,
    createdAtMs: service.clock.nowMs,
    sentAtMs: null,
    certificate: null,
    pending: null,
  };
}

it('a recorded event is not sent again, even if Temporal has forgotten the event', async () => {
  const account = await service.newAccount();
  const { id: channelId } = await newChannel(account, { events: ['incident.opened'] });
  const monitorId = await newMonitor(account);
  service.clock.nowMs += 1_000;
  await failCheck(account, monitorId);
  const temporal = createTemporal();
  await look(temporal);
  const input = eventIn(temporal, account);
  const id = buildDeliveryId(input.alert, { key: `${channelId}:0` });
  const row = deliveryRow(account, channelId, id);
  await service.services.stores.alerts.save(account.id, { ...row, status: 'sent' });
  const other = createTemporal();
  await look(other);
  expect(typesIn(other, account)).toEqual([]);
  const { body } = await agentOf(service, account)().get('/v1/alerts');
  expect(body.data).toMatchObject([{ kind: 'event', status: 'sent', incidentId: null }]);
});

it('the end of a run is sent as an event, and so is an incident that opened and closed between two passes', async () => {
  const account = await service.newAccount();
  await newChannel(account, { events: ['run.finished', 'incident.opened', 'incident.resolved'] });
  const monitorId = await newMonitor(account);
  service.clock.nowMs += 1_000;
  await failCheck(account, monitorId, { isOver: true });
  service.clock.nowMs += 20_000;
  await saveEndedRun(account, service.clock.nowMs);
  const temporal = createTemporal();
  await look(temporal);
  expect(typesIn(temporal, account)).toEqual([
    'incident.opened',
    'incident.resolved',
    'run.finished',
  ]);
});

it('only new events are sent, and only to channels of the same account that subscribe to events', async () => {
  const account = await service.newAccount();
  const stranger = await service.newAccount();
  const monitorId = await newMonitor(account);
  await failCheck(account, monitorId);
  service.clock.nowMs += 1_000;
  await newChannel(account, {});
  await newChannel(account, { events: ALL });
  await newChannel(stranger, { events: ALL });
  const temporal = createTemporal();
  await look(temporal);
  expect([...typesIn(temporal, account), ...typesIn(temporal, stranger)]).toEqual([]);
});

it('a channel gets no events from before its subscription to events', async () => {
  const account = await service.newAccount();
  const { id } = await newChannel(account, {});
  const monitorId = await newMonitor(account);
  service.clock.nowMs += 1_000;
  await failCheck(account, monitorId);
  service.clock.nowMs += 1_000;
  await arranged(
    agentOf(service, account)().patch(`/v1/alert-channels/${id}`).send({ events: ALL }),
  );
  const temporal = createTemporal();
  await look(temporal);
  expect(typesIn(temporal, account)).toEqual([]);
  service.clock.nowMs += 1_000;
  await saveEndedRun(account, service.clock.nowMs);
  await look(temporal);
  expect(typesIn(temporal, account)).toEqual(['run.finished']);
});

it('the database is read only for events that a channel of the account names', async () => {
  const without = await service.newAccount();
  const { id } = await newChannel(without, { events: ALL });
  await arranged(
    agentOf(service, without)().patch(`/v1/alert-channels/${id}`).send({ events: null }),
  );
  const runsOnly = await service.newAccount();
  await newChannel(runsOnly, { events: ['run.finished'] });
  const { stores } = service.services;
  const { eventSources } = stores;
  const read: string[] = [];
  const noting =
    <Query, Found>(name: string, list: (accountId: string, query: Query) => Promise<Found>) =>
    (accountId: string, query: Query): Promise<Found> => {
      read.push(`${accountId} ${name}`);
      return list(accountId, query);
    };
  const noted = {
    listRuns: noting('runs', eventSources.listRuns),
    listMonitors: noting('monitors', eventSources.listMonitors),
    listIncidents: noting('incidents', eventSources.listIncidents),
  };
  await look(createTemporal(), { stores: { ...stores, eventSources: noted } });
  const readOf = ({ id: accountId }: TestAccount) =>
    read.filter((line) => line.startsWith(accountId));
  expect(readOf(without)).toEqual([]);
  expect(readOf(runsOnly)).toEqual([`${runsOnly.id} runs`]);
});

/** Stores a run that ended at this instant. Its scenario does not exist. */
async function saveEndedRun(account: TestAccount, finishedAtMs: number): Promise<string> {
  const runId = service.services.newId('run');
  const run = { accountId: account.id, scenarioId: 'scn_gone', runId, finishedAtMs };
  await service.services.stores.runs.save(
    account.id,
    runRecord({ ...run, status: 'failed', startedAtMs: finishedAtMs - 500 }),
  );
  return runId;
}

const runsIn = (temporal: ReturnType<typeof createTemporal>, { id }: TestAccount) =>
  [...temporal.started.values()]
    .filter(({ alert }) => alert.accountId === id)
    .map(({ alert }) => JSON.stringify(alert.event?.data['runId']))
    .toSorted();

it('after hours without a pass every event is sent, and no account waits for another', async () => {
  const account = await service.newAccount();
  await newChannel(account, { events: ['run.finished'] });
  const other = await service.newAccount();
  await newChannel(other, { events: ['run.finished'] });
  await look(createTemporal());
  service.clock.nowMs += HOUR_MS;
  const runs: string[] = [];
  // These runs fill more than one page.
  for (let index = 0; index < 130; index += 1)
    runs.push(await saveEndedRun(account, service.clock.nowMs));
  await saveEndedRun(other, service.clock.nowMs);
  service.clock.nowMs += 5 * HOUR_MS;
  const temporal = createTemporal();
  await look(temporal);
  expect(runsIn(temporal, account)).toEqual(runs.map((id) => JSON.stringify(id)).toSorted());
  const order = [...temporal.started.values()].map(({ alert }) => alert.accountId);
  expect(order).toContain(other.id);
  expect(order.indexOf(other.id)).toBeLessThan(order.lastIndexOf(account.id));
});

it('events stored by a process whose clock is an hour behind are sent', async () => {
  const account = await service.newAccount();
  await newChannel(account, { events: ['run.finished', 'incident.opened', 'monitor.changed'] });
  const monitorId = await newMonitor(account);
  await look(createTemporal());
  service.clock.nowMs += HOUR_MS;
  await look(createTemporal());
  const nowMs = service.clock.nowMs + 1_000;
  const openedAtMs = nowMs;
  service.clock.nowMs -= HOUR_MS;
  await saveEndedRun(account, nowMs);
  await failCheck(account, monitorId, { openedAtMs });
  service.clock.nowMs = nowMs;
  const temporal = createTemporal();
  await look(temporal);
  expect(typesIn(temporal, account)).toEqual([
    'incident.opened',
    'monitor.changed',
    'run.finished',
  ]);
});

it('events stored while the clock of Temporal is an hour ahead are sent', async () => {
  const account = await service.newAccount();
  await newChannel(account, { events: ['run.finished'] });
  service.clock.nowMs += 1_000;
  await look(createTemporal(), { aheadMs: HOUR_MS });
  service.clock.nowMs += HOUR_MS / 2;
  const runId = await saveEndedRun(account, service.clock.nowMs);
  const temporal = createTemporal();
  await look(temporal, { aheadMs: HOUR_MS });
  expect(runsIn(temporal, account)).toEqual([JSON.stringify(runId)]);
});

it('a receiver that accepts nothing gets no more requests, and later each remaining event once', async () => {
  const account = await service.newAccount();
  const { id: channelId } = await newChannel(account, { events: ['run.finished'] });
  const { alerts } = service.services.stores;
  const waiting = Array.from({ length: 99 }, (_, index) =>
    deliveryRow(account, channelId, `alr_${String(index).padStart(26, '0')}${account.id}`),
  );
  for (const row of waiting) await alerts.save(account.id, row);
  service.clock.nowMs += 1_000;
  const runs = [
    await saveEndedRun(account, service.clock.nowMs),
    await saveEndedRun(account, service.clock.nowMs),
    await saveEndedRun(account, service.clock.nowMs),
  ];
  const temporal = createTemporal();
  await look(temporal);
  expect(runsIn(temporal, account)).toHaveLength(1);
  for (const row of waiting)
    await alerts.save(account.id, { ...row, status: 'failed', sequence: 2 });
  service.clock.nowMs += 3 * HOUR_MS;
  await look(temporal);
  expect(runsIn(temporal, account)).toEqual(runs.map((id) => JSON.stringify(id)).toSorted());
});

it('a channel with events never becomes a default channel, so it gets only alerts that name the channel', async () => {
  const account = await service.newAccount();
  const events = await newChannel(account, { events: ['run.finished'] });
  expect(events).toMatchObject({ isDefault: false });
  const other = await service.newAccount();
  expect(await newChannel(other, {})).toMatchObject({ isDefault: true });
  expect(await newChannel(other, { name: 'Second', events: ALL })).toMatchObject({
    isDefault: false,
  });
});

it('an event is sent by the method of its channel, is signed, and uses no template or fallback', async () => {
  const account = await service.newAccount();
  const fallback = await newChannel(account, { name: 'Other' });
  const channel = await newChannel(account, {
    method: 'PUT',
    events: ['incident.opened'],
    template: '{"mine": true}',
    onlyKinds: ['recovery'],
    fallback: fallback.id,
  });
  const monitorId = await newMonitor(account);
  service.clock.nowMs += 1_000;
  await failCheck(account, monitorId);
  const temporal = createTemporal();
  await look(temporal);
  const input = eventIn(temporal, account);
  const posted: PostRequest[] = [];
  const { stores, clock, runTextJob } = service.services;
  const sealer = createTextSealer([SECRET_KEY], STORED_SECRET_PURPOSE);
  const activities = createAlertActivities({
    accounts: stores.accounts,
    resources: stores,
    channels: stores.alertChannels,
    alerts: stores.alerts,
    bursts: stores.alertBursts,
    incidents: stores.incidents,
    wholeIncidents: stores.wholeIncidents,
    dependencies: stores.dependencies,
    results: stores.results,
    evidence: stores.evidence,
    sealer,
    send: createSender({
      post: async (request) => {
        posted.push(request);
        return { status: 204, headers: new Map(), text: '' };
      },
      mail: async () => ({ kind: 'refused', detail: 'no mail' }),
      publicUrl: 'https://keepwatch.example',
      clock,
      runTextJob,
      sealer,
    }),
    readSecrets: async () => [],
    fold: async () => undefined,
    clock,
    logger: { warn: () => undefined },
  });
  const targets = await activities.findRecipients(input);
  // Recorded deliveries are found by this key.
  expect(targets).toMatchObject([{ channelId: channel.id, key: `${channel.id}:0` }]);
  expect(targets[0]).not.toHaveProperty('fallback');
  // The input that Temporal stores contains neither the URL nor the signing secret.
  for (const secret of [channel.signingSecret, 'bot.example'])
    expect(JSON.stringify(input)).not.toContain(secret);
  const [target] = targets;
  if (target === undefined) throw new Error('no recipient');
  expect(await activities.deliverAlert({ alert: input.alert, target })).toMatchObject({
    kind: 'sent',
  });
  const [request] = posted;
  if (request === undefined) throw new Error('nothing was sent');
  const header = (name: string) => request.headers.find((one) => one.name === name)?.value ?? '';
  const signed = `${header('Keepwatch-Timestamp')}.${request.body}`;
  expect(header('Keepwatch-Signature')).toBe(
    `v1=${createHmac('sha256', channel.signingSecret).update(signed).digest('hex')}`,
  );
  expect(request).toMatchObject({ method: 'PUT', url: 'https://bot.example/hook' });
  expect(JSON.parse(request.body)).toMatchObject({
    id: header('Keepwatch-Event-Id'),
    type: 'incident.opened',
    resource: { type: 'monitor', id: monitorId, name: 'Shop' },
    data: { cause: { code: 'assertion_failed' } },
    url: expect.stringContaining('https://keepwatch.example/incidents/inc_'),
  });
});

it('an event waits while the database that stores its recipients is away', async () => {
  const account = await service.newAccount();
  const { id: channelId } = await newChannel(account, { events: ['run.finished'] });
  service.clock.nowMs += 1_000;
  await saveEndedRun(account, service.clock.nowMs);
  const temporal = createTemporal();
  await look(temporal);
  const input = eventIn(temporal, account);
  const { alerts, alertChannels } = service.services.stores;
  const list = () => Promise.reject(new Error('the database is away'));
  const needs = { alerts, channels: alertChannels, logger: { warn: () => undefined } };
  const without = { ...needs, channels: { ...alertChannels, list } };
  await expect(findTargets(without, input)).rejects.toThrow('the database is away');
  expect(await findTargets(needs, input)).toMatchObject([{ channelId }]);
});

it('unknown events and methods are refused, and apply and export keep valid events and methods', async () => {
  const account = await service.newAccount();
  const as = agentOf(service, account);
  const base = { name: 'Bot', key: 'bot', type: 'webhook', url: 'https://bot.example/hook' };
  const wrong = await as()
    .post('/v1/alert-channels')
    .send({ ...base, method: 'GET', events: ['incident.closed'] });
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'method',
    'events[0]',
  ]);
  const set = { alertChannels: [{ ...base, method: 'PATCH', events: ['run.finished'] }] };
  await arranged(as().post('/v1/apply').send(set));
  const exported = await arranged(as().get('/v1/export'));
  expect(exported.alertChannels).toMatchObject([{ method: 'PATCH', events: ['run.finished'] }]);
  const again = await arranged(as().post('/v1/apply').send(set));
  expect(again.summary).toMatchObject({ unchanged: 1 });
});
