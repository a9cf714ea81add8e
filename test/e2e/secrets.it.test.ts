/**
 * Puts canary secrets in every position, with a target that sends them back in every encoding and in errors.
 * Afterwards, none of them is found in responses, logs, histories or files of the servers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { z } from 'zod';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/workflows';
import { createTemporalClient } from '../../src/temporal/connect';
import { createPayloadReader } from '../../src/temporal/payload-reader';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import type { ApiClient } from '../support/api-client';
import { spellingsOf } from '../support/echo-forms';
import { startEchoTarget } from '../support/echo-target';
import { never } from '../support/never';
import { monitorConfig } from '../support/outcomes';
import type { RecordingTarget } from '../support/recording-target';
import { openSharedService, type SharedService } from '../support/shared-service';
import { waitUntil } from '../support/wait-until';

const CANARIES = {
  header: 'canary-H3ader/+"<&>\' x',
  basic: 'canary-user:canary-p4ss~word',
  body: 'canary-B0dy/+"<&>\' xü',
  client: 'canary-Cl1ent/+"<&>\' x',
  key: '-----BEGIN PRIVATE KEY-----\ncanary-K3yOfTheClient\n-----END PRIVATE KEY-----',
  variable: 'canary-V4riable/+"<&>\' x',
  run: 'canary-Run=7?&"x',
  /** The value that the target returns. The run extracts this value as a secret. */
  token: 'canary-T0ken.abc/def+ghi==',
};
/** A value that is stored in clear text. The search must find it, which proves that the search works. */
const MARKER = 'marker-that-may-be-seen';

let service: SharedService;
let target: RecordingTarget;
let api: ApiClient;
let accountId: string;
let connection: Connection;
const answers: string[] = [];

const anyAnswer = z.looseObject({});
const created = z.looseObject({ id: z.string() });
const page = z.looseObject({ data: z.array(z.looseObject({ status: z.string() })) });

async function read(path: string) {
  const answer = await api.call({ method: 'GET', path }, { status: 200, shape: anyAnswer });
  answers.push(JSON.stringify(answer));
  return answer;
}

async function create(path: string, body: object): Promise<string> {
  const answer = await api.call({ method: 'POST', path, body }, { status: 201, shape: created });
  answers.push(JSON.stringify(answer));
  return answer.id;
}

beforeAll(async () => {
  [service, target] = await Promise.all([openSharedService(), startEchoTarget(CANARIES.token)]);
  connection = await Connection.connect({ address: service.temporalAddress });
  ({ api, accountId } = await service.newAccount());
  for (const name of ['header', 'basic', 'body', 'client', 'key'] as const) {
    const request = { method: 'PUT', path: `/v1/secrets/${name}`, body: { value: CANARIES[name] } };
    const answer = await api.call(request, { status: 201, shape: anyAnswer });
    answers.push(JSON.stringify(answer));
  }
});
afterAll(async () => {
  await Promise.all([service?.close(), target?.close(), connection?.close()]);
});

const sending = {
  headers: { 'X-Key': 'k {{secret:header}}', 'X-Basic': '{{secret:basic}}', 'X-V': '{{v}}' },
  body: { deep: ['{{secret:body}}', 'in {{v}} text'] },
  variables: { v: { value: CANARIES.variable, secret: true } },
};
const wrong = [
  { type: 'jsonPath', path: '$.plain', operator: 'equals', value: 'something else' },
  { type: 'jsonPath', path: '$', operator: 'equals', value: { deep: 1 } },
  { type: 'header', name: 'X-Echo', operator: 'equals', value: 'something else' },
  { type: 'body', operator: 'equals', value: 'something else' },
  { type: 'status', operator: 'equals', value: 200 },
];

test('monitors send secrets, and a secret that a response repeats is not stored', async () => {
  const paths = ['/echo', '/echo?status=500', '/redirect', '/broken', '/chunked'];
  const ids = await Promise.all(
    paths.map((path) =>
      create('/v1/monitors', {
        ...sending,
        name: `${MARKER} ${path}`,
        method: 'POST',
        url: `${target.origin}${path}`,
        interval: 3600,
        regions: ['eu-west'],
        assertions: wrong,
        retries: 1,
      }),
    ),
  );
  for (const id of ids) {
    await waitUntil('the first result', async () => (await api.resultsOf(id)).length === 1);
    await read(`/v1/monitors/${id}/results`);
    await read(`/v1/monitors/${id}`);
  }
  const [first] = target.received;
  expect(first?.headers).toMatchObject({
    'x-key': `k ${CANARIES.header}`,
    'x-basic': CANARIES.basic,
    'x-v': CANARIES.variable,
  });
  expect(JSON.parse(first?.body ?? '')).toEqual({
    deep: [CANARIES.body, `in ${CANARIES.variable} text`],
  });
  expect(answers.join()).toContain('***');
  await read('/v1/secrets');
});

