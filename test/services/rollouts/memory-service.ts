/**
 * A service for rollouts whose database is in memory. Each process has a separate view of the service, and can die
 * before or after any of its writes. After a process has died, all its calls fail.
 */
import { createHash } from 'node:crypto';
import type { RolloutItemState } from '../../../src/contracts/operations/rollouts';
import { createIdMaker } from '../../../src/domain/definitions/ids';
import type { AuditEvent } from '../../../src/models/accounts/audit';
import type { Monitor } from '../../../src/models/resources/monitors';
import type { RolloutItem, RolloutItemStore } from '../../../src/models/rollouts/rollout-items';
import type { Rollout, RolloutStore } from '../../../src/models/rollouts/rollouts';
import type { TextSealer } from '../../../src/platform/sealing';
import { createMonitorKind } from '../../../src/services/monitors/kind';
import type { Dependencies } from '../../../src/services/ports/dependencies';
import { buildFirstVersion } from '../../../src/services/resources/resource-verbs';
import type { RolloutNeeds } from '../../../src/services/rollouts/rollout-needs';
import {
  changeResources,
  endRollout,
  openRollout,
} from '../../../src/services/rollouts/run-rollout';
import { createFakeGateway, type FakeGateway } from '../fake-gateway';

export const ACCOUNT = 'acc_01arz3ndektsv4rrffq69g5fav';
export const ACTOR = { type: 'user', id: 'usr_1', name: 'ann@example.com' } as const;
const START_MS = Date.UTC(2026, 0, 5);

export class Death extends Error {}

/** The process dies before or after the write with this number. The first write is 1. */
export interface Fate {
  readonly write: number;
  readonly when: 'before' | 'after';
}

const WRITES: ReadonlySet<string> = new Set([
  'replace',
  'save',
  'add',
  'begin',
  'end',
  'close',
  'createAll',
  'createOnce',
  'claimUndo',
  'noteAttempts',
  'noteOutcomes',
  'reopen',
  'setUndoUntil',
  'sendConfig',
]);

export interface MemoryService {
  readonly monitors: Map<string, Monitor>;
  readonly rollouts: Map<string, Rollout>;
  readonly items: Map<string, RolloutItem>;
  readonly events: Map<string, AuditEvent>;
  readonly gateway: FakeGateway;
  readonly hours: Map<string, { readonly key: string }>;
  readonly clock: { nowMs: number };
  /** Starts a process. Returns the needs of the process, and the number of writes that it has made. */
  readonly newProcess: (fate?: Fate) => { readonly needs: Dependencies; writes: number };
  readonly addMonitor: (body: Readonly<Record<string, unknown>>) => Promise<Monitor>;
}

