/**
 * Tests rollouts on a database in memory: processes that die at any write, resources that other people save in the
 * meantime, undo, and rollouts that wait.
 *
 * Covers:
 * - domain/accounts/shown-changes
 * - services/lists/patch-body
 * - services/lists/shared-calls
 * - services/resources/kind
 * - services/rollouts/change-resource
 * - services/rollouts/hash-definition
 * - services/rollouts/run-rollout
 * - services/rollouts/prepare-item
 * - services/rollouts/rollout-events
 * - services/rollouts/rollout-needs
 */
import type { RolloutChange } from '../../../src/contracts/operations/rollouts';
import type { Monitor } from '../../../src/models/resources/monitors';
import { toCanonicalJson } from '../../../src/platform/canonical-json';
import { AppError } from '../../../src/platform/errors';
import { createMonitorKind } from '../../../src/services/monitors/kind';
import { planRollout } from '../../../src/services/rollouts/plan-rollout';
import { getRollout, listRollouts } from '../../../src/services/rollouts/present-rollout';
import { startRollout } from '../../../src/services/rollouts/start-rollout';
import { wakeRollouts } from '../../../src/services/rollouts/wake-rollouts';
import { undoRollout } from '../../../src/services/undo/undo-rollout';
import {
  ACCOUNT,
  ACTOR,
  carryOutAll,
  createMemoryService,
  Death,
  type Fate,
  type MemoryService,
} from './memory-service';

const FASTER: RolloutChange = {
  type: 'edit',
  set: { interval: 30, variables: { token: null } },
  unset: ['retries'],
};
const PRINCIPAL = { accountId: ACCOUNT, actor: ACTOR, scopes: ['write'], keyLimits: null } as const;

const BODIES = [
  { name: 'plain', url: 'http://a.example' },
  { name: 'own', url: 'http://b.example', retries: 3, interval: 300 },
  {
    name: 'secret',
    url: 'http://c.example',
    variables: { token: { value: 'long-secret-value', secret: true }, shown: 'x' },
  },
  { name: 'same', url: 'http://d.example', interval: 30 },
  { name: 'job', type: 'heartbeat', schedule: { everySeconds: 600 } },
];

async function open(): Promise<MemoryService> {
  const service = createMemoryService();
  for (const body of BODIES) await service.addMonitor(body);
  return service;
}

const idsOf = ({ monitors }: MemoryService) => [...monitors.keys()];
const byName = ({ monitors }: MemoryService, name: string): Monitor => {
  const found = [...monitors.values()].find((monitor) => monitor.name === name);
  if (found === undefined) throw new Error(`no monitor ${name}`);
  return found;
};

async function startFaster(service: MemoryService, ids = idsOf(service)) {
  const { needs } = service.newProcess();
  const request = { accountId: ACCOUNT, actor: ACTOR, change: FASTER, ids };
  return startRollout(needs, { ...request, cause: { type: 'edit' } });
}

/** Returns the definitions in the form in which an undo compares them. */
function definitionsOf(service: MemoryService): readonly string[] {
  const kind = createMonitorKind(service.newProcess().needs);
  return [...service.monitors.values()].map((monitor) => toCanonicalJson(kind.readFields(monitor)));
}

/** Returns everything that is stored, and the versions that workflows got. Replaces the ids of rollouts by numbers. */
function stateOf(service: MemoryService): unknown {
  const { monitors, rollouts, items, events, gateway } = service;
  const configs = [...monitors.keys()].map(
    (id) => gateway.calls.findLast((call) => call.id === id)?.sent?.version ?? null,
  );
  // Leaves out the id of an event, because it is derived from the id of its rollout.
  const happened = [...events.values()].map(({ id: _id, ...event }) => toCanonicalJson(event));
  const stored = [monitors, rollouts, items].map((map) => [...map.values()]);
  const text = toCanonicalJson({ stored, configs, happened: happened.sort() });
  const ids = [...rollouts.keys()].sort();
  return JSON.parse(ids.reduce((all, id, index) => all.replaceAll(id, `rol_${index}`), text));
}