test('a fetched token is sent, and the token and its credentials are not stored', async () => {
  const id = await create('/v1/monitors', {
    name: `${MARKER} token`,
    url: `${target.origin}/echo`,
    interval: 3600,
    regions: ['eu-west'],
    assertions: wrong,
    auth: {
      type: 'oauth2',
      tokenUrl: `${target.origin}/oauth/token`,
      clientId: 'keepwatch',
      clientSecret: '{{secret:client}}',
      sendAs: 'body',
    },
  });
  await waitUntil('the first result', async () => (await api.resultsOf(id)).length === 1);
  await read(`/v1/monitors/${id}/results`);
  await read(`/v1/monitors/${id}`);
  await read('/v1/export');
  const asked = target.received.find(({ url }) => url === '/oauth/token');
  expect(new URLSearchParams(asked?.body).get('client_secret')).toBe(CANARIES.client);
  const sent = target.received.map(({ headers }) => headers.authorization);
  expect(sent).toContain(`Bearer ${CANARIES.token}`);
});

test('an unusable private key makes a check unknown and is never shown', async () => {
  const id = await create('/v1/monitors', {
    name: `${MARKER} key`,
    url: `${target.origin}/echo`,
    interval: 3600,
    regions: ['eu-west'],
    tls: { certificate: '{{secret:body}}', key: '{{secret:key}}' },
  });
  await waitUntil('the first result', async () => (await api.resultsOf(id)).length === 1);
  const { data } = await api.call(
    { method: 'GET', path: `/v1/monitors/${id}/results` },
    { status: 200, shape: page },
  );
  expect(data[0]?.status).toBe('unknown');
  await read(`/v1/monitors/${id}/results`);
  await read('/v1/export');
});

test('a run passes secrets from step to step in encrypted form only', async () => {
  const id = await create('/v1/scenarios', {
    name: `${MARKER} scenario`,
    interval: 3600,
    regions: ['eu-west'],
    onFailure: 'continue',
    variables: { base: target.origin, pin: { value: 'canary-to-be-replaced', secret: true } },
    steps: [
      {
        name: 'login',
        method: 'POST',
        url: '{{base}}/login',
        body: { pin: '{{pin}}', key: '{{secret:body}}' },
        extract: {
          token: { from: 'jsonPath', path: '$.token', secret: true },
          object: { from: 'jsonPath', path: '$', secret: true },
          again: '$.echo',
          template: '$.template',
        },
      },
      {
        name: 'use',
        method: 'POST',
        url: '{{base}}/use',
        headers: { Authorization: 'Bearer {{token}}', 'X-Template': '{{template}}' },
        body: { object: '{{object}}', again: '{{again}}', pin: '{{pin}}' },
        assertions: wrong,
      },
      {
        name: 'later',
        method: 'POST',
        url: '{{base}}/echo?status=500',
        headers: { 'X-Key': '{{secret:header}}', Authorization: 'Bearer {{token}}' },
        body: '{{token}} and {{again}}',
        assertions: wrong,
      },
    ],
  });
  const run = await api.call(
    {
      method: 'POST',
      path: `/v1/scenarios/${id}/run?wait=30`,
      body: { variables: { pin: CANARIES.run } },
    },
    { status: 200, shape: created },
  );
  answers.push(JSON.stringify(run));
  await waitUntil('both runs', async () => {
    const request = { method: 'GET', path: `/v1/scenarios/${id}/results` };
    const { data } = await api.call(request, { status: 200, shape: page });
    return data.length === 2 && data.every(({ status }) => status === 'failed');
  });
  await read(`/v1/scenarios/${id}/results`);
  await read(`/v1/scenarios/${id}`);
  const used = target.received.filter(({ url }) => url === '/use');
  expect(used.at(-1)?.headers['authorization']).toBe(`Bearer ${CANARIES.token}`);
  expect(used.at(-1)?.headers['x-template']).toBe('{{secret:header}} {{pin}}');
  const bodies: unknown[] = used.map(({ body }) => JSON.parse(body));
  const object = { token: CANARIES.token };
  expect(bodies).toContainEqual(
    expect.objectContaining({ pin: CANARIES.run, object: expect.objectContaining(object) }),
  );
  const { steps } = z
    .object({ steps: z.array(z.object({ extracted: z.array(z.unknown()) })) })
    .parse(await read(`/v1/scenarios/${id}/results/${run.id}`));
  expect(steps[0]?.extracted).toEqual([
    { name: 'token', value: '***', secret: true },
    { name: 'object', value: '***', secret: true },
    { name: 'again', value: '***', secret: true },
    { name: 'template', value: '***', secret: true },
  ]);
});

