/**
 * Tests rollouts while profiles and environments change, on a database in memory.
 *
 * Covers:
 * - services/rollouts/run-rollout
 * - services/rollouts/has-current-layers
 */
import type { JsonObject } from '../../../src/contracts/operations/rollouts';
import type { Monitor } from '../../../src/models/resources/monitors';
import { previewEnvironment } from '../../../src/services/environments/environments';
import type { Dependencies } from '../../../src/services/ports/dependencies';
import { startRollout } from '../../../src/services/rollouts/start-rollout';
import { undoRollout } from '../../../src/services/undo/undo-rollout';
import { ACCOUNT, ACTOR, carryOutAll, createMemoryService } from './memory-service';

const PRINCIPAL = { accountId: ACCOUNT, actor: ACTOR, scopes: ['write'], keyLimits: null } as const;

interface Layers {
  readonly profiles: Map<string, { key: string; set: JsonObject; setVersion: number }>;
  readonly environments: Map<string, { key: string; variables: unknown; secrets: unknown }>;
}

/**
 * Opens a service with one monitor and changing layers. `act` is called once, between composing and saving the monitor.
 */
async function open(act: (layers: Layers) => void = () => undefined) {
  const service = createMemoryService();
  const { id } = await service.addMonitor({ name: 'plain', url: 'http://a.example' });
  const layers: Layers = { profiles: new Map(), environments: new Map() };
  const { needs } = service.newProcess();
  let hasActed = false;
  const find = (map: ReadonlyMap<string, unknown>) => async (_accountId: string, key: string) =>
    structuredClone(map.get(key) ?? null);
  const stores = {
    ...needs.stores,
    profiles: {
      ...needs.stores.profiles,
      findByKey: find(layers.profiles),
      findVersion: async (_accountId: string, key: string) =>
        layers.profiles.get(key)?.setVersion ?? null,
    },
    environments: { ...needs.stores.environments, findByKey: find(layers.environments) },
    rolloutItems: {
      ...needs.stores.rolloutItems,
      noteAttempts: async (...given: Parameters<typeof needs.stores.rolloutItems.noteAttempts>) => {
        await needs.stores.rolloutItems.noteAttempts(...given);
        if (!hasActed) act(layers);
        hasActed = true;
      },
    },
  };
  const process = { ...needs, stores } as never as Dependencies;
  const edit = async (set: JsonObject, unset: readonly string[] = []) => {
    service.clock.nowMs += 1_000;
    const change = { type: 'edit', set, unset } as const;
    const request = { accountId: ACCOUNT, actor: ACTOR, change, ids: [id] };
    const rollout = await startRollout(process, { ...request, cause: { type: 'edit' } });
    await carryOutAll(process);
    return rollout;
  };
  const read = (): Monitor | undefined => service.monitors.get(id);
  return { service, layers, process, edit, read };
}

const ENVIRONMENT_ID = 'env_01arz3ndektsv4rrffq69g5fav';
const profile = (key: string, interval: number, setVersion: number) =>
  ({ key, set: { interval }, setVersion }) as const;
const environment = (value: string) =>
  ({ key: 'staging', variables: [{ name: 'stage', value }], secrets: [] }) as const;

test('an edit that assigns a profile while the profile changes ends with the new values', async () => {
  const { layers, edit, read } = await open(({ profiles }) =>
    profiles.set('shop', profile('shop', 300, 2)),
  );
  layers.profiles.set('shop', profile('shop', 120, 1));
  await edit({ profile: 'shop' });
  expect(read()).toMatchObject({ intervalSeconds: 300, profileVersion: 2 });
});

test('an edit that assigns an environment while the environment changes ends with the new values', async () => {
  const { layers, edit, read } = await open(({ environments }) =>
    environments.set('staging', environment('second')),
  );
  layers.environments.set('staging', environment('first'));
  await edit({ environment: 'staging', headers: { 'X-Stage': '{{stage}}' } });
  expect(read()?.inherited?.variables).toEqual([{ name: 'stage', value: 'second' }]);
});

test('the plan of a changed environment shows the new values of the checks that use it, and stores nothing', async () => {
  const { layers, edit, read, process, service } = await open();
  layers.environments.set('staging', environment('first'));
  await edit({ environment: 'staging', headers: { 'X-Stage': '{{stage}}' } });
  const stored = { ...environment('first'), id: ENVIRONMENT_ID, name: 'Staging', version: 1 };
  const stores = {
    ...process.stores,
    environments: {
      ...process.stores.environments,
      find: async () => ({ ...stored, createdAtMs: 0, updatedAtMs: 0 }),
    },
    monitors: {
      ...process.stores.monitors,
      list: async () => ({ items: [...service.monitors.values()], hasMore: false }),
    },
  };
  const before = read();
  const { plan } = await previewEnvironment({ ...process, stores } as never, {
    accountId: ACCOUNT,
    id: stored.id,
    accept: () => undefined,
    body: { ...environment('second'), name: 'Staging' } as never,
  });
  const change = { path: 'inherited.variables.stage', before: 'first', after: 'second' };
  expect(plan.summary).toEqual({ total: 1, change: 1, unchanged: 0, invalid: 0 });
  expect(plan.items.map(({ changes }) => changes)).toEqual([[change]]);
  expect(read()).toBe(before);
});

test('the undo of an edit that removed a profile restores the profile with its current values', async () => {
  const { layers, edit, read, process } = await open();
  layers.profiles.set('shop', profile('shop', 120, 1));
  await edit({ profile: 'shop' });
  expect(read()).toMatchObject({ intervalSeconds: 120 });
  const { id } = await edit({ profile: null });
  layers.profiles.set('shop', profile('shop', 300, 2));
  await undoRollout(process, PRINCIPAL, id);
  await carryOutAll(process);
  expect(read()).toMatchObject({ profile: 'shop', intervalSeconds: 300, profileVersion: 2 });
});

test('an edit that unsets the profile removes the profile and keeps its values', async () => {
  const { layers, edit, read } = await open();
  layers.profiles.set('shop', profile('shop', 120, 1));
  await edit({ profile: 'shop' });
  await edit({}, ['profile']);
  expect(read()?.profile).toBeUndefined();
  expect(read()).toMatchObject({ intervalSeconds: 120 });
});
