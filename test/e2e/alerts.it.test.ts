/**
 * Tests the path from a failing response to people. Each recipient is notified once, even if a recipient refuses for a
 * while. test/faults/fault-walk.it.test.ts tests kills in between.
 *
 * Covers:
 * - services/alerting/try-alert-channel
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import type { ApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { never } from '../support/never';
import { uniqueSuite } from '../support/service';
import { openSharedService, type SharedService } from '../support/shared-service';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const ANY = z.looseObject({});
const incidentPage = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      state: z.string(),
      resourceId: z.string(),
      cause: z.object({ code: z.string() }).nullable(),
      timeline: z.array(z.object({ kind: z.string() })),
      alerts: z.array(z.string()),
    }),
  ),
});
const alertPage = z.object({
  data: z.array(
    z.object({
      kind: z.string(),
      channelType: z.string(),
      status: z.string(),
      attempts: z.array(z.object({ outcome: z.string(), detail: z.string() })),
    }),
  ),
});

/** Number of failing checks. Two more than the limit for individual alerts within a minute. */
const STORM = 12;
const digestShape = z.object({ entries: z.array(z.object({ resourceName: z.string() })) });

const RECIPIENT = `${uniqueSuite()}@example.com`;
let service: SharedService;
let api: ApiClient;
let hook: HttpSink;
let slack: HttpSink;
let target: LoopbackServer;
let isBroken = false;
let signingSecret = '';

beforeAll(async () => {
  [hook, slack] = await Promise.all([startHttpSink(), startHttpSink()]);
  target = await startLoopbackServer((_request, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  service = await openSharedService();
  ({ api } = await service.newAccount());
  const create = (body: object) =>
    api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
  const webhook = await create({ name: 'hook', type: 'webhook', url: hook.url });
  signingSecret = String(webhook['signingSecret']);
  const webhookUrl = `${slack.url}/services/T/B/x`;
  await create({ name: 'slack', type: 'slack', webhookUrl, isDefault: true });
  await create({ name: 'mail', type: 'email', emails: [RECIPIENT], isDefault: true });
});
afterAll(async () => {
  await service?.close();
  await Promise.all([hook?.close(), slack?.close(), target?.close()]);
});

async function newMonitor(name: string, more: object = {}): Promise<string> {
  const url = `${target.url}/${encodeURIComponent(name)}`;
  const body = { name, url, interval: 3_600, retries: 0, regions: ['eu-west'], ...more };
  const id = await api.createMonitor(body);
  await waitUntil('the first result', async () => (await api.resultsOf(id)).length > 0);
  return id;
}

const checkNow = (id: string) =>
  api.call({ method: 'POST', path: `/v1/monitors/${id}/run` }, { status: 202, shape: ANY });

const typesAt = (sink: HttpSink, name: string) =>
  sink.events
    .filter(({ body }) => body.includes(name))
    .map(({ body }) => /"type":"alert\.(\w+)"/.exec(body)?.[1] ?? 'slack');

const mailsAbout = async (name: string) =>
  (await service.mailsTo(RECIPIENT)).filter((text) => text.includes(name));

async function incidentsOf(resourceId: string) {
  const path = `/v1/incidents?resourceId=${resourceId}`;
  return (await api.call({ method: 'GET', path }, { status: 200, shape: incidentPage })).data;
}

/** Waits for the incident, because an alert may arrive before its incident is stored. */
const waitForIncident = (resourceId: string) =>
  waitUntil('the incident', async () => (await incidentsOf(resourceId))[0]);

test('a failure and its recovery arrive once at each recipient, in one incident', async () => {
  const id = await newMonitor('shop-front');
  isBroken = true;
  await checkNow(id);
  await waitUntil(
    'three failures',
    async () =>
      typesAt(hook, 'shop-front').length === 1 &&
      typesAt(slack, 'shop-front').length === 1 &&
      (await mailsAbout('shop-front')).length === 1,
  );
  await waitForIncident(id);
  const [event] = hook.events.filter(({ body }) => body.includes('shop-front'));
  const timestamp = String(event?.headers['keepwatch-timestamp']);
  const expected = createHmac('sha256', signingSecret).update(`${timestamp}.${event?.body}`);
  expect(event?.headers['keepwatch-signature']).toBe(`v1=${expected.digest('hex')}`);
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    type: 'alert.failure',
    resource: { id, name: 'shop-front' },
    regions: ['eu-west'],
    cause: { code: 'assertion_failed' },
    assertion: { expected: expect.anything(), actual: '500' },
    exchange: { method: 'GET', status: 500 },
    lastPassing: { status: 200 },
  });
  const [failure] = await mailsAbout('shop-front');
  // Decodes the email: removes soft line breaks, and replaces the codes of equals signs.
  const letter = (failure ?? '').replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  const token = /\/acknowledge\?token=([\w-]+)/.exec(letter)?.[1];
  const link = { method: 'POST', path: '/v1/incidents/acknowledge', body: { token } };
  expect(await api.call(link, { status: 200, shape: ANY })).toMatchObject({
    state: 'acknowledged',
    acknowledgedBy: RECIPIENT,
  });

  await checkNow(id);
  isBroken = false;
  await checkNow(id);
  await waitUntil(
    'three recoveries',
    async () =>
      typesAt(hook, 'shop-front').length === 2 &&
      typesAt(slack, 'shop-front').length === 2 &&
      (await mailsAbout('shop-front')).length === 2,
  );
  await never(() => expect(typesAt(hook, 'shop-front')).toEqual(['failure', 'recovery']));
  await waitUntil('the timeline of the incident', async () => {
    const [incident] = await incidentsOf(id);
    return incident?.state === 'resolved' && incident.alerts.length === 6;
  });
  const [incident, ...others] = await incidentsOf(id);
  expect(others).toEqual([]);
  expect(incident?.timeline.at(0)?.kind).toBe('opened');
  expect(incident?.timeline.filter(({ kind }) => kind === 'alert')).toHaveLength(6);
});

