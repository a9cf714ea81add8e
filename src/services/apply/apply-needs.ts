/**
 * What apply hands to the verbs that save: as the dependencies, but what is the same for hundreds of
 * objects is asked once. It lives as long as one request.
 */

import type { DependencyNode } from '../../domain/definitions/dependencies';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { ServiceHours } from '../../models/maintenance/hours';
import type { DependencyStore } from '../../models/resources/dependencies';
import { createBoundedQueue } from '../../platform/bounded-queue';
import { gathered } from '../../platform/gathered';
import { type Countable, readFreeCount, requireWithinLimit } from '../accounts/plan-limits';
import { createPatience, type Patience } from '../lists/patience';
import type { Dependencies } from '../ports/dependencies';

/** More at a time would wait in Temporal until their deadlines pass. */
const CONFIGURED_AT_ONCE_MAX = 12;
/** How long Temporal counts as there after it answered. */
const PING_HOLDS_MS = 1_000;

export interface ApplyNeeds {
  readonly needs: Dependencies;
  /** Channels as objects can name them: those that are there and those that are planned. */
  readonly channels: Map<string, AlertChannel>;
  /** Ids that channels of the set will have, by their keys. */
  readonly plannedChannels: Map<string, string>;
  /** Alert policies by id, likewise. */
  readonly policies: Map<string, AlertPolicy>;
  /** Hours by id, likewise. */
  readonly hours: Map<string, ServiceHours>;
  /** Monitors and scenarios by id, likewise. */
  readonly resources: Map<string, NamedResource>;
  /** What depends on what once the set is applied, by id. */
  readonly nodes: Map<string, DependencyNode>;
  /** What is stored, whatever is planned. */
  readonly stored: Pick<DependencyStore, 'nodes'>;
  /** Ids that monitors and scenarios of the set will have, by kind and key. */
  readonly plannedResources: Map<string, string>;
  /** Planned ids that nothing can have any more. */
  readonly usedUpIds: Set<string>;
  /** Keys of what has another id than was planned: others may name the planned one by now. */
  readonly renewedKeys: Set<string>;
  readonly patience: Patience;
  /** Of a plan that is not carried out: throws `limit_reached` once no place is left. */
  readonly takePlace: (accountId: string, kind: Countable) => Promise<void>;
}

export interface NamedResource {
  readonly kind: 'monitor' | 'scenario';
  readonly key: string | null;
}

export function needsOfApply(needs: Dependencies): ApplyNeeds {
  const channels = new Map<string, AlertChannel>();
  const nodes = new Map<string, DependencyNode>();
  const policies = new Map<string, AlertPolicy>();
  const { stores, gateway } = needs;
  const regions = { ...stores.regions, list: remembered(() => stores.regions.list()) };
  const alertChannels = {
    ...stores.alertChannels,
    list: async () => ({ items: [...channels.values()], hasMore: false }),
  };
  const dependencies = { ...stores.dependencies, nodes: async () => [...nodes.values()] };
  const alertPolicies = {
    ...stores.alertPolicies,
    findByKey: async (_accountId: string, key: string) =>
      [...policies.values()].find((policy) => policy.key === key) ?? null,
  };
  const plannedHours = new Map<string, ServiceHours>();
  const monitors = { ...stores.monitors, count: shared(stores.monitors.count) };
  const scenarios = { ...stores.scenarios, count: shared(stores.scenarios.count) };
  const maintenanceWindows = {
    ...stores.maintenanceWindows,
    listAll: shared(stores.maintenanceWindows.listAll),
  };
  const plan = remembered((accountId: string) => stores.accounts.find(accountId));
  return {
    channels,
    policies,
    hours: plannedHours,
    plannedChannels: new Map(),
    resources: new Map(),
    nodes,
    stored: stores.dependencies,
    plannedResources: new Map(),
    usedUpIds: new Set(),
    renewedKeys: new Set(),
    patience: createPatience(needs),
    takePlace: placesOf(needs),
    needs: {
      ...needs,
      stores: {
        ...stores,
        regions,
        alertChannels,
        alertPolicies,
        dependencies,
        hours: withPlannedHours(stores.hours, plannedHours),
        monitors,
        scenarios,
        maintenanceWindows,
        accounts: { ...stores.accounts, find: plan },
      },
      gateway: { ...gateway, ...configuredInTurn(gateway), ping: pingOnce(needs) },
    },
  };
}

/** Those that are there, and those that are planned. */
function withPlannedHours(
  hours: Dependencies['stores']['hours'],
  planned: ReadonlyMap<string, ServiceHours>,
): Dependencies['stores']['hours'] {
  return {
    ...hours,
    listAll: shared(hours.listAll),
    find: async (_accountId, id) => planned.get(id) ?? null,
    findByKey: async (_accountId, key) =>
      [...planned.values()].find((one) => one.key === key) ?? null,
  };
}

function placesOf(needs: Dependencies): ApplyNeeds['takePlace'] {
  const free = new Map<Countable, ReturnType<typeof readFreeCount>>();
  const taken = new Map<Countable, number>();
  return async (accountId, kind) => {
    const reading = free.get(kind) ?? readFreeCount(needs, { accountId, kind });
    free.set(kind, reading);
    const places = await reading;
    const count = (taken.get(kind) ?? 0) + 1;
    taken.set(kind, count);
    requireWithinLimit(places, kind, count);
  };
}

/** The first answer again, whatever is asked; each request is about one account. */
function remembered<Arguments extends readonly unknown[], Result>(
  ask: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  let first: Promise<Result> | undefined;
  return (...given) => {
    first ??= ask(...given);
    return first;
  };
}

/** Those who ask while it is being read share what is read next: nobody gets what is older than the question. */
function shared<Result>(
  read: (accountId: string) => Promise<Result>,
): (accountId: string) => Promise<Result> {
  return gathered(
    async (accountIds: readonly string[]) => {
      // Each request is about one account.
      const [accountId = ''] = accountIds;
      const result = await read(accountId);
      return accountIds.map(() => result);
    },
    { itemsMax: Number.POSITIVE_INFINITY },
  );
}

function configuredInTurn(gateway: Dependencies['gateway']) {
  const inTurn = createBoundedQueue({
    atOnce: CONFIGURED_AT_ONCE_MAX,
    waitingMax: Number.POSITIVE_INFINITY,
  });
  return {
    configureMonitor: (...given) => inTurn(() => gateway.configureMonitor(...given)),
    configureMonitorNow: (...given) => inTurn(() => gateway.configureMonitorNow(...given)),
    configureScenario: (...given) => inTurn(() => gateway.configureScenario(...given)),
    configureScenarioNow: (...given) => inTurn(() => gateway.configureScenarioNow(...given)),
  } satisfies Partial<Dependencies['gateway']>;
}

function pingOnce({ gateway, clock }: Dependencies): Dependencies['gateway']['ping'] {
  let asked: { readonly atMs: number; readonly connected: Promise<void> } | undefined;
  return (deadlineMs) => {
    const nowMs = clock.now();
    if (asked === undefined || nowMs - asked.atMs > PING_HOLDS_MS)
      asked = { atMs: nowMs, connected: gateway.ping(deadlineMs) };
    return asked.connected;
  };
}
