/**
 * From a failing answer to the people: once, at every place, whatever dies or refuses meanwhile, and
 * whatever the clocks of the hosts show: that of the API is an hour ahead, the orchestrator's one behind.
 *
 * Covers:
 * - services/alerting/try-alert-channel
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type HttpSink, type MailSink, startHttpSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient, type Result } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { startService, type TestService } from '../support/service';
import { createShiftedClock } from '../support/shifted-clock';
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

const digestShape = z.object({ entries: z.array(z.object({ resourceName: z.string() })) });

let service: TestService;
let api: ApiClient;
let hook: HttpSink;
let slack: HttpSink;
let mail: MailSink;
let target: LoopbackServer;
let isBroken = false;
let signingSecret = '';
const clocks = { api: createShiftedClock(), orchestrator: createShiftedClock() };
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  [hook, slack, mail] = await Promise.all([startHttpSink(), startHttpSink(), startMailSink()]);
  target = await startLoopbackServer((_request, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  clocks.api.shift(HOUR_MS);
  clocks.orchestrator.shift(-HOUR_MS);
  service = await startService({
    regions: ['eu-west'],
    environmentOf: {
      api: clocks.api.environment,
      orchestrator: clocks.orchestrator.environment,
    },
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'keepwatch@example.com' },
  });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const create = (body: object) =>
    api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
  const webhook = await create({ name: 'hook', type: 'webhook', url: hook.url });
  signingSecret = String(webhook['signingSecret']);
  await create({ name: 'slack', type: 'slack', webhookUrl: `${slack.url}/services/T/B/x` });
  await create({ name: 'mail', type: 'email', emails: ['on-call@example.com'] });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([hook?.close(), slack?.close(), mail?.close(), target?.close()]);
  for (const clock of Object.values(clocks)) clock.remove();
});

async function newMonitor(name: string, more: object = {}): Promise<string> {
  const { port } = target;
  const url = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;
  const id = await api.createMonitor({ name, url, interval: 3_600, retries: 0, ...more });
  await waitUntil('the first result', async () => (await api.resultsOf(id)).length > 0);
  return id;
}

const checkNow = (id: string) =>
  api.call({ method: 'POST', path: `/v1/monitors/${id}/run` }, { status: 202, shape: ANY });

const typesAt = (sink: HttpSink, name: string) =>
  sink.events
    .filter(({ body }) => body.includes(name))
    .map(({ body }) => /"type":"alert\.(\w+)"/.exec(body)?.[1] ?? 'slack');

const mailsAbout = (name: string) => mail.messages.filter(({ text }) => text.includes(name));

async function incidentsOf(resourceId: string) {
  const path = `/v1/incidents?resourceId=${resourceId}`;
  return (await api.call({ method: 'GET', path }, { status: 200, shape: incidentPage })).data;
}

test('failure and recovery arrive once at each place, in one incident with its story', async () => {
  const id = await newMonitor('shop-front');
  isBroken = true;
  await checkNow(id);
  await waitUntil(
    'three failures',
    async () =>
      typesAt(hook, 'shop-front').length === 1 &&
      typesAt(slack, 'shop-front').length === 1 &&
      mailsAbout('shop-front').length === 1,
  );
  const [event] = hook.events.filter(({ body }) => body.includes('shop-front'));
  const timestamp = String(event?.headers['keepwatch-timestamp']);
  // What receivers compare with their own clock.
  expect(Math.abs(Number(timestamp) * 1_000 - Date.now())).toBeLessThan(5 * 60_000);
  const expected = createHmac('sha256', signingSecret).update(`${timestamp}.${event?.body}`);
  expect(event?.headers['keepwatch-signature']).toBe(`v1=${expected.digest('hex')}`);
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    type: 'alert.failure',
    resource: { id, name: 'shop-front' },
    regions: ['eu-west'],
    cause: { code: 'assertion_failed' },
    assertion: { expected: expect.anything(), actual: '500' },
  });
  const [failure] = mailsAbout('shop-front');
  expect(failure?.to).toBe('on-call@example.com');
  // As mail is written: with soft line breaks, and an equals sign as its code.
  const letter = (failure?.text ?? '').replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  const token = /\/acknowledge#token=([\w-]+)/.exec(letter)?.[1];
  const link = { method: 'POST', path: '/v1/incidents/acknowledge', body: { token } };
  expect(await api.call(link, { status: 200, shape: ANY })).toMatchObject({
    state: 'acknowledged',
    acknowledgedBy: 'on-call@example.com',
  });

  await checkNow(id);
  isBroken = false;
  await checkNow(id);
  await waitUntil(
    'three recoveries',
    async () =>
      typesAt(hook, 'shop-front').length === 2 &&
      typesAt(slack, 'shop-front').length === 2 &&
      mailsAbout('shop-front').length === 2,
  );
  expect(typesAt(hook, 'shop-front')).toEqual(['failure', 'recovery']);
  await waitUntil('the story of the incident', async () => {
    const [incident] = await incidentsOf(id);
    return incident?.state === 'resolved' && incident.alerts.length === 6;
  });
  const [incident, ...others] = await incidentsOf(id);
  expect(others).toEqual([]);
  expect(incident?.timeline.at(0)?.kind).toBe('opened');
  expect(incident?.timeline.filter(({ kind }) => kind === 'alert')).toHaveLength(6);
});

test('one alert for all that depend on what is down, found by a fresh check of it', async () => {
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
  expect(['leaf-a', 'leaf-b', 'leaf-c'].flatMap(about)).toEqual([]);
});

test('a place that refuses for a while gets it later, and the others are not held up', async () => {
  const id = await newMonitor('refusing');
  slack.answers.push({ status: 429, headers: { 'retry-after': '1' } });
  mail.refuseNext = 1;
  isBroken = true;
  await checkNow(id);
  await waitUntil('the webhook', async () => typesAt(hook, 'refusing').length === 1);
  await waitUntil(
    'the others',
    async () => typesAt(slack, 'refusing').length === 1 && mailsAbout('refusing').length === 1,
  );
  isBroken = false;
  await checkNow(id);
  const [incident] = await incidentsOf(id);
  const path = `/v1/alerts?incidentId=${incident?.id}`;
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

test('a fallback that took a failure hears its recovery, and one that took nothing hears nothing', async () => {
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
  expect(arrived(hook)).toEqual(failures);
  const [incident] = await incidentsOf(id);
  await waitUntil('their records', async () => {
    const path = `/v1/alerts?incidentId=${incident?.id}`;
    const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: alertPage });
    return data.filter(({ status }) => status === 'sent').length === failures.length;
  });

  isBroken = false;
  await checkNow(id);
  const all = ['/second failure', '/second recovery', '/third failure', '/third recovery'];
  await waitUntil('the recoveries', () => arrived(hook).length >= all.length);
  expect(arrived(hook)).toEqual(all);
  await waitUntil('that of the first channel', () => arrived(gone).length > 0);
  expect(arrived(gone)).toEqual(['/first recovery']);
  await gone.close();
});

test('killing the orchestrator during an outage sends nothing twice and loses no recovery', async () => {
  const id = await newMonitor('killed', { interval: 10 });
  isBroken = true;
  await checkNow(id);
  await waitUntil('the failure', async () => typesAt(hook, 'killed').length === 1);
  await service.kill('orchestrator');
  await service.start('orchestrator');
  const startedAtMs = Date.now();
  const isLater = ({ slot, kind }: Result) =>
    kind === 'scheduled' && Date.parse(slot) > startedAtMs;
  await waitUntil('one more slot', async () => (await api.resultsOf(id)).some(isLater));
  await checkNow(id);
  expect(typesAt(hook, 'killed')).toEqual(['failure']);
  isBroken = false;
  await checkNow(id);
  await waitUntil('the recovery', async () => typesAt(hook, 'killed').length === 2);
  expect(typesAt(hook, 'killed')).toEqual(['failure', 'recovery']);
  expect(await incidentsOf(id)).toMatchObject([{ state: 'resolved' }]);
});

const heartbeatShape = z.object({
  id: z.string(),
  pingUrl: z.string(),
  status: z.string(),
  running: z.array(ANY),
  nextDueAt: z.string().nullable(),
});

describe('heartbeats', () => {
  const RUN_SECONDS = 4;

  const newHeartbeat = (body: object) =>
    api.call(
      { method: 'POST', path: '/v1/monitors', body: { type: 'heartbeat', ...body } },
      { status: 201, shape: heartbeatShape },
    );
  const heartbeatOf = (id: string) =>
    api.call({ method: 'GET', path: `/v1/monitors/${id}` }, { status: 200, shape: heartbeatShape });
  const ping = async (address: string, text?: string): Promise<void> => {
    const body = text === undefined ? {} : { body: text };
    expect((await fetch(address, { method: 'POST', ...body })).status).toBe(200);
  };

  test('a failure that a job reports and its next success are mailed once each; what may have been lost while the API was killed is held against no job', async () => {
    const alerts = { channels: ['email'] };
    const schedule = { everySeconds: 30 };
    const silent = await newHeartbeat({ name: 'silent-job', schedule, graceSeconds: 0, alerts });
    await ping(silent.pingUrl);
    const backup = await newHeartbeat({
      name: 'backup-job',
      schedule,
      maxRunSeconds: RUN_SECONDS,
      alerts,
    });
    await ping(`${backup.pingUrl}/fail`, 'disk full at sector 9');
    await waitUntil('the mail of the failure', async () => mailsAbout('backup-job').length === 1);
    expect(mailsAbout('backup-job')[0]?.text).toContain('disk full at sector 9');
    expect(mailsAbout('backup-job')[0]?.text).not.toContain('Regions');
    await ping(backup.pingUrl);
    await waitUntil('the mail of the recovery', async () => mailsAbout('backup-job').length === 2);

    await ping(`${backup.pingUrl}/start`);
    await waitUntil('the start', async () => (await heartbeatOf(backup.id)).running.length === 1);
    await service.kill('api');
    const killedAtMs = Date.now();
    await waitUntil('the longest run', async () => Date.now() > killedAtMs + RUN_SECONDS * 1_000);
    await service.start('api');
    await waitUntil(
      'a run forgotten',
      async () => (await heartbeatOf(backup.id)).running.length === 0,
    );
    await waitUntil(
      'the due time of the silent job',
      async () => (await api.resultsOf(silent.id)).at(0)?.failure?.code === 'pings_unavailable',
    );
    for (const { id } of [silent, backup])
      expect((await api.resultsOf(id)).map(({ failure }) => failure?.code ?? 'up')).toEqual(
        id === silent.id ? ['pings_unavailable', 'up'] : ['up', 'job_failed'],
      );
    expect(mailsAbout('silent-job')).toEqual([]);
    expect(mailsAbout('backup-job')).toHaveLength(2);
    expect(await incidentsOf(silent.id)).toEqual([]);
    expect(await incidentsOf(backup.id)).toMatchObject([
      { state: 'resolved', cause: { code: 'job_failed' } },
    ]);
  }, 120_000);
});

test('a test message goes to its channel, and a place that is away is told as such', async () => {
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

test('many failures at once come one by one to ten, and the rest as one digest', async () => {
  const more = { alerts: { channels: ['webhook'] } };
  const ids = await Promise.all(
    Array.from({ length: 16 }, (_, index) => newMonitor(`storm-${index}-`, more)),
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
  await waitUntil('everybody told', async () => told().size === 16 && digests().length > 0);
  isBroken = false;
  const open = await api.call(
    { method: 'GET', path: '/v1/incidents?state=open' },
    { status: 200, shape: incidentPage },
  );
  expect(open.data.filter(({ resourceId }) => ids.includes(resourceId))).toHaveLength(16);
});
