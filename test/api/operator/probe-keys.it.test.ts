/**
 * Tests keys of probes over /v1: who may create them, and which parts of a key are shown afterwards.
 *
 * Covers:
 * - services/regions/probe-keys
 * - services/regions/rotate-region-key
 */
import request from 'supertest';
import { parseProbeKey } from '../../../src/contracts/probe-key';
import { PROBE_KEYS_PATH } from '../../../src/contracts/probe-protocol';
import { deriveRegionKeys } from '../../../src/platform/sealing';
import { openCli } from '../../cli/in-process-cli';
import { asProbe } from '../../support/as-probe';
import { SECRET_KEY, suiteService, type TestAccount } from '../test-service';

const service = suiteService();
let first: TestAccount;
let second: TestAccount;

beforeAll(async () => {
  first = await service.newAccount();
  second = await service.newAccount();
  const { accounts } = service.database.database.models;
  await accounts.updateOne({ _id: first.id }, { $set: { first: true } });
});

const as = ({ key }: TestAccount) =>
  request.agent(service.app).set('Authorization', `Bearer ${key}`);

async function make(region: string) {
  const made = await as(first).post('/v1/probe-keys').send({ region, name: 'rack 4' });
  expect(made.status).toBe(201);
  const key = parseProbeKey(made.body.key);
  if (key === null) throw new Error('no key was made');
  return { made, key };
}

const askKeys = (key: Parameters<typeof asProbe>[0]) =>
  request(service.app).get(PROBE_KEYS_PATH).set(asProbe(key).headers).responseType('blob');

it('a key of a probe is shown once, and gives access to the encryption keys of its region', async () => {
  const { made, key } = await make('eu-west');
  expect(key).toMatchObject({ region: 'eu-west', id: made.body.id });
  expect(made.headers['location']).toBe(`/v1/probe-keys/${made.body.id}`);
  const path = `/v1/probe-keys/${made.body.id}`;
  const { key: _shown, ...rest } = made.body;
  expect((await as(first).get(path)).body).toEqual({ ...rest, lastUsedAt: null });
  const answer = await askKeys(key);
  expect(asProbe(key).open(answer.body, PROBE_KEYS_PATH)).toEqual({
    keys: deriveRegionKeys([SECRET_KEY], 'eu-west'),
  });
  const list = await as(first).get('/v1/probe-keys');
  expect(list.body.data[0]).toEqual({ ...rest, lastUsedAt: expect.any(String) });
  expect(list.text).not.toContain(key.secret);
  const stored = await service.database.database.models.probeKeys.find({}).lean();
  expect(JSON.stringify(stored)).not.toContain(key.secret);
});

it('a key of a probe is refused with its own error code after its revocation', async () => {
  const { made, key } = await make('eu-west');
  const path = `/v1/probe-keys/${made.body.id}`;
  for (const _again of [1, 2]) expect((await as(first).delete(path)).status).toBe(204);
  const refused = await askKeys(key);
  expect([refused.status, JSON.parse(refused.body.toString()).code]).toEqual([
    401,
    'revoked_token',
  ]);
  expect((await as(first).get(path)).body.revokedAt).toEqual(expect.any(String));
});

it('a key of a probe is valid only for its own region and with its own secret', async () => {
  const { key } = await make('eu-west');
  const forged = [
    { ...key, region: 'us-east' },
    { ...key, secret: '0'.repeat(64) },
    { ...key, id: service.services.newId('probeKey') },
    { ...key, id: 'local' },
  ];
  for (const other of forged) {
    const { status, body } = await askKeys(other);
    expect([status, JSON.parse(body.toString()).code]).toEqual([401, 'invalid_token']);
  }
});