if (isLongForm)
  test('a dependency that is down sends the only alert for all its dependents, after a fresh check', async () => {
    isBroken = false;
    const router = await newMonitor('dep-router');
    const leaves: string[] = [];
    for (const name of ['leaf-a', 'leaf-b', 'leaf-c'])
      leaves.push(await newMonitor(name, { dependsOn: [router] }));
    isBroken = true;
    await Promise.all(leaves.map(checkNow));
    const story = z.looseObject({
      explainedBy: z.looseObject({ resourceId: z.string() }).nullable(),
      explains: z.looseObject({ count: z.number() }),
    });
    const incidentOf = async (resourceId: string) => {
      const [found] = await incidentsOf(resourceId);
      if (found === undefined) return null;
      const path = `/v1/incidents/${found.id}`;
      const { explainedBy, explains } = await api.call(
        { method: 'GET', path },
        { status: 200, shape: story },
      );
      return { id: found.id, explainedBy: explainedBy?.resourceId ?? null, count: explains.count };
    };
    await waitUntil('all are explained', async () => {
      const explained = await Promise.all(leaves.map(incidentOf));
      return explained.every((one) => one?.explainedBy === router);
    });
    const about = (name: string) =>
      hook.events.filter(({ body }) => body.includes(`"name":"${name}"`));
    await waitUntil('the alert of the router', async () => about('dep-router').length === 1);
    expect(JSON.parse(about('dep-router')[0]?.body ?? '')).toMatchObject({
      type: 'alert.failure',
      explains: { names: expect.arrayContaining([expect.stringContaining('leaf-')]) },
    });
    expect((await incidentOf(router))?.count).toBe(3);
    expect(await api.resultsOf(router)).toHaveLength(2);
    const [leaf = ''] = leaves;
    const path = `/v1/incidents/${(await incidentOf(leaf))?.id}/explain`;
    const told = await api.call({ method: 'GET', path }, { status: 200, shape: ANY });
    expect(told['notified']).toBe(false);
    expect(JSON.stringify(told)).toContain('depends on “dep-router”');
    isBroken = false;
    for (const id of [router, ...leaves]) await checkNow(id);
    await waitUntil('the recovery of the router', async () => about('dep-router').length === 2);
    await waitUntil('the ends', async () => {
      const states = await Promise.all(leaves.map(async (id) => (await incidentsOf(id))[0]?.state));
      return states.every((state) => state === 'resolved');
    });
    await never(() => expect(['leaf-a', 'leaf-b', 'leaf-c'].flatMap(about)).toEqual([]));
  });

if (isLongForm)
  test('a recipient that refuses temporarily gets the alert later and delays no other recipient', async () => {
    const id = await newMonitor('refusing');
    slack.answers.push({ status: 429, headers: { 'retry-after': '1' } });
    await service.refuseNextMailTo(RECIPIENT);
    isBroken = true;
    await checkNow(id);
    await waitUntil('the webhook', async () => typesAt(hook, 'refusing').length === 1);
    await waitUntil(
      'the others',
      async () =>
        typesAt(slack, 'refusing').length === 1 && (await mailsAbout('refusing')).length === 1,
    );
    isBroken = false;
    await checkNow(id);
    const incident = await waitForIncident(id);
    const path = `/v1/alerts?incidentId=${incident.id}`;
    await waitUntil('the records', async () => {
      const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: alertPage });
      const failures = data.filter(({ kind }) => kind === 'failure');
      return failures.length === 3 && failures.every(({ status }) => status === 'sent');
    });
    const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: alertPage });
    const slackFailure = data.find(
      ({ kind, channelType }) => kind === 'failure' && channelType === 'slack',
    );
    expect(slackFailure?.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'sent']);
  });