/** Starts a rollout and then its undo, and carries out both. The process may die on the way. */
async function playTwo(fate?: Fate) {
  const service = await open();
  const { id } = await startFaster(service);
  const process = service.newProcess(fate);
  let isDead = false;
  const live = async (): Promise<void> => {
    await carryOutAll(process.needs);
    await undoRollout(process.needs, PRINCIPAL, id);
    await carryOutAll(process.needs);
  };
  await live().catch((error: unknown) => {
    if (!(error instanceof Death)) throw error;
    isDead = true;
  });
  if (isDead) {
    const { needs } = service.newProcess();
    await carryOutAll(needs);
    const { undoneBy } = await getRollout(needs, ACCOUNT, { id, limit: 50 });
    if (undoneBy === null || !service.rollouts.has(undoneBy))
      await undoRollout(needs, PRINCIPAL, id);
    await carryOutAll(needs);
  }
  return { service, writes: process.writes, isDead };
}

test('a process that dies at any write of a rollout makes no difference to the final state', async () => {
  const undisturbed = await playTwo();
  const expected = stateOf(undisturbed.service);
  expect(undisturbed.writes).toBeGreaterThan(20);
  for (let write = 1; write <= undisturbed.writes; write += 1)
    for (const when of ['before', 'after'] as const) {
      const { service, isDead } = await playTwo({ write, when });
      expect([write, when, isDead]).toEqual([write, when, true]);
      expect([write, when, stateOf(service)]).toEqual([write, when, expected]);
    }
});

test('a rollout makes the changes that a PATCH of each resource would make, and counts the unchanged resources', async () => {
  const service = await open();
  const { id } = await startFaster(service);
  const { needs } = service.newProcess();
  await carryOutAll(needs);
  expect(byName(service, 'plain')).toMatchObject({ intervalSeconds: 30, version: 2 });
  expect(byName(service, 'own')).toMatchObject({ intervalSeconds: 30, step: { retries: 1 } });
  expect(byName(service, 'secret').variables).toEqual([{ name: 'shown', value: 'x' }]);
  expect(byName(service, 'same').version).toBe(1);
  const { progress, items, state } = await getRollout(needs, ACCOUNT, { id, limit: 50 });
  expect({ progress, state }).toEqual({
    progress: { total: 5, pending: 0, changed: 3, unchanged: 1, failed: 1, skipped: 0 },
    state: 'ended',
  });
  const job = items.data.find(({ name, reason }) => name === '' && reason !== null);
  expect(job).toMatchObject({ state: 'failed', reason: { code: 'validation_failed' } });
});

test('each changed resource gets one audit event of the person, and so do both ends of the rollout', async () => {
  const service = await open();
  await startFaster(service);
  await carryOutAll(service.newProcess().needs);
  const events = [...service.events.values()];
  expect(events.map(({ action }) => action).sort()).toEqual([
    'monitor.update',
    'monitor.update',
    'monitor.update',
    'rollout.end',
    'rollout.start',
  ]);
  expect(events.every(({ actor }) => actor.id === ACTOR.id)).toBe(true);
  const plain = events.find(({ resourceId }) => resourceId === byName(service, 'plain').id);
  expect(plain).toMatchObject({ before: { interval: 60 }, after: { interval: 30 } });
});

test('the undo of a rollout restores byte-equal definitions, and keeps pauses and times', async () => {
  const service = await open();
  const before = definitionsOf(service);
  const { id } = await startFaster(service);
  const { needs } = service.newProcess();
  await carryOutAll(needs);
  expect(definitionsOf(service)).not.toEqual(before);
  const paused = byName(service, 'own');
  const pause = { state: 'paused', pausedAtMs: 1, version: paused.version + 1 } as const;
  service.monitors.set(paused.id, { ...paused, ...pause });
  service.clock.nowMs += 3_600_000;
  await undoRollout(needs, PRINCIPAL, id);
  await carryOutAll(needs);
  expect(definitionsOf(service)).toEqual(before);
  expect(byName(service, 'own')).toMatchObject({ state: 'paused', anchorMs: service.clock.nowMs });
});