it('keys of probes are available only to the first account, with scope admin', async () => {
  const { made } = await make('eu-west');
  const path = `/v1/probe-keys/${made.body.id}`;
  const lesser = await as(first)
    .post('/v1/api-keys')
    .send({ name: 'w', scopes: ['write'] });
  const asked = async (who: TestAccount) => {
    const answers = [
      await as(who).get('/v1/probe-keys'),
      await as(who).post('/v1/probe-keys').send({ region: 'eu-west' }),
      await as(who).get(path),
      await as(who).delete(path),
    ];
    return answers.map(({ status, body }) => body.code ?? [status, body.data]);
  };
  const refused = 'insufficient_scope';
  expect(await asked({ ...first, key: lesser.body.key })).toEqual(Array(4).fill(refused));
  expect(await asked(second)).toEqual([[200, []], refused, 'not_found', 'not_found']);
  expect((await as(first).get(path)).body.revokedAt).toBeNull();
  const sessions = await Promise.all([first, second].map((who) => as(who).get('/v1/session')));
  expect(sessions.map(({ body }) => body.runsInstallation)).toEqual([true, false]);
});

it('each rotation gives a region a new key, and only the first account can start a rotation', async () => {
  const rotate = (who: TestAccount, region: string) =>
    as(who).post('/v1/regions/rotate-key').send({ region });
  const { key } = await make('us-east');
  const { status, body } = await rotate(first, 'us-east');
  expect([status, body]).toEqual([
    200,
    { id: 'us-east', rotations: 1, rotatedAt: expect.any(String) },
  ]);
  const answer = await askKeys(key);
  expect(asProbe(key).open(answer.body, PROBE_KEYS_PATH)).toEqual({
    keys: deriveRegionKeys([SECRET_KEY], 'us-east', 1),
  });
  expect((await rotate(first, 'us-east')).body.rotations).toBe(2);
  expect((await rotate(first, 'nowhere')).body.code).toBe('unknown_region');
  expect((await rotate(second, 'us-east')).body.code).toBe('insufficient_scope');
});

it('an invalid body for a key of a probe is refused with every problem', async () => {
  const { status, body } = await as(first)
    .post('/v1/probe-keys')
    .send({ region: 'EU West', name: '', secret: 'x' });
  expect(status).toBe(400);
  const paths = body.errors.map(({ path }: { path: string }) => path);
  expect(paths.toSorted()).toEqual(['name', 'region', 'secret']);
});

it('the audit trail records that a key of a probe was created or revoked, but not the key', async () => {
  const { made, key } = await make('us-east');
  await as(first).delete(`/v1/probe-keys/${made.body.id}`);
  const { body, text } = await as(first).get('/v1/audit-events?limit=10');
  const actions = body.data
    .filter(({ resourceId }: { resourceId: string }) => resourceId === made.body.id)
    .map(({ action }: { action: string }) => action);
  expect(actions.toSorted()).toEqual(['probe_key.create', 'probe_key.delete']);
  expect(text).not.toContain(key.secret);
});

it('the command line creates, lists and revokes keys of probes, and rotates keys of regions', async () => {
  const cli = openCli({ KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: first.key });
  try {
    const made = await cli.run(['regions', 'add-probe', 'us-east', '--name', 'rack 5']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const text = made.stdout.trim();
    expect(parseProbeKey(text)).toMatchObject({ region: 'us-east' });
    const { value } = await cli.json(['regions', 'keys']);
    const isMade = ({ name }: { readonly name: string }) => name === 'rack 5';
    const [{ id }] = value.data.filter(isMade);
    expect(value.data.find(isMade)).toMatchObject({ region: 'us-east', revokedAt: null });
    expect(JSON.stringify(value)).not.toContain(text);
    expect(await cli.run(['regions', 'revoke-probe', id])).toMatchObject({ code: 0 });
    const listed = await cli.run(['regions', 'keys']);
    expect(listed.stdout).toMatch(new RegExp(`${id} +us-east +rack 5 +never +revoked`));
    const rotated = await cli.run(['regions', 'rotate-key', 'us-east']);
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('us-east') });
  } finally {
    cli.close();
  }
});