export function createMemoryService(): MemoryService {
  const monitors = new Map<string, Monitor>();
  const rollouts = new Map<string, Rollout>();
  const items = new Map<string, RolloutItem>();
  const events = new Map<string, AuditEvent>();
  const gateway = createFakeGateway();
  const hours: MemoryService['hours'] = new Map();
  const clock = { nowMs: START_MS };
  const newId = createIdMaker(() => clock.nowMs, countingBytes());
  const none = async () => null;
  const empty = async () => [];
  const emptyPage = async () => ({ items: [], hasMore: false });
  const stores = {
    monitors: {
      find: async (_accountId: string, id: string) => monitors.get(id) ?? null,
      list: async (_accountId: string, { ids }: { readonly ids: readonly string[] }) => ({
        items: ids.flatMap((id) => monitors.get(id) ?? []),
        hasMore: false,
      }),
      replace: async (_accountId: string, next: Monitor, expected: number) => {
        if (monitors.get(next.id)?.version !== expected) return false;
        monitors.set(next.id, structuredClone(next));
        return true;
      },
    },
    rollouts: memoryRollouts(rollouts),
    rolloutItems: memoryItems(items),
    audit: {
      add: async (_accountId: string, added: readonly AuditEvent[]) => {
        for (const event of added) if (!events.has(event.id)) events.set(event.id, event);
      },
    },
    revisions: { save: async () => undefined },
    accounts: { find: async () => ({ id: ACCOUNT, plan: 'pro' }) },
    regions: { list: empty },
    statuses: { findMany: empty },
    incidents: { findOpen: none },
    escalations: { find: none },
    alerts: { page: emptyPage },
    alertChannels: { list: emptyPage },
    alertPolicies: { findByKey: none },
    dependencies: {
      nodes: async () => [...monitors.values()].map((one) => ({ ...one, kind: 'monitor' })),
    },
    hours: { findByKey: async (_: string, key: string) => hours.get(key) ?? null, listAll: empty },
    profiles: { findByKey: none, findVersion: none, listPending: empty },
    environments: { findByKey: none, listAll: empty },
    accountVariables: { find: none },
    maintenanceWindows: { listAll: empty },
    scenarios: { find: none, list: emptyPage },
  };
  const newProcess: MemoryService['newProcess'] = (fate) => {
    const life = { writes: 0, isDead: false };
    const process = {
      needs: { ...shared, stores: mortal(stores, life, fate), gateway } as never as Dependencies,
      get writes() {
        return life.writes;
      },
    };
    Object.assign(process.needs, { gateway: mortalCalls(gateway, life, fate) });
    return process;
  };
  const shared = {
    clock: { now: () => clock.nowMs },
    newId,
    randomBytes: countingBytes(),
    sleep: async () => undefined,
    sealers: { stored: STEADY_SEALER },
    configuredRegions: ['eu-west', 'us-east'],
    findBlockedTarget: () => null,
    proxyNames: [],
    publicUrl: 'http://keepwatch.test',
    workflowUrl: () => null,
    notifyOperator: () => undefined,
  };
  return {
    monitors,
    rollouts,
    items,
    events,
    gateway,
    hours,
    clock,
    newProcess,
    async addMonitor(sent) {
      const { needs } = newProcess();
      const monitor = await buildFirstVersion(needs, createMonitorKind(needs), {
        accountId: ACCOUNT,
        sent,
      });
      monitors.set(monitor.id, monitor);
      return monitor;
    },
  };
}

interface Life {
  writes: number;
  isDead: boolean;
}

function mortal<Stores extends object>(stores: Stores, life: Life, fate: Fate | undefined): Stores {
  return Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, mortalCalls(store, life, fate)]),
  ) as Stores;
}

function mortalCalls<Store extends object>(store: Store, life: Life, fate: Fate | undefined) {
  return Object.fromEntries(
    Object.entries(store).map(([name, call]) => {
      if (typeof call !== 'function') return [name, call];
      return [
        name,
        async (...given: unknown[]) => {
          if (life.isDead) throw new Death();
          if (WRITES.has(name)) life.writes += 1;
          const isLast = WRITES.has(name) && life.writes === fate?.write;
          if (isLast) life.isDead = true;
          if (isLast && fate?.when === 'before') throw new Death();
          const result: unknown = await call(...given);
          if (isLast) throw new Death();
          return result;
        },
      ];
    }),
  ) as Store;
}