test('the undo of a rollout skips a resource that was changed after the rollout, and gives the reason', async () => {
  const service = await open();
  const { id } = await startFaster(service);
  const { needs } = service.newProcess();
  await carryOutAll(needs);
  const plain = byName(service, 'plain');
  service.monitors.set(plain.id, { ...plain, tags: ['mine'], version: plain.version + 1 });
  const undo = await undoRollout(needs, PRINCIPAL, id);
  await carryOutAll(needs);
  expect(byName(service, 'plain')).toMatchObject({ intervalSeconds: 30, tags: ['mine'] });
  const { items, progress } = await getRollout(needs, ACCOUNT, { id: undo.id, limit: 50 });
  expect(progress).toMatchObject({ changed: 2, skipped: 1 });
  const skipped = items.data.find(({ state }) => state === 'skipped');
  expect(skipped).toMatchObject({ id: plain.id, reason: { code: 'changed_since' } });
});

test.each([
  ['dependsOn', 'dependency_cycle'],
  ['hours', 'validation_failed'],
])(
  'the undo of a rollout keeps the new value of %s if another change has made the former value invalid',
  async (field, code) => {
    const service = createMemoryService();
    service.hours.set('office', { key: 'office' });
    const other = await service.addMonitor({ name: 'other', url: 'http://b.example' });
    const before = { dependsOn: [other.id], hours: 'office' };
    const { id } = await service.addMonitor({ name: 'one', url: 'http://a.example', ...before });
    const { needs } = service.newProcess();
    const change: RolloutChange = { type: 'edit', set: {}, unset: [field] };
    const request = { accountId: ACCOUNT, actor: ACTOR, change, ids: [id] };
    const rollout = await startRollout(needs, { ...request, cause: { type: 'edit' } });
    await carryOutAll(needs);
    const changed = service.monitors.get(id);
    service.monitors.set(other.id, { ...other, dependsOn: [id], version: 2 });
    service.hours.delete('office');
    const undo = await undoRollout(needs, PRINCIPAL, rollout.id);
    await carryOutAll(needs);
    expect(service.monitors.get(id)).toEqual(changed);
    const { items } = await getRollout(needs, ACCOUNT, { id: undo.id, limit: 1 });
    expect(items.data).toMatchObject([{ state: 'failed', reason: { code } }]);
  },
);

test('a resource that is saved during a rollout keeps both changes', async () => {
  const service = await open();
  await startFaster(service);
  const { needs } = service.newProcess();
  const { rolloutItems } = needs.stores;
  const plain = byName(service, 'plain');
  let isSaved = false;
  const noteAttempts: typeof rolloutItems.noteAttempts = async (...given) => {
    await rolloutItems.noteAttempts(...given);
    if (isSaved) return;
    isSaved = true;
    service.monitors.set(plain.id, { ...plain, tags: ['mine'], version: plain.version + 1 });
  };
  const stores = { ...needs.stores, rolloutItems: { ...rolloutItems, noteAttempts } };
  await carryOutAll({ ...needs, stores });
  expect(byName(service, 'plain')).toMatchObject({
    intervalSeconds: 30,
    tags: ['mine'],
    version: 3,
  });
});

test('a second rollout waits for the first, is shown as waiting, and runs afterwards', async () => {
  const service = await open();
  const first = await startFaster(service);
  service.clock.nowMs += 1;
  const second = await startFaster(service);
  const { needs } = service.newProcess();
  const show = async () => {
    const { data } = await listRollouts(needs, ACCOUNT, { limit: 10 });
    return data.map(({ id, state, waitsFor }) => ({ id, state, waitsFor }));
  };
  expect(await show()).toEqual([
    { id: second.id, state: 'waiting', waitsFor: first.id },
    { id: first.id, state: 'waiting', waitsFor: null },
  ]);
  expect(await wakeRollouts(needs, (_accountId, act) => act())).toBe(1);
  await carryOutAll(needs);
  expect(await show()).toEqual([
    { id: second.id, state: 'ended', waitsFor: null },
    { id: first.id, state: 'ended', waitsFor: null },
  ]);
  expect(service.rollouts.get(second.id)?.counts).toMatchObject({ unchanged: 4, failed: 1 });
});

