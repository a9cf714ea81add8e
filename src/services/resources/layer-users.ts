/** Finds the monitors and scenarios that use an environment, or variables of the account. */
import type { Definition, SentStep } from '../../contracts/definition';
import { NOTHING_INHERITED } from '../../domain/definitions/inherit';
import { listReferencedSecrets } from '../../domain/secrets/secret-names';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource, ResourceFilter, ResourceStore } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { buildMonitorDefinition, buildScenarioDefinition } from './compose-config';
import { findEnvironment, readInheritance, refuseUnknownEnvironment } from './layers';

type Needs = Pick<Dependencies, 'stores'>;

const PAGE_SIZE = 200;

/** Selects all resources that may use variables of the account. */
export const VARIABLE_USERS = { inherits: true } as const;

/** Finds all matching resources of the account, except those that are being deleted. */
export async function findUsers(
  { stores: { monitors, scenarios } }: Needs,
  accountId: string,
  filter: Pick<ResourceFilter, 'environment' | 'inherits'>,
): Promise<readonly (Monitor | Scenario)[]> {
  return [
    ...(await readAll(monitors, accountId, filter)),
    ...(await readAll(scenarios, accountId, filter)),
  ];
}

async function readAll<Entity extends Resource>(
  store: Pick<ResourceStore<Entity>, 'list'>,
  accountId: string,
  filter: ResourceFilter,
): Promise<readonly Entity[]> {
  const found: Entity[] = [];
  for (let beforeId: string | null = null; ; beforeId = found.at(-1)?.id ?? null) {
    const { items, hasMore } = await store.list(accountId, { limit: PAGE_SIZE, beforeId, filter });
    found.push(...items);
    if (!hasMore) return found.filter(({ state }) => state !== 'deleting');
  }
}

/**
 * Finds resources whose stored values differ from the values that they would inherit now. A deleted variable also
 * counts as a difference.
 */
export async function findStaleUsers(
  needs: Needs,
  accountId: string,
  filter: Pick<ResourceFilter, 'environment' | 'inherits'>,
): Promise<readonly (Monitor | Scenario)[]> {
  const users = await findUsers(needs, accountId, filter);
  const stale: (Monitor | Scenario)[] = [];
  const read = rememberLayers(needs, accountId);
  for (const user of users) if (!(await isCurrent(read, user, listSteps(user)))) stale.push(user);
  return stale;
}

/** Caches the environments and variables, so that each is read only once. */
function rememberLayers({ stores }: Needs, accountId: string): Needs {
  const environments = new Map<string, ReturnType<typeof stores.environments.findByKey>>();
  const account = stores.accountVariables.find(accountId);
  return {
    stores: {
      ...stores,
      accountVariables: { ...stores.accountVariables, find: () => account },
      environments: {
        ...stores.environments,
        findByKey: (_accountId, key) => {
          const found = environments.get(key) ?? stores.environments.findByKey(accountId, key);
          environments.set(key, found);
          return found;
        },
      },
    },
  };
}

/** True if the resource has the current values. If its environment was deleted, the stored values count as current. */
async function isCurrent(
  needs: Needs,
  resource: Resource,
  steps: readonly SentStep[],
): Promise<boolean> {
  const { accountId, environment: key, inherited = NOTHING_INHERITED } = resource;
  const environment = key === undefined ? null : await findEnvironment(needs, accountId, key);
  if (key !== undefined && environment === null) return true;
  const variables = inherited.variables.map(({ name }) => ({ path: '', name }));
  const known = inherited.secrets.map(({ alias }) => alias);
  const references = { variables, secrets: [...known, ...listReferencedSecrets(steps)] };
  const now = await readInheritance(needs, accountId, { environment, references });
  return isSameJson(now.inherited, inherited);
}

/**
 * Returns the steps of a resource. References to secrets have the names that people wrote, and not the names that the
 * environment gives them in `secrets`.
 */
function listSteps(resource: Monitor | Scenario): readonly SentStep[] {
  return 'steps' in resource
    ? buildScenarioDefinition({ ...resource, inherited: undefined }).steps
    : buildMonitorDefinition({ ...resource, inherited: undefined }).steps;
}

interface Saved<Entity> {
  /** The resource before the change. null for a new one. */
  readonly previous: Entity | null;
  readonly next: Entity;
}

/**
 * Throws if the environment of a resource was deleted, or if its inherited values have changed. Call it after the
 * resource was written and before probes receive it. If it throws, the caller must undo the write.
 */
export async function requireCurrentLayers<Entity extends Resource>(
  needs: Needs,
  { readDefinition }: { readonly readDefinition: (resource: Entity) => Pick<Definition, 'steps'> },
  { previous, next }: Saved<Entity>,
): Promise<void> {
  const { accountId, environment, inherited } = next;
  if (environment === undefined && inherited === undefined) return;
  if (isSame(previous?.environment, environment) && isSame(previous?.inherited, inherited)) return;
  if (environment !== undefined && environment !== previous?.environment) {
    const found = await findEnvironment(needs, accountId, environment);
    if (found === null) refuseUnknownEnvironment(environment);
  }
  if (await hasCurrentInheritance(needs, { readDefinition }, next)) return;
  const message = 'Its environment or the variables of the account changed at the same time.';
  throw new AppError('unavailable', `${message} Try again.`);
}

/** True if the resource already has the values that it would inherit now. */
export function hasCurrentInheritance<Entity extends Resource>(
  needs: Needs,
  { readDefinition }: { readonly readDefinition: (resource: Entity) => Pick<Definition, 'steps'> },
  resource: Entity,
): Promise<boolean> {
  const { steps } = readDefinition({ ...resource, inherited: undefined });
  return isCurrent(needs, resource, steps);
}

function isSame(before: unknown, after: unknown): boolean {
  return isSameJson(before ?? null, after ?? null);
}