test('a fallback gets the recovery only if it got the failure', async () => {
  const create = async (name: string, more: object = {}): Promise<string> => {
    const body = { name, type: 'webhook', url: `${hook.url}/${name}`, isDefault: false, ...more };
    const path = '/v1/alert-channels';
    const channel = await api.call({ method: 'POST', path, body }, { status: 201, shape: ANY });
    return String(channel['id']);
  };
  const gone = await startHttpSink();
  const url = `${gone.url}/first`;
  const first = await create('first', { url, fallback: await create('second') });
  const third = await create('third', { fallback: await create('unused') });
  const id = await newMonitor('stepped-in', { alerts: { channels: [first, third] } });
  const arrived = ({ events }: HttpSink) =>
    events
      .filter(({ body }) => body.includes('stepped-in'))
      .map(({ path, body }) => `${path} ${/"type":"alert\.(\w+)"/.exec(body)?.[1]}`)
      .toSorted();
  gone.answers.push({ status: 410 });
  isBroken = true;
  await checkNow(id);
  const failures = ['/second failure', '/third failure'];
  await waitUntil('the failures', () => arrived(hook).length >= failures.length);
  await never(() => expect(arrived(hook)).toEqual(failures));
  const incident = await waitForIncident(id);
  await waitUntil('their records', async () => {
    const path = `/v1/alerts?incidentId=${incident.id}`;
    const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: alertPage });
    return data.filter(({ status }) => status === 'sent').length === failures.length;
  });

  isBroken = false;
  await checkNow(id);
  const all = ['/second failure', '/second recovery', '/third failure', '/third recovery'];
  await waitUntil('the recoveries', () => arrived(hook).length >= all.length);
  await never(() => expect(arrived(hook)).toEqual(all));
  await waitUntil('the delivery of the first channel', () => arrived(gone).length > 0);
  await never(() => expect(arrived(gone)).toEqual(['/first recovery']));
  await gone.close();
});

test('a failure that a job reports and the next success of the job are emailed once each', async () => {
  const schedule = { everySeconds: 3_600 };
  const alerts = { channels: ['email'] };
  const body = { type: 'heartbeat', name: 'backup-job', schedule, alerts };
  const { id, pingUrl } = await api.call(
    { method: 'POST', path: '/v1/monitors', body },
    { status: 201, shape: z.object({ id: z.string(), pingUrl: z.string() }) },
  );
  const ping = async (address: string, text = ''): Promise<void> => {
    expect((await fetch(address, { method: 'POST', body: text })).status).toBe(200);
  };
  await ping(`${pingUrl}/fail`, 'disk full at sector 9');
  const failure = await waitUntil('the email about the failure', async () => {
    return (await mailsAbout('backup-job'))[0];
  });
  expect(failure).toContain('disk full at sector 9');
  expect(failure).not.toContain('Regions');
  await ping(pingUrl);
  await waitUntil('the incident is resolved', async () => {
    const [incident] = await incidentsOf(id);
    return incident?.state === 'resolved' && (await mailsAbout('backup-job')).length > 1;
  });
  const mails = await mailsAbout('backup-job');
  await never(() => expect(mails).toHaveLength(2));
  expect(await incidentsOf(id)).toMatchObject([{ cause: { code: 'job_failed' } }]);
});

test('testing a channel whose service is away reports a failure', async () => {
  const body = { name: 'away', type: 'webhook', url: 'http://127.0.0.1:2' };
  const away = await api.call(
    { method: 'POST', path: '/v1/alert-channels', body },
    { status: 201, shape: ANY },
  );
  const answer = await api.call(
    { method: 'POST', path: `/v1/alert-channels/${String(away['id'])}/test` },
    { status: 200, shape: ANY },
  );
  expect(answer).toMatchObject({ status: 'failed', deliveries: [{ status: 'failed' }] });
});

if (isLongForm)
  test('ten of many simultaneous failures are sent individually, and the rest in one digest', async () => {
    const more = { alerts: { channels: ['webhook'] } };
    const ids = await Promise.all(
      Array.from({ length: STORM }, (_, index) => newMonitor(`storm-${index}-`, more)),
    );
    isBroken = true;
    await Promise.all(ids.map(checkNow));
    const digests = () => hook.events.filter(({ body }) => body.includes('"type":"alert.digest"'));
    const told = (): ReadonlySet<string> => {
      const single = ids
        .map((_id, index) => `storm-${index}-`)
        .filter((name) => typesAt(hook, name).includes('failure'));
      const folded = digests().flatMap(({ body }) => digestShape.parse(JSON.parse(body)).entries);
      const names = [...single, ...folded.map(({ resourceName }) => resourceName)];
      return new Set(names.filter((name) => name.startsWith('storm-')));
    };
    await waitUntil(
      'everyone is notified',
      async () => told().size === STORM && digests().length > 0,
    );
    const twice = ids
      .map((_id, index) => typesAt(hook, `storm-${index}-`).filter((type) => type === 'failure'))
      .filter((failures) => failures.length > 1);
    await never(() => expect(twice).toEqual([]));
    isBroken = false;
    const open = await api.call(
      { method: 'GET', path: '/v1/incidents?state=open' },
      { status: 200, shape: incidentPage },
    );
    expect(open.data.filter(({ resourceId }) => ids.includes(resourceId))).toHaveLength(STORM);
  });