test('a rollout can be undone once, only after its end, and only within a day', async () => {
  const service = await open();
  const { id } = await startFaster(service);
  const { needs } = service.newProcess();
  const refused = { code: 'not_undoable' };
  await expect(undoRollout(needs, PRINCIPAL, id)).rejects.toMatchObject(refused);
  await carryOutAll(needs);
  const undo = await undoRollout(needs, PRINCIPAL, id);
  await expect(undoRollout(needs, PRINCIPAL, id)).rejects.toMatchObject(refused);
  await carryOutAll(needs);
  await expect(undoRollout(needs, PRINCIPAL, undo.id)).rejects.toMatchObject(refused);
  const later = await startFaster(service);
  await carryOutAll(needs);
  service.clock.nowMs += 24 * 3_600_000;
  await expect(undoRollout(needs, PRINCIPAL, later.id)).rejects.toMatchObject(refused);
});

test('a rollout whose undo could not start is not shown as undone and can still be undone', async () => {
  const service = await open();
  const { id } = await startFaster(service);
  const { needs } = service.newProcess();
  await carryOutAll(needs);
  const ping = () => Promise.reject(new AppError('unavailable', 'Temporal is away.'));
  const cutOff = { ...needs, gateway: { ...needs.gateway, ping } };
  await expect(undoRollout(cutOff, PRINCIPAL, id)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await getRollout(needs, ACCOUNT, { id, limit: 50 })).toMatchObject({ undoneBy: null });
  const undo = await undoRollout(needs, PRINCIPAL, id);
  expect(await getRollout(needs, ACCOUNT, { id, limit: 50 })).toMatchObject({ undoneBy: undo.id });
});

test('a plan of a rollout names every change and every problem, and writes nothing', async () => {
  const service = await open();
  const { needs, ...process } = service.newProcess();
  const ids = [...idsOf(service), 'mon_01arz3ndektsv4rrffq69g5fav'];
  const change = { ...FASTER, set: { ...FASTER.set, interval: 20, timeoutMs: 30_000 } } as const;
  const plan = await planRollout(needs, { accountId: ACCOUNT, change, ids });
  expect(plan.items).toEqual([]);
  expect(plan.problems.map(({ name, path, code }) => [name, path, code])).toEqual([
    ...BODIES.slice(0, 4).map(({ name }) => [name, 'timeoutMs', 'out_of_bounds']),
    ['job', 'interval', 'unknown_field'],
    ['job', 'variables', 'unknown_field'],
    ['job', 'timeoutMs', 'unknown_field'],
    ['job', 'retries', 'unknown_field'],
    ['', '', 'not_found'],
  ]);
  const bounds = { ...FASTER, set: { interval: 20 } } as const;
  const bounded = await planRollout(needs, { accountId: ACCOUNT, change: bounds, ids });
  expect(bounded.problems[0]).toMatchObject({ path: 'interval', code: 'limit_reached' });
  const fine = await planRollout(needs, { accountId: ACCOUNT, change: FASTER, ids });
  expect(fine.items.map(({ name, changes }) => [name, changes])).toEqual([
    ['plain', [{ path: 'interval', before: 60, after: 30 }]],
    [
      'own',
      [
        { path: 'interval', before: 300, after: 30 },
        { path: 'retries', before: 3, after: 1 },
      ],
    ],
    [
      'secret',
      [
        { path: 'interval', before: 60, after: 30 },
        { path: 'variables.token', before: { secret: true }, after: null },
      ],
    ],
    ['same', []],
  ]);
  expect(process.writes).toBe(0);
});

test('a rollout and its events contain no secret values', async () => {
  const service = await open();
  const { needs } = service.newProcess();
  const headers = { Authorization: 'Bearer hunter2hunter2' };
  const change = { type: 'edit', set: { headers }, unset: [] } as const;
  const ids = [byName(service, 'plain').id];
  const request = { accountId: ACCOUNT, actor: ACTOR, change, ids };
  const { id } = await startRollout(needs, { ...request, cause: { type: 'edit' } });
  const shown = [await getRollout(needs, ACCOUNT, { id, limit: 50 })];
  await carryOutAll(needs);
  shown.push(await getRollout(needs, ACCOUNT, { id, limit: 50 }));
  const stored = [[...service.rollouts.values()], [...service.events.values()], shown];
  expect(JSON.stringify(stored)).not.toContain('hunter2');
  expect(byName(service, 'plain').step).toMatchObject({
    headers: [{ name: 'Authorization', value: 'Bearer hunter2hunter2' }],
  });
});
