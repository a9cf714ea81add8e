/** The dependencies of functions that save objects. They share reads for hundreds of objects of one request. */

import type { DependencyNode } from '../../domain/definitions/dependencies';
import type { AuditActor } from '../../models/accounts/audit';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { AccountVariables } from '../../models/environments/account-variables';
import type { Environment } from '../../models/environments/environments';
import type { ServiceHours } from '../../models/maintenance/hours';
import type { DependencyStore } from '../../models/resources/dependencies';
import type { Profile } from '../../models/resources/profiles';
import { createBoundedQueue } from '../../platform/bounded-queue';
import { type Countable, readFreeCount, requireWithinLimit } from '../accounts/plan-limits';
import { createRetryWhileBusy, type RetryWhileBusy } from '../lists/retry-while-busy';
import { remembered } from '../lists/shared-calls';
import type { Dependencies } from '../ports/dependencies';

/** More parallel calls would wait in Temporal until their deadlines pass. */
const CONFIGURED_AT_ONCE_MAX = 12;

export interface ApplyNeeds {
  readonly needs: Dependencies;
  /** Who applies the set. */
  readonly actor: AuditActor;
  /** Ids of existing objects that the set contains. */
  readonly statedIds: Set<string>;
  /** Channels that objects can name, by id: existing and planned ones. */
  readonly channels: Map<string, AlertChannel>;
  /** Ids that channels of the set will have, by their keys. */
  readonly plannedChannels: Map<string, string>;
  /** Existing and planned alert policies by id. */
  readonly policies: Map<string, AlertPolicy>;
  /** Existing and planned hours by id. */
  readonly hours: Map<string, ServiceHours>;
  /** Existing and planned profiles by id. */
  readonly profiles: Map<string, Profile>;
  /** Existing and planned environments by id. */
  readonly environments: Map<string, Environment>;
  /** The account's variables as the set plans them. */
  readonly plannedVariables: { account: AccountVariables | null };
  /** Starts the rollouts of the environments and variables that the set has changed. */
  readonly follow: (() => Promise<unknown>)[];
  /** Ids of monitors and scenarios that the set changes or deletes. */
  readonly ownIds: Set<string>;
  /** Existing and planned monitors and scenarios by id. */
  readonly resources: Map<string, NamedResource>;
  /** Dependencies by id, after the set is applied. */
  readonly nodes: Map<string, DependencyNode>;
  /** Stored dependencies, without planned ones. */
  readonly stored: Pick<DependencyStore, 'nodes'>;
  /** Ids that monitors and scenarios of the set will have, by kind and key. */
  readonly plannedResources: Map<string, string>;
  /** Planned ids that can no longer be used. */
  readonly usedUpIds: Set<string>;
  /** Keys of objects with another id than planned, to which others may refer already. */
  readonly renewedKeys: Set<string>;
  readonly retry: RetryWhileBusy;
  /** Counts an object of a dry run; throws `limit_reached` once the account's limit is exceeded. */
  readonly takePlace: (accountId: string, kind: Countable) => Promise<void>;
}

export interface NamedResource {
  readonly kind: 'monitor' | 'scenario';
  readonly key: string | null;
}

const SYSTEM: AuditActor = { type: 'system', id: 'apply', name: 'apply' };

/**
 * The actor is the system, unless the caller replaces it. In a dry run, planned environments and variables count;
 * otherwise, they are stored first.
 */
