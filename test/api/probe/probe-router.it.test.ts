/**
 * The internal endpoint of the probes: tokens per region, sealed answers.
 *
 * Covers:
 * - services/regions/regions
 * - services/regions/require-in-region
 * - services/resources/read-definition
 */
import request from 'supertest';
import { definitionPath, PROBE_HELLO_PATH } from '../../../src/contracts/probe-protocol';
import { asLocalProbe } from '../../support/as-probe';
import { accountOfSuite, SECRET_KEY, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
let path: string;
let monitorId: string;

beforeAll(async () => {
  const { body } = await request(service.app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ name: 'm', url: 'http://example.com/{{v}}', variables: { v: '1' } });
  monitorId = body.id;
  path = definitionPath({ accountId: account.id, kind: 'monitor', id: monitorId, revision: 1 });
});

const probe = asLocalProbe(SECRET_KEY, 'eu-west');
const asProbe = probe.headers;

it('answers the definition, sealed for exactly this path', async () => {
  const answer = await request(service.app).get(path).set(asProbe).responseType('blob');
  expect(answer.status).toBe(200);
  expect(probe.open(answer.body, path)).toMatchObject({
    definition: {
      kind: 'monitor',
      id: monitorId,
      revision: 1,
      variables: [{ name: 'v', value: '1' }],
      steps: [{ url: 'http://example.com/{{v}}', method: 'GET' }],
    },
  });
  expect(() => probe.open(answer.body, `${path}0`)).toThrow();
});

it('makes the revision from the row when a crash left none', async () => {
  const { models } = service.database.database;
  await models.revisions.deleteMany({});
  const answer = await request(service.app).get(path).set(asProbe);
  expect(answer.status).toBe(200);
  const { revisions } = service.services.stores;
  expect(await revisions.find(account.id, 'monitor', monitorId, 1)).not.toBeNull();
});

it('refuses a missing token, one of another region, and an API key', async () => {
  for (const [headers, code] of [
    [{}, 'missing_token'],
    [{ Authorization: asProbe.Authorization }, 'missing_token'],
    [{ ...asProbe, 'X-Keepwatch-Region': 'us-east' }, 'invalid_token'],
    [{ ...asProbe, 'X-Keepwatch-Region': 'EU west' }, 'invalid_token'],
    [{ ...asProbe, Authorization: `Bearer ${account.key}` }, 'invalid_token'],
  ] as const) {
    const answer = await request(service.app).get(path).set(headers);
    expect(answer.body).toMatchObject({ status: 401, code });
  }
});

it('answers 404 for what does not exist', async () => {
  for (const bad of [
    path.replace(/1$/, '2'),
    path.replace(/1$/, 'x'),
    path.replace('monitor', 'scenario'),
    path.replace('/monitor/', '/secret/'),
    path.replace(account.id, 'acc_none'),
  ]) {
    expect((await request(service.app).get(bad).set(asProbe)).status).toBe(404);
  }
});

it('notes the hello of a probe, which makes its region online until it falls silent', async () => {
  const hello = (region: string, facts: object = {}) =>
    request(service.app)
      .post(PROBE_HELLO_PATH)
      .set(asProbe)
      .send({ region, identity: 'host:1', ...facts });
  const regions = async () => {
    const { body } = await request(service.app)
      .get('/v1/regions')
      .set('Authorization', `Bearer ${account.key}`);
    return body.data;
  };
  const unseen = {
    status: 'offline',
    workers: 0,
    lastSeenAt: null,
    releases: [],
    networkSuspectSince: null,
  };
  expect(await regions()).toEqual([
    { id: 'eu-west', ...unseen },
    { id: 'us-east', ...unseen },
  ]);
  expect((await hello('eu-west')).status).toBe(204);
  const seen = new Date(service.clock.nowMs).toISOString();
  expect((await regions())[0]).toEqual({
    id: 'eu-west',
    status: 'online',
    workers: 1,
    lastSeenAt: seen,
    releases: [],
    networkSuspectSince: null,
  });
  await hello('eu-west', { release: '1.2.3' });
  await hello('eu-west', { identity: 'host:2', release: '1.3.0' });
  expect((await regions())[0]).toMatchObject({ workers: 2, releases: ['1.2.3', '1.3.0'] });
  expect((await hello('us-east')).status).toBe(401);
  service.clock.nowMs += 60_001;
  expect((await regions())[0]).toMatchObject({ status: 'offline', workers: 0, releases: [] });
});
