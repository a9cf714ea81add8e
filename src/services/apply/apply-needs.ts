/** The dependencies of functions that save objects. Reads for hundreds of objects of one request are shared. */

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
import { memoize } from '../lists/shared-calls';
import type { ChangeContext } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';

/** Maximum number of parallel calls to Temporal. With more calls, some would wait in Temporal until they time out. */
const CONFIGURED_AT_ONCE_MAX = 12;

export interface ApplyNeeds extends ChangeContext {
  readonly follow: (() => Promise<unknown>)[];
  readonly statedIds: Set<string>;
  readonly ownIds: Set<string>;
  readonly plannedChannels: Map<string, string>;
  /** Existing and planned objects, by id. Other objects of the set can refer to these objects. */
  readonly channels: Map<string, AlertChannel>;
  readonly policies: Map<string, AlertPolicy>;
  readonly hours: Map<string, ServiceHours>;
  readonly profiles: Map<string, Profile>;
  readonly environments: Map<string, Environment>;
  readonly resources: Map<string, Pick<DependencyNode, 'kind' | 'key'>>;
  /** The account's variables as they will be after the set is applied. */
  readonly plannedVariables: { account: AccountVariables | null };
  /** Dependencies by id, as they will be after the set is applied. */
  readonly nodes: Map<string, DependencyNode>;
  /** Reads stored dependencies. Leaves out planned dependencies. */
  readonly stored: Pick<DependencyStore, 'nodes'>;
  /** Ids that monitors and scenarios of the set will have, by kind and key. */
  readonly plannedResources: Map<string, string>;
  /** Planned ids that can no longer be used. */
  readonly usedUpIds: Set<string>;
  /** Keys of objects whose id differs from the planned id. Other objects may already refer to the planned id. */
  readonly renewedKeys: Set<string>;
  readonly retry: RetryWhileBusy;
  /** Counts one more object in a dry run. Throws `limit_reached` when the account's limit is exceeded. */
  readonly reserve: (accountId: string, kind: Countable) => Promise<void>;
}

const SYSTEM: AuditActor = { type: 'system', id: 'apply', name: 'apply' };

/**
 * Creates the dependencies. The actor is the system, unless the caller replaces it. A dry run also reads planned
 * environments and variables. A real run need not, because it stores them before other objects.
 */
export function createApplyNeeds(needs: Dependencies, isDry = false): ApplyNeeds {
  const known = {
    channels: new Map<string, AlertChannel>(),
    policies: new Map<string, AlertPolicy>(),
    hours: new Map<string, ServiceHours>(),
    profiles: new Map<string, Profile>(),
    environments: new Map<string, Environment>(),
    plannedVariables: { account: null },
  };
  const nodes = new Map<string, DependencyNode>();
  const { stores, gateway } = needs;
  return {
    actor: SYSTEM,
    statedIds: new Set(),
    ...known,
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
    reserve: createFreeCounter(needs),
    needs: {
      ...needs,
      stores: {
        ...stores,
        regions: { ...stores.regions, list: memoize(stores.regions.list) },
        users: { ...stores.users, list: memoize(stores.users.list) },
        accounts: { ...stores.accounts, find: memoize(stores.accounts.find) },
        dependencies: { ...stores.dependencies, nodes: async () => [...nodes.values()] },
        alertChannels: {
          ...stores.alertChannels,
          list: async () => ({ items: [...known.channels.values()], hasMore: false }),
        },
        alertPolicies: {
          ...stores.alertPolicies,
          findByKey: findPlanned(known.policies).findByKey,
        },
        hours: { ...stores.hours, ...findPlanned(known.hours) },
        // Finds planned profiles as well. All other functions of the store read only stored profiles.
        profiles: { ...stores.profiles, ...findPlanned(known.profiles) },
        environments: withSharedKeys(stores.environments),
        ...(isDry && withPlannedLayers(stores, known)),
      },
      gateway: { ...gateway, ...configuredInTurn(gateway) },
    },
  };
}

/** Returns store functions that find both existing and planned objects. */
function findPlanned<Entity extends { readonly key: string }>(
  planned: ReadonlyMap<string, Entity>,
) {
  return {
    find: async (_accountId: string, id: string) => planned.get(id) ?? null,
    findByKey: async (_accountId: string, key: string) =>
      [...planned.values()].find((one) => one.key === key) ?? null,
  };
}

type Layers = Pick<Dependencies['stores'], 'environments' | 'accountVariables'>;

/** Reads the list of environments once for hundreds of objects. */
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
  return {
    environments: {
      ...environments,
      ...findPlanned(planned.environments),
      listAll: async () => [...planned.environments.values()],
    },
    accountVariables: {
      ...accountVariables,
      find: async (accountId) =>
        planned.plannedVariables.account ?? accountVariables.find(accountId),
    },
  };
}

function createFreeCounter(needs: Dependencies): ApplyNeeds['reserve'] {
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
