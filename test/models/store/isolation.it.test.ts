/** Tests that data of an account is never seen, changed or counted by another account, in any store. */
import {
  FIRST_SLOT_MS,
  monitorRecord,
  monitorRow,
  newId,
  pendingStatus,
  runRecord,
  scenarioRecord,
  scenarioRow,
  stepDefinition,
} from '../example-records';
import { withStores } from '../with-stores';

const db = withStores();

const everyResult = {
  regions: ['eu-west', 'us-east'],
  fromMs: null,
  toMs: null,
  status: null,
  limit: 10,
  after: null,
};
const firstPage = { limit: 10, beforeId: null };
const everyRun = { fromMs: null, toMs: null, region: null, status: null, trigger: null };
const nothing = { items: [], hasMore: false };

/** Creates an account with one object of every kind. */
async function fullAccount() {
  const accountId = newId('account');
  const monitor = monitorRow(accountId, { key: 'shop' });
  const scenario = scenarioRow(accountId, { key: 'shop' });
  const user = {
    id: newId('user'),
    accountId,
    personId: newId('person'),
    email: `${accountId}@example.com`,
    role: 'owner',
    createdAtMs: FIRST_SLOT_MS,
    joinedAtMs: FIRST_SLOT_MS,
  } as const;
  await db.stores.users.create(accountId, user);
  for (const { id } of [monitor, scenario])
    await db.stores.statuses.create(accountId, pendingStatus(accountId, id));
  await db.stores.monitors.create(accountId, monitor);
  await db.stores.scenarios.create(accountId, scenario);
  const revision = { kind: 'monitor', id: monitor.id, revision: 1, variables: [] } as const;
  await db.stores.revisions.save(accountId, { ...revision, steps: [stepDefinition()] });
  const incident = {
    id: newId('incident'),
    openedAtMs: FIRST_SLOT_MS,
    closedAtMs: null,
    cause: null,
    regions: [],
    firstRunId: null,
  };
  await db.recorder.recordMonitorCheck(
    monitorRecord({ accountId, monitorId: monitor.id, health: 'down', incident }),
  );
  const run = runRecord({ accountId, scenarioId: scenario.id });
  await db.recorder.saveRun(run);
  return { accountId, monitor, scenario, user, run };
}

test('another account cannot read what an account owns', async () => {
  const { accountId, monitor, scenario, user, run } = await fullAccount();
  const view = async (asAccount: string) => ({
    user: await db.stores.users.find(asAccount, user.id),
    monitor: await db.stores.monitors.find(asAccount, monitor.id),
    monitors: await db.stores.monitors.list(asAccount, firstPage),
    scenario: await db.stores.scenarios.find(asAccount, scenario.id),
    scenarios: await db.stores.scenarios.list(asAccount, firstPage),
    revision: await db.stores.revisions.find(asAccount, 'monitor', monitor.id, 1),
    statuses: await db.stores.statuses.findMany(asAccount, [monitor.id, scenario.id]),
    results: await db.stores.results.page(asAccount, { ...everyResult, monitorId: monitor.id }),
    counts: await db.stores.results.count(asAccount, { ...everyResult, monitorId: monitor.id }),
    run: await db.stores.runs.find(asAccount, run.runId),
    runs: await db.stores.runs.page(asAccount, {
      ...everyRun,
      ...firstPage,
      scenarioId: scenario.id,
    }),
    incidents: await db.stores.incidents.page(asAccount, { ...firstPage, resourceId: null }),
    incident: await db.stores.incidents.findOpen(asAccount, monitor.id),
  });
  expect(await view(newId('account'))).toMatchObject({
    user: null,
    monitor: null,
    monitors: nothing,
    scenario: null,
    scenarios: nothing,
    revision: null,
    statuses: [],
    results: nothing,
    counts: { total: 0, missed: 0 },
    run: null,
    runs: nothing,
    incidents: nothing,
    incident: null,
  });
  expect(await view(accountId)).toMatchObject({
    user,
    monitor,
    scenario,
    run,
    counts: { total: 2, down: 2 },
    incidents: { items: [{ resourceId: monitor.id }] },
    statuses: [expect.anything(), expect.anything()],
  });
});

test('no write of another account changes what an account owns', async () => {
  const { accountId, monitor, scenario, run } = await fullAccount();
  const other = newId('account');
  const snapshot = async () => ({
    monitor: await db.stores.monitors.find(accountId, monitor.id),
    scenario: await db.stores.scenarios.find(accountId, scenario.id),
    statuses: await db.stores.statuses.findMany(accountId, [monitor.id, scenario.id]),
    results: await db.stores.results.page(accountId, { ...everyResult, monitorId: monitor.id }),
    run: await db.stores.runs.find(accountId, run.runId),
    incident: await db.stores.incidents.findOpen(accountId, monitor.id),
  });
  const before = await snapshot();
  const slotMs = FIRST_SLOT_MS + 60_000;
  const ofMonitor = { accountId: other, monitorId: monitor.id, slotMs };
  const ofScenario = { accountId: other, scenarioId: scenario.id, slotMs };
  expect(await db.stores.monitors.replace(other, { ...monitor, name: 'mine now' }, 1)).toBe(false);
  expect(await db.stores.scenarios.replace(other, { ...scenario, name: 'mine now' }, 1)).toBe(
    false,
  );
  expect(await db.stores.monitors.remove(other, monitor.id)).toBe(false);
  expect(await db.stores.scenarios.remove(other, scenario.id)).toBe(false);
  expect(await db.recorder.recordMonitorCheck(monitorRecord(ofMonitor))).toEqual({ gone: true });
  expect(await db.recorder.recordScenarioSlot(scenarioRecord(ofScenario))).toEqual({ gone: true });
  const hijacked = { ...run, accountId: other, sequence: 9, status: 'passed' } as const;
  expect(await db.recorder.saveRun(hijacked)).toEqual({ gone: true });
  await db.stores.runs.save(other, hijacked);
  expect(await snapshot()).toEqual(before);
});

