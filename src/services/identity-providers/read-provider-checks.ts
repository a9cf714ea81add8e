/** Reads the checks that could not sign in at an identity provider, in batches. */
import type { SignInFailure } from '../../contracts/alerting/identity-providers';
import type { ResourceKind } from '../../contracts/definition';
import type { SeenCheck } from '../../domain/alerting/identity-provider';
import { findLastStoredMs } from '../../domain/health/watches';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import type { Stores } from '../../models/stores';
import { findOpeningAt } from '../maintenance/hours-calendar';
import { isPausedAt } from '../resources/pause';

const BATCH = 200;

export type CheckStores = Pick<Stores, 'monitors' | 'scenarios' | 'statuses' | 'hours'>;

export interface ProviderCheck extends SeenCheck {
  readonly resource: Resource & { readonly heartbeat?: object | null };
  /** True means that the check is in maintenance, or outside of its hours. */
  readonly isMuted: boolean;
}

interface Asked {
  readonly accountId: string;
  readonly failures: readonly SignInFailure[];
  readonly nowMs: number;
}

/** Returns the checks by id. Deleted checks are missing. */
export async function readProviderChecks(
  stores: CheckStores,
  { accountId, failures, nowMs }: Asked,
): Promise<ReadonlyMap<string, ProviderCheck>> {
  const readHours = createHoursReader(stores, accountId, nowMs);
  const checks = new Map<string, ProviderCheck>();
  for (const kind of ['monitor', 'scenario'] as const) {
    const ids = [
      ...new Set(failures.filter((one) => one.resourceType === kind).map((one) => one.resourceId)),
    ];
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      const page = { limit: BATCH, beforeId: null, ids: batch };
      const [{ items }, statuses] = await Promise.all([
        kind === 'monitor'
          ? stores.monitors.list(accountId, page)
          : stores.scenarios.list(accountId, page),
        stores.statuses.findMany(accountId, batch),
      ]);
      for (const resource of items) {
        const status = statuses.find(({ id }) => id === resource.id);
        const isMuted = status?.inMaintenance === true || !(await readHours(resource.hours));
        checks.set(resource.id, { ...buildCheck(resource, kind, nowMs, status), isMuted });
      }
    }
  }
  return checks;
}

function buildCheck(
  resource: Resource,
  kind: ResourceKind,
  nowMs: number,
  status: StoredStatus | undefined,
): Omit<ProviderCheck, 'isMuted'> {
  const { id, name, revision, regions, state } = resource;
  return {
    resource,
    resourceType: kind,
    resourceId: id,
    resourceName: name,
    isPaused: state === 'deleting' || isPausedAt(resource, nowMs),
    revision,
    regions,
    seen: status === undefined ? [] : listSeen(status),
  };
}

function listSeen(status: StoredStatus): SeenCheck['seen'] {
  const stored = { ...status, lastSlotMs: status.lastSlotMs ?? -1 };
  return status.regionsHealth.map(({ region, health, sinceMs }) => {
    return { region, health, sinceMs, slotMs: findLastStoredMs(stored, region) };
  });
}

/** Creates a function that checks whether the hours with a key are open. Each key is read once. */
function createHoursReader({ hours }: CheckStores, accountId: string, nowMs: number) {
  const known = new Map<string, Promise<boolean>>();
  const read = async (key: string): Promise<boolean> => {
    const found = await hours.findByKey(accountId, key);
    return found === null || findOpeningAt(found, nowMs).isOpen;
  };
  return async (key: string | null): Promise<boolean> => {
    if (key === null) return true;
    const isOpen = known.get(key) ?? read(key);
    known.set(key, isOpen);
    return isOpen;
  };
}