test('failure messages are encrypted in histories of Temporal', async () => {
  const namespace = service.suite;
  const { temporalAddress: address, secretKey } = service;
  const client = createTemporalClient({ address, namespace }, [secretKey]);
  // The monitor has no definition. The activity of the probe reports this as a failure.
  const regions = ['eu-west'];
  const config = monitorConfig('mon_gone', { accountId, regions, anchorMs: Date.now() });
  await createWorkflowGateway(client).configureMonitor(config);
  const raw = await waitUntil('the failure', async () => {
    const history = await client.workflow.getHandle('monitor-mon_gone').fetchHistory();
    const bytes = Buffer.from(temporal.api.history.v1.History.encode(history).finish());
    return bytes.includes('definition_missing') && bytes;
  });
  await client.connection.close();
  expect(raw.includes('Encoded failure')).toBe(true);
  expect(raw.includes('no longer exists')).toBe(false);
});

describe('secret values after all requests', () => {
  const forms = Object.values({ ...CANARIES, replaced: 'canary-to-be-replaced' }).flatMap(
    spellingsOf,
  );
  const found = (bytes: Buffer | string): string[] => forms.filter((form) => bytes.includes(form));

  test('no secret value appears in responses of the API', () =>
    never(() => expect(found(answers.join('\n'))).toEqual([])));

  test('no secret value appears in logs of any process', async () => {
    const logs = await service.readLogs();
    expect(logs.join('').length).toBeGreaterThan(100);
    await never(() => expect(found(logs.join('\n'))).toEqual([]));
  });

  test('no secret value appears in histories from the server, encrypted or decrypted', async () => {
    const client = new Client({ connection, namespace: service.suite });
    const readPayloads = createPayloadReader([service.secretKey], service.suite);
    let payloads = 0;
    const query = `${SEARCH_ATTRIBUTES.account} = '${accountId}'`;
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      const raw = Buffer.from(temporal.api.history.v1.History.encode(history).finish());
      await never(() => expect(found(raw)).toEqual([]));
      expect(raw.includes(MARKER)).toBe(false);
      const sealed = payloadsIn(JSON.parse(JSON.stringify(history)));
      const opened = await readPayloads(sealed);
      payloads += opened.length;
      expect(opened.map(({ metadata }) => metadata?.['encoding'])).not.toContain(
        Buffer.from('binary/encrypted').toString('base64'),
      );
      const text = opened.map(({ data }) => Buffer.from(data ?? '', 'base64').toString()).join();
      await never(() => expect(found(text)).toEqual([]));
    }
    expect(payloads).toBeGreaterThan(50);
  });

  test('no secret value appears in files of the database and of the Temporal server', async () => {
    const files = filesIn(String(process.env['KEEPWATCH_TEST_FOLDER']));
    const contents = files.map((file) => [file, readFileSync(file)] as const);
    expect(contents.some(([, bytes]) => bytes.includes(MARKER))).toBe(true);
    for (const [file, bytes] of contents)
      await never(() => expect([file, found(bytes)]).toEqual([file, []]));
  });
});

const wirePayload = z.object({
  metadata: z.record(z.string(), z.string()),
  data: z.string().optional(),
});
type WirePayload = z.output<typeof wirePayload>;

/** Returns every encrypted payload inside a value, at any depth. */
function payloadsIn(value: unknown): WirePayload[] {
  if (typeof value !== 'object' || value === null) return [];
  const parsed = wirePayload.safeParse(value);
  const isOurs =
    parsed.success &&
    Buffer.from(parsed.data.metadata['encoding'] ?? '', 'base64').toString() === 'binary/encrypted';
  return isOurs ? [parsed.data] : Object.values(value).flatMap(payloadsIn);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