function memoryRollouts(rollouts: Map<string, Rollout>): RolloutStore {
  const ordered = () => [...rollouts.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const open = () => {
    const left = ordered().filter(({ state }) => state !== 'ended');
    const running = left.filter(({ state }) => state === 'running');
    return [...running, ...left.filter(({ state }) => state === 'waiting')];
  };
  return {
    createOnce: async (_accountId, rollout) => {
      if (rollouts.has(rollout.id)) return false;
      rollouts.set(rollout.id, rollout);
      return true;
    },
    find: async (_accountId, id) => rollouts.get(id) ?? null,
    list: async () => ({ items: ordered().reverse(), hasMore: false }),
    listOpen: async () => open(),
    listAllOpen: async () => open(),
    begin: async (_accountId, id, startedAtMs) => {
      const found = rollouts.get(id);
      if (found?.state !== 'waiting') return false;
      rollouts.set(id, { ...found, state: 'running', startedAtMs });
      return true;
    },
    end: async (_accountId, end) => {
      const found = rollouts.get(end.id);
      if (found?.endedAtMs === null) rollouts.set(end.id, { ...found, ...end });
    },
    close: async (_accountId, id) => {
      const found = rollouts.get(id);
      if (found !== undefined) rollouts.set(id, { ...found, state: 'ended' });
    },
    claimUndo: async (_accountId, id, undoneBy) => {
      const found = rollouts.get(id);
      if (found === undefined) return null;
      rollouts.set(id, { ...found, undoneBy: found.undoneBy ?? undoneBy });
      return found.undoneBy ?? undoneBy;
    },
  };
}

function memoryItems(items: Map<string, RolloutItem>): RolloutItemStore {
  const of = (rolloutId: string, state?: RolloutItemState) =>
    [...items.values()].filter(
      (item) => item.rolloutId === rolloutId && (state === undefined || item.state === state),
    );
  const merge = (changes: readonly (Partial<RolloutItem> & { readonly id: string })[]) => {
    for (const change of changes) {
      const found = items.get(change.id);
      if (found !== undefined) items.set(change.id, { ...found, ...change });
    }
  };
  const createAll: RolloutItemStore['createAll'] = async (_accountId, given) => {
    for (const item of given) if (!items.has(item.id)) items.set(item.id, item);
  };
  return {
    createAll,
    find: async ({ rolloutId }, resourceId) => items.get(`${rolloutId}:${resourceId}`) ?? null,
    listPending: async ({ rolloutId }, limit) => of(rolloutId, 'pending').slice(0, limit),
    list: async ({ rolloutId }, { state }) => ({ items: of(rolloutId, state), hasMore: false }),
    countStates: async ({ rolloutId }) => ({
      pending: of(rolloutId, 'pending').length,
      changed: of(rolloutId, 'changed').length,
      unchanged: of(rolloutId, 'unchanged').length,
      failed: of(rolloutId, 'failed').length,
      skipped: of(rolloutId, 'skipped').length,
    }),
    noteAttempts: async (_name, attempts) => merge(attempts),
    noteOutcomes: async (_name, outcomes) => merge(outcomes),
    reopen: async ({ accountId }, given) => {
      await createAll(accountId, given);
      merge(given.map(({ id }) => ({ id, state: 'pending' })));
    },
    setUndoUntil: async () => undefined,
  };
}

/** Returns a source of bytes that differ from call to call, but are the same in each run. */
function countingBytes(): (count: number) => Buffer {
  let calls = 0;
  return (count) => {
    calls += 1;
    return createHash('sha512').update(`${calls}`).digest().subarray(0, count);
  };
}

/** Encrypts the same text in the same way each time, so that two runs can be compared. */
const STEADY_SEALER: TextSealer = {
  keyId: 'steady',
  seal: (text, context) => Buffer.from(JSON.stringify([context, text])).toString('base64url'),
  open(sealed, context) {
    const [of, text]: string[] = JSON.parse(Buffer.from(sealed, 'base64url').toString());
    if (of !== context || text === undefined) throw new Error('sealed for something else');
    return text;
  },
};

/** Carries out rollouts as the workflow does, until no rollout is left. */
export async function carryOutAll(needs: RolloutNeeds, accountId = ACCOUNT): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    const opened = await openRollout(needs, { accountId });
    if (opened === null) return;
    const name = { accountId, rolloutId: opened.rolloutId };
    let pending = 0;
    do ({ pending } = await changeResources(needs, name, signal));
    while (pending > 0);
    await endRollout(needs, name);
  }
}