test('a key can be used and removed only by its account, and a session only by its person', async () => {
  const [accountId, other] = [newId('account'), newId('account')];
  const times = { createdAtMs: FIRST_SLOT_MS, lastSeenAtMs: FIRST_SLOT_MS };
  const [personId, otherPerson] = [newId('person'), newId('person')];
  const session = { hash: `s ${accountId}`, personId, accountId, userId: newId('user'), ...times };
  const key = {
    id: newId('apiKey'),
    accountId,
    name: 'CI',
    hash: `k ${accountId}`,
    prefix: 'kw_abcd',
    last4: 'wxyz',
    scopes: ['read'],
    expiresAtMs: null,
    revokedAtMs: null,
    createdAtMs: FIRST_SLOT_MS,
    lastUsedAtMs: null,
  } as const;
  await db.stores.sessions.create(session);
  await db.stores.apiKeys.create(accountId, key);
  const muchLaterMs = FIRST_SLOT_MS + 3_600_000;
  await db.stores.sessions.touch(otherPerson, session.hash, muchLaterMs);
  await db.stores.sessions.remove(otherPerson, session.hash);
  await db.stores.sessions.removeAllIn(other, session.userId);
  expect(await db.stores.sessions.listForPerson(otherPerson)).toEqual([]);
  await db.stores.apiKeys.touch(other, key.id, muchLaterMs);
  expect(await db.stores.sessions.findByHash(session.hash)).toEqual(session);
  expect(await db.stores.apiKeys.findByHash(key.hash)).toEqual(key);
});

test('a store writes for the account that is passed in, even if the record names another account', async () => {
  const [accountId, other] = [newId('account'), newId('account')];
  const monitor = monitorRow(other);
  await db.stores.monitors.create(accountId, monitor);
  expect(await db.stores.monitors.find(other, monitor.id)).toBeNull();
  expect(await db.stores.monitors.find(accountId, monitor.id)).toEqual({ ...monitor, accountId });
});

test('a query operator instead of an id finds nothing', async () => {
  const { accountId, monitor } = await fullAccount();
  const operator = JSON.parse('{"$gt":""}');
  await expect(db.stores.monitors.find(operator, monitor.id)).rejects.toThrow();
  await expect(db.stores.monitors.find(accountId, operator)).rejects.toThrow();
  await expect(db.stores.users.findByEmail(accountId, operator)).rejects.toThrow();
  await expect(db.stores.people.findByEmail(operator)).rejects.toThrow();
});

test('people, links, quotas and the audit trail are seen and changed only by their own account', async () => {
  const [accountId, other] = [newId('account'), newId('account')];
  const { user } = await fullAccount();
  const owner = user.accountId;
  const times = { createdAtMs: FIRST_SLOT_MS, expiresAtMs: FIRST_SLOT_MS + 1_000 };
  const memberId = newId('user');
  const invitation = {
    id: newId('invitation'),
    memberId,
    accountId,
    email: `${accountId}@example.com`,
    role: 'viewer',
    hash: `i ${accountId}`,
    ...times,
  } as const;
  const { personId } = user;
  const token = { hash: `t ${accountId}`, personId, ...times };
  const event = {
    id: newId('audit'),
    accountId,
    atMs: FIRST_SLOT_MS,
    actor: { type: 'user', id: user.id, name: user.email },
    action: 'monitor.create',
    resourceType: 'monitor',
    resourceId: null,
    before: null,
    after: { 'a.b': { $set: 1 } },
    requestId: 'req',
    ip: null,
  } as const;
  await db.stores.invitations.create(accountId, invitation);
  await db.stores.passwordTokens.create(token);
  await db.stores.audit.add(accountId, [event]);
  await db.stores.users.setRole(other, user.id, 'viewer');
  expect(await db.stores.users.remove(other, user.id)).toBeNull();
  expect(await db.stores.users.find(owner, user.id)).toEqual(user);
  expect(await db.stores.users.list(other, firstPage)).toEqual(nothing);
  expect(await db.stores.users.count(other)).toBe(0);
  expect(await db.stores.users.findByEmail(other, user.email)).toBeNull();
  expect(await db.stores.invitations.find(other, invitation.id)).toBeNull();
  expect(await db.stores.invitations.list(other, { ...firstPage, nowMs: 0 })).toEqual(nothing);
  await db.stores.invitations.setRole(other, invitation.id, { role: 'owner', createdBy: null });
  expect(await db.stores.invitations.findByMember(other, memberId, 0)).toBeNull();
  expect(await db.stores.invitations.findByMember(accountId, memberId, 0)).toEqual(invitation);
  expect(await db.stores.invitations.remove(other, invitation.id)).toBe(false);
  expect(await db.stores.invitations.find(accountId, invitation.id)).toEqual(invitation);
  await db.stores.passwordTokens.removeForPerson(newId('person'));
  expect(await db.stores.passwordTokens.findByHash(token.hash)).toEqual(token);
  expect(await db.stores.audit.page(other, firstPage)).toEqual(nothing);
  expect((await db.stores.audit.page(accountId, firstPage)).items).toEqual([event]);
});