export function createApplyNeeds(needs: Dependencies, isDry = false): ApplyNeeds {
  const channels = new Map<string, AlertChannel>();
  const nodes = new Map<string, DependencyNode>();
  const policies = new Map<string, AlertPolicy>();
  const { stores, gateway } = needs;
  const regions = { ...stores.regions, list: remembered(() => stores.regions.list()) };
  const dependencies = { ...stores.dependencies, nodes: async () => [...nodes.values()] };
  const plannedHours = new Map<string, ServiceHours>();
  const profiles = new Map<string, Profile>();
  const layers = { environments: new Map(), plannedVariables: { account: null } };
  const plan = remembered((accountId: string) => stores.accounts.find(accountId));
  return {
    actor: SYSTEM,
    statedIds: new Set(),
    channels,
    policies,
    hours: plannedHours,
    profiles,
    ...layers,
    follow: [],
    ownIds: new Set(),
    plannedChannels: new Map(),
    resources: new Map(),
    nodes,
    stored: stores.dependencies,
    plannedResources: new Map(),
    usedUpIds: new Set(),
    renewedKeys: new Set(),
    retry: createRetryWhileBusy(needs),
    takePlace: createFreeCounter(needs),
    needs: {
      ...needs,
      stores: {
        ...stores,
        regions,
        ...withPlannedRecipients(stores, { channels, policies }),
        dependencies,
        hours: withPlannedHours(stores.hours, plannedHours),
        profiles: withPlannedProfiles(stores.profiles, profiles),
        environments: withSharedKeys(stores.environments),
        ...(isDry && withPlannedLayers(stores, layers)),
        accounts: { ...stores.accounts, find: plan },
      },
      gateway: { ...gateway, ...configuredInTurn(gateway) },
    },
  };
}

type Recipients = Pick<Dependencies['stores'], 'alertChannels' | 'alertPolicies'>;

/** Finds both existing and planned channels and policies. */
function withPlannedRecipients(
  { alertChannels, alertPolicies }: Recipients,
  { channels, policies }: Pick<ApplyNeeds, 'channels' | 'policies'>,
): Recipients {
  return {
    alertChannels: {
      ...alertChannels,
      list: async () => ({ items: [...channels.values()], hasMore: false }),
    },
    alertPolicies: {
      ...alertPolicies,
      findByKey: async (_accountId, key) =>
        [...policies.values()].find((policy) => policy.key === key) ?? null,
    },
  };
}

/** Finds both existing and planned hours. */
function withPlannedHours(
  hours: Dependencies['stores']['hours'],
  planned: ReadonlyMap<string, ServiceHours>,
): Dependencies['stores']['hours'] {
  return {
    ...hours,
    find: async (_accountId, id) => planned.get(id) ?? null,
    findByKey: async (_accountId, key) =>
      [...planned.values()].find((one) => one.key === key) ?? null,
  };
}

/** Finds both existing and planned profiles. Versions are always the stored versions. */
function withPlannedProfiles(
  profiles: Dependencies['stores']['profiles'],
  planned: ReadonlyMap<string, Profile>,
): Dependencies['stores']['profiles'] {
  return {
    ...profiles,
    find: async (_accountId, id) => planned.get(id) ?? null,
    findByKey: async (_accountId, key) =>
      [...planned.values()].find((one) => one.key === key) ?? null,
  };
}

type Layers = Pick<Dependencies['stores'], 'environments' | 'accountVariables'>;

/** Hundreds of objects share the list of environments. */
function withSharedKeys(environments: Layers['environments']): Layers['environments'] {
  return {
    ...environments,
    findByKey: async (accountId, key) =>
      (await environments.listAll(accountId)).find((one) => one.key === key) ?? null,
  };
}

/** Finds both existing and planned environments, and the planned variables. */
function withPlannedLayers(
  { environments, accountVariables }: Layers,
  planned: Pick<ApplyNeeds, 'environments' | 'plannedVariables'>,
): Layers {
  const listAll = async () => [...planned.environments.values()];
  return {
    environments: {
      ...environments,
      listAll,
      find: async (_accountId, id) => planned.environments.get(id) ?? null,
      findByKey: async (_accountId, key) =>
        (await listAll()).find((one) => one.key === key) ?? null,
    },
    accountVariables: {
      ...accountVariables,
      find: async (accountId) =>
        planned.plannedVariables.account ?? accountVariables.find(accountId),
    },
  };
}

function createFreeCounter(needs: Dependencies): ApplyNeeds['takePlace'] {
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
