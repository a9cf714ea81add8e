/**
 * Tests setting fields of many checks at once, over /v1 and on a real database: plan, rollout, undo, and what
 * housekeeping deletes. The rollouts run in the process of the test.
 *
 * Covers:
 * - services/rollouts/set-fields
 * - services/lists/patch-body
 * - models/rollouts/rollouts
 */
import { STORED_SECRET_PURPOSE } from '../../../src/contracts/seal-contexts';
import { createHousekeeping } from '../../../src/models';
import { createTextSealer } from '../../../src/platform/sealing';
import { carryOutAll } from '../../services/rollouts/memory-service';
import {
  accountOfEach,
  agentOf,
  SECRET_KEY,
  suiteService,
  type TestAccount,
} from '../test-service';

const service = suiteService();
const account: TestAccount = accountOfEach(service);
const as = (key?: string) => agentOf(service, account)(key);

const DAY_MS = 24 * 3_600_000;

async function create(changes: object = {}, path = '/v1/monitors'): Promise<string> {
  const body = { name: 'm', url: 'https://shop.example.com/', ...changes };
  const answer = await as().post(path).send(body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const bulk = (body: object, path = '/v1/monitors/bulk') =>
  as()
    .post(path)
    .send({ action: 'set', ...body });
const read = async (path: string) => (await as().get(path)).body;
const carryOut = () => carryOutAll(service.services, account.id);

it('a plan of a rollout changes nothing', async () => {
  const [plain, fast] = [await create(), await create({ name: 'fast', interval: 30 })];
  const job = await create({ type: 'heartbeat', url: undefined, schedule: { everySeconds: 600 } });
  const ids = [plain, fast, job, 'mon_x'];
  const answer = await bulk({ ids, set: { interval: 30 }, dryRun: true });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    summary: { total: 4, change: 1, unchanged: 1, invalid: 2 },
    items: [
      {
        id: plain,
        name: 'm',
        type: 'monitor',
        changes: [{ path: 'interval', before: 60, after: 30 }],
      },
      { id: fast, name: 'fast', type: 'monitor', changes: [] },
    ],
    problems: [
      expect.objectContaining({ id: 'mon_x', code: 'not_found' }),
      expect.objectContaining({ id: job, path: 'interval', code: 'unknown_field' }),
    ],
  });
  expect((await read('/v1/rollouts')).data).toEqual([]);
});

it('a rollout is refused with every problem, and changes nothing', async () => {
  const ids = [await create(), await create()];
  const answer = await bulk({ ids, set: { regions: ['moon'], timeoutMs: 1 }, unset: ['tags'] });
  expect(answer.body).toMatchObject({ status: 400, code: 'validation_failed' });
  const { errors } = answer.body;
  expect(errors.map(({ path }: { path: string }) => path)).toEqual([
    'set.timeoutMs',
    'set.timeoutMs',
  ]);
  expect(errors[0].message).toContain(`(${ids[0]}, m)`);
  const unknown = await bulk({ ids, set: { regions: ['moon'] } });
  expect(unknown.body).toMatchObject({ status: 400, code: 'unknown_region' });
  expect((await read('/v1/rollouts')).data).toEqual([]);
});

it('a rollout cannot be empty, and cannot set secret values or fields such as the name and the URL', async () => {
  const ids = [await create()];
  const variables = { token: { value: 'long-secret-value', secret: true } };
  const set = { name: 'x', url: 'http://x', enabled: false, nonsense: 1, variables, tags: [] };
  const answer = await bulk({ ids, set, unset: ['tags', 'steps'] });
  expect(
    answer.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
  ).toEqual([
    ['set.name', 'invalid_value'],
    ['set.url', 'invalid_value'],
    ['set.enabled', 'invalid_value'],
    ['set.nonsense', 'unknown_field'],
    ['unset[1]', 'invalid_value'],
    ['unset[0]', 'invalid_value'],
    ['set.variables.token', 'invalid_value'],
  ]);
  expect((await bulk({ ids })).body.errors).toMatchObject([{ path: 'set', code: 'required' }]);
});

