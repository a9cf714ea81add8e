/**
 * Tests how the housekeeping continues rollouts that were never stored because a process crashed after the change. Runs
 * on a real database.
 *
 * Covers:
 * - services/environments/follow-lost-changes
 * - services/lists/try-accounts
 * - activities/rollouts/continue-rollouts
 */
import request from 'supertest';
import { continueRollouts } from '../../../src/activities/rollouts/continue-rollouts';
import { AppError } from '../../../src/platform/errors';
import type { Dependencies } from '../../../src/services/ports/dependencies';
import { carryOutAll } from '../../services/rollouts/memory-service';
import { arranged } from '../arranged';
import { agentOf, suiteService, type TestAccount } from '../test-service';

const service = suiteService();
let account: TestAccount;
/** The notices that the operator got in this test. */
const notices: Readonly<Record<string, string>>[] = [];

beforeEach(async () => {
  account = await service.newAccount();
  notices.length = 0;
});

const as = (owner = account) => agentOf(service, owner)();
const read = async (path: string, owner = account) => (await as(owner).get(path)).body;
const rolloutsOf = async (owner = account) => (await read('/v1/rollouts', owner)).data;

/** An application whose process ends before it stores a rollout. */
function dyingApp() {
  const { stores } = service.services;
  const createOnce = async () => {
    throw new AppError('unavailable', 'The process has ended.');
  };
  return service.appWith({ stores: { ...stores, rollouts: { ...stores.rollouts, createOnce } } });
}

const die = (verb: 'put' | 'patch', path: string, body: object, owner = account) =>
  request(dyingApp())[verb](path).set('Authorization', `Bearer ${owner.key}`).send(body);

/** Runs the housekeeping one minute after the last change. */
function pass(needs: Partial<Dependencies> = {}) {
  const beganAtMs = service.clock.nowMs + 61_000;
  const notifyOperator: Dependencies['notifyOperator'] = (facts) => notices.push(facts);
  const all = { ...service.services, notifyOperator, ...needs };
  const span = { beganAtMs, sinceMs: beganAtMs - 60_000 };
  return continueRollouts(all, span, new AbortController().signal);
}

const newStaging = (owner = account) => {
  const body = { key: 'staging', name: 'Staging', variables: { base: 'https://old.example' } };
  return arranged(as(owner).post('/v1/environments').send(body));
};
const newMonitor = (more: object, owner = account) =>
  arranged(
    as(owner)
      .post('/v1/monitors')
      .send({ name: 'Home', url: 'https://x.example/', ...more }),
  );
const next = { variables: { base: 'https://next.example' } };

test('if a crash interrupts a change of an environment, the rollout of the change is started once', async () => {
  const { id } = await newStaging();
  const user = await newMonitor({ url: '{{base}}/', environment: 'staging' });
  await die('patch', `/v1/environments/${id}`, next);
  expect(await rolloutsOf()).toEqual([]);
  expect(await pass()).toMatchObject({
    'rollouts of environments started': 1,
    'accounts whose rollouts failed': 0,
  });
  expect(await pass()).toMatchObject({ 'rollouts of environments started': 0 });
  const [rollout] = await rolloutsOf();
  expect(rollout).toMatchObject({ cause: { type: 'environment', key: 'staging' } });
  expect((await read(`/v1/environments/${id}`)).rolloutId).toBe(rollout.id);
  await carryOutAll(service.services, account.id);
  expect(await pass()).toMatchObject({ 'rollouts of environments started': 0 });
  expect((await read(`/v1/monitors/${user.id}`)).inherited).toMatchObject(next);
});

test('if a crash interrupts a change of a profile, the rollout of the change is started once', async () => {
  const shop = { key: 'shop', name: 'Shop', set: { interval: 60 } };
  const { id } = await arranged(as().post('/v1/profiles').send(shop));
  const monitor = await newMonitor({ profile: 'shop' });
  const changed = await die('patch', `/v1/profiles/${id}`, { set: { interval: 120 } });
  expect(await rolloutsOf()).toEqual([]);
  expect(await pass()).toMatchObject({
    'rollouts of profiles started': 1,
    'accounts with rollouts': 1,
  });
  expect(await pass()).toMatchObject({ 'rollouts of profiles started': 0 });
  expect(await rolloutsOf()).toMatchObject([{ id: changed.body.rolloutId }]);
  await carryOutAll(service.services, account.id);
  expect((await read(`/v1/monitors/${monitor.id}`)).interval).toBe(120);
});

test('if changes of an environment and of variables are interrupted, a single rollout applies them to each monitor', async () => {
  await arranged(
    as()
      .put('/v1/variables')
      .send({ variables: { path: 'old' } }),
  );
  const { id } = await newStaging();
  const both = await newMonitor({ url: '{{base}}/{{path}}', environment: 'staging' });
  await die('patch', `/v1/environments/${id}`, next);
  await die('put', '/v1/variables', { variables: { path: 'next' } });
  expect(await pass()).toMatchObject({ 'rollouts of environments started': 1 });
  expect(await pass()).toMatchObject({ 'rollouts of environments started': 0 });
  expect(await rolloutsOf()).toMatchObject([{ progress: { total: 1 } }]);
  await carryOutAll(service.services, account.id);
  expect((await read(`/v1/monitors/${both.id}`)).inherited.variables).toEqual({
    base: 'https://next.example',
    path: 'next',
  });
});

describe('an account whose rollouts fail', () => {
  let other: TestAccount;

  beforeEach(async () => {
    other = await service.newAccount();
    for (const owner of [account, other]) {
      const { id } = await newStaging(owner);
      await newMonitor({ url: '{{base}}/', environment: 'staging' }, owner);
      await die('patch', `/v1/environments/${id}`, next, owner);
    }
  });

  /** Dependencies with which reading the monitors of the first account fails. */
  const failing = (error: Error): Partial<Dependencies> => {
    const { stores } = service.services;
    const list: typeof stores.monitors.list = async (accountId, query) => {
      if (accountId === account.id) throw error;
      return stores.monitors.list(accountId, query);
    };
    return { stores: { ...stores, monitors: { ...stores.monitors, list } } };
  };

  test('an account whose rollouts fail does not delay other accounts, and the operator is notified', async () => {
    expect(await pass(failing(new Error('unreadable')))).toMatchObject({
      'rollouts of environments started': 1,
      'accounts whose rollouts failed': 1,
    });
    expect(await rolloutsOf(other)).toHaveLength(1);
    expect(notices).toEqual([
      { accountId: account.id, reason: expect.stringContaining('unreadable') },
    ]);
  });

  test("an account's failed rollouts are retried if the database was unavailable", async () => {
    const away = new AppError('unavailable', 'The database is away.');
    await expect(pass(failing(away))).rejects.toBe(away);
    expect(await rolloutsOf(other)).toHaveLength(1);
    expect(await pass()).toMatchObject({ 'rollouts of environments started': 1 });
  });
});
