/**
 * Tests one scenario in two environments against a real target, on the whole service. Each run sends the values and the
 * secret of its environment. No record, log or history contains a secret.
 */
import { z } from 'zod';
import type { ApiClient } from '../support/api-client';
import { never } from '../support/never';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { openSharedService, type SharedService } from '../support/shared-service';
import { waitUntil } from '../support/wait-until';

const SECRETS = { staging: 'value-of-staging-token', prod: 'value-of-prod-token' } as const;
const idShape = z.looseObject({ id: z.string() });
const runShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  environment: z.string().nullable(),
});
const anyShape = z.unknown();

let service: SharedService;
let targets: Record<'staging' | 'prod', RecordingTarget>;
let api: ApiClient;

const answer = async (_request: unknown, response: { end: (text: string) => unknown }) => {
  response.end('ok');
};

beforeAll(async () => {
  targets = {
    staging: await startRecordingTarget(answer),
    prod: await startRecordingTarget(answer),
  };
  service = await openSharedService();
  ({ api } = await service.newAccount());
});
afterAll(async () => {
  await service?.close();
  await targets?.staging.close();
  await targets?.prod.close();
});

const send = (method: string, path: string, body: object, status = 201) =>
  api.call({ method, path, body }, { status, shape: idShape });

async function addEnvironment(key: 'staging' | 'prod'): Promise<string> {
  const value = SECRETS[key];
  const secret = { method: 'PUT', path: `/v1/secrets/${key}-token`, body: { value } };
  await api.call(secret, { status: 201, shape: anyShape });
  const variables = { base: targets[key].origin };
  const body = { key, name: key, variables, secrets: { token: `${key}-token` } };
  return (await send('POST', '/v1/environments', body)).id;
}

const run = (id: string, body: object) =>
  api.call(
    { method: 'POST', path: `/v1/scenarios/${id}/run?wait=60`, body },
    { status: 200, shape: runShape },
  );

const seenBy = (key: 'staging' | 'prod') =>
  targets[key].received.map(({ url, headers }) => `${url} ${headers['authorization'] ?? ''}`);

test('a scenario runs in two environments, each with its own target and secret', async () => {
  const staging = await addEnvironment('staging');
  await addEnvironment('prod');
  const step = {
    name: 'orders',
    url: '{{base}}/orders/{{path}}',
    headers: { authorization: 'Bearer {{secret:token}}' },
  };
  const variables = { path: 'all' };
  await api.call(
    { method: 'PUT', path: '/v1/variables', body: { variables } },
    { status: 200, shape: anyShape },
  );
  const body = { name: 'orders', steps: [step], interval: 604_800, environment: 'staging' };
  const { id } = await send('POST', '/v1/scenarios', {
    ...body,
    enabled: false,
    regions: ['eu-west'],
  });
  expect(await run(id, {})).toMatchObject({ status: 'passed', environment: null });
  expect(await run(id, { environment: 'prod' })).toMatchObject({
    status: 'passed',
    environment: 'prod',
  });
  expect(seenBy('staging')).toEqual([`/orders/all Bearer ${SECRETS.staging}`]);
  expect(seenBy('prod')).toEqual([`/orders/all Bearer ${SECRETS.prod}`]);
  await send('PATCH', `/v1/environments/${staging}`, { variables: { path: 'new' } }, 200);
  await waitUntil('the scenario follows its environment', async () => {
    const scenario = { method: 'GET', path: `/v1/scenarios/${id}` };
    const shown = await api.call(scenario, { status: 200, shape: anyShape });
    return JSON.stringify(shown).includes('"path":"new"');
  });
  await run(id, {});
  expect(seenBy('staging').at(-1)).toBe(`/orders/new Bearer ${SECRETS.staging}`);
  const shown = await Promise.all(
    [
      `/v1/scenarios/${id}`,
      `/v1/scenarios/${id}/results`,
      '/v1/environments',
      '/v1/rollouts',
      '/v1/audit-events',
      '/v1/export',
    ].map((path) => api.call({ method: 'GET', path }, { status: 200, shape: anyShape })),
  );
  const texts = [JSON.stringify(shown), ...(await service.readLogs())];
  for (const value of Object.values(SECRETS))
    await never(() => expect(texts.filter((text) => text.includes(value))).toEqual([]));
});