it('a rollout sets fields of monitors and scenarios, shows its progress, and can be undone completely', async () => {
  const monitor = await create({
    variables: { token: { value: 'long-secret-value', secret: true } },
  });
  const steps = [{ name: 'a', url: 'http://example.com' }];
  const scenario = await create({ url: undefined, steps, tags: ['old'] }, '/v1/scenarios');
  const before = [await read(`/v1/monitors/${monitor}`), await read(`/v1/scenarios/${scenario}`)];
  const set = { interval: 600, variables: { token: null }, group: 'shop' };
  const ids = [monitor, scenario];
  const started = await bulk({ ids, set, unset: ['tags'] }, '/v1/checks/bulk');
  expect(started.status).toBe(202);
  const path = `/v1/rollouts/${started.body.id}`;
  expect(started.headers['location']).toBe(path);
  expect(service.gateway.callsOf(account.id)).toEqual(['wakeRollouts']);
  expect(await read(path)).toMatchObject({ state: 'waiting', progress: { total: 2, pending: 2 } });
  await carryOut();
  expect(await read(path)).toMatchObject({
    state: 'ended',
    cause: { type: 'edit' },
    progress: { total: 2, pending: 0, changed: 2 },
    undoUntil: new Date(service.clock.nowMs + DAY_MS).toISOString(),
    items: { data: [{ id: scenario }, { id: monitor }], nextCursor: null },
  });
  expect(await read(`/v1/monitors/${monitor}`)).toMatchObject({ interval: 600, group: 'shop' });
  expect(await read(`/v1/scenarios/${scenario}`)).toMatchObject({ interval: 600, tags: [] });
  const undone = await as().post(`${path}/undo`);
  expect(undone.status).toBe(202);
  await carryOut();
  const after = [await read(`/v1/monitors/${monitor}`), await read(`/v1/scenarios/${scenario}`)];
  for (const [
    index,
    { version: _version, updatedAt: _updatedAt, nextCheckAt: _next, ...definition },
  ] of before.entries())
    expect(after[index]).toMatchObject(definition);
  expect((await as().post(`${path}/undo`)).body).toMatchObject({ code: 'not_undoable' });
  const events = await read('/v1/audit-events');
  expect(events.data.map(({ action }: { action: string }) => action).sort()).toEqual([
    'monitor.create',
    'monitor.update',
    'monitor.update',
    'rollout.create',
    'rollout.end',
    'rollout.end',
    'rollout.start',
    'rollout.start',
    'rollout.undo',
    'scenario.create',
    'scenario.update',
    'scenario.update',
  ]);
});

it('a request repeated with the same idempotency key starts one rollout', async () => {
  const ids = [await create()];
  const body = { ids, action: 'set', set: { interval: 90 } };
  const send = () => as().post('/v1/monitors/bulk').set('Idempotency-Key', 'once').send(body);
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect((await read('/v1/rollouts')).data).toHaveLength(1);
  await carryOut();
});

it('replaced definitions are encrypted again when the key changes, and the rollout can still be undone', async () => {
  const { database, clock, services } = service;
  const value = 'long-secret-value';
  const id = await create({ variables: { token: { value, secret: true } } });
  const started = await bulk({ ids: [id], set: { variables: { token: null } } });
  await carryOut();
  const rotated = createTextSealer(['cd'.repeat(32), SECRET_KEY], STORED_SECRET_PURPOSE);
  const now = { now: () => clock.nowMs };
  await createHousekeeping(database.database, now, rotated).rotateSecrets(5_000);
  const item = await services.stores.rolloutItems.find(
    { accountId: account.id, rolloutId: started.body.id },
    id,
  );
  const { variables } = JSON.parse(item?.attempt?.before ?? '{}');
  const onlyNew = createTextSealer(['cd'.repeat(32)], STORED_SECRET_PURPOSE);
  expect(onlyNew.open(variables[0].value, `variable:${account.id}:${id}:token`)).toBe(value);
  await as().post(`/v1/rollouts/${started.body.id}/undo`);
  await carryOut();
  expect((await read(`/v1/monitors/${id}`)).variables).toEqual({ token: { secret: true } });
});

it('replaced definitions are kept for a day, and rollouts for thirty days', async () => {
  const { database, clock, services } = service;
  const ids = [await create()];
  const { id: rolloutId } = (await bulk({ ids, set: { interval: 90 } })).body;
  await carryOut();
  const { sweepExpired } = createHousekeeping(database.database, { now: () => clock.nowMs });
  const [name, path] = [{ accountId: account.id, rolloutId }, `/v1/rollouts/${rolloutId}`];
  const find = () => services.stores.rolloutItems.find(name, ids[0] ?? '');
  await sweepExpired(5_000);
  expect((await find())?.attempt).not.toBeNull();
  clock.nowMs += DAY_MS;
  await sweepExpired(5_000);
  expect((await find())?.attempt).toBeNull();
  expect((await as().post(`${path}/undo`)).body).toMatchObject({ code: 'not_undoable' });
  clock.nowMs += 30 * DAY_MS;
  await sweepExpired(5_000);
  expect(await find()).toBeNull();
  expect((await as().get(path)).status).toBe(404);
});
