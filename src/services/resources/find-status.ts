/** Reads the stored statuses of resources, and finds out whether the resources are in maintenance now. */
import { findModeAt } from '../../domain/health/maintenance';
import { findSlotAfter } from '../../domain/health/schedule';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import { type CalendarEntry, readEntries } from '../maintenance/account-calendar';
import { listSpans } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Returns the status. null if the resource was never checked, or if it is being deleted. */
export async function findStatus(needs: Needs, resource: Resource): Promise<StoredStatus | null> {
  const statuses = await findStatuses(needs, resource.accountId, [resource]);
  return statuses.get(resource.id) ?? null;
}

/**
 * Returns the statuses of the given resources, by id. The number of queries does not depend on the number of resources.
 */
export async function findStatuses(
  { stores, clock }: Needs,
  accountId: string,
  resources: readonly Resource[],
): Promise<ReadonlyMap<string, StoredStatus>> {
  if (resources.length === 0) return new Map();
  const resourceOf = new Map(resources.map((resource) => [resource.id, resource]));
  const [statuses, windows] = await Promise.all([
    stores.statuses.findMany(accountId, [...resourceOf.keys()]),
    readEntries(stores, accountId),
  ]);
  const nowMs = clock.now();
  return new Map(
    statuses.map((status) => {
      const resource = resourceOf.get(status.id);
      return [
        status.id,
        resource === undefined ? status : inForce(status, { resource, windows, nowMs }),
      ];
    }),
  );
}

interface Now {
  readonly resource: Resource;
  readonly windows: readonly CalendarEntry[];
  readonly nowMs: number;
}

/**
 * Corrects whether the resource is in maintenance. The calendar decides, because the status shows only the state at the
 * last slot.
 */
function inForce(status: StoredStatus, { resource, windows, nowMs }: Now): StoredStatus {
  const spans = listSpans(windows, resource);
  const mode = findModeAt({ spans }, nowMs);
  const inMaintenance = mode !== null;
  if (mode !== 'pause' || status.nextSlotMs === null) return { ...status, inMaintenance };
  const ends = spans.map(({ toMs }) => toMs).sort((a, b) => a - b);
  const endMs =
    ends.find((toMs) => toMs > nowMs && findModeAt({ spans }, toMs) !== 'pause') ?? nowMs;
  const grid = { anchorMs: resource.anchorMs, intervalMs: resource.intervalSeconds * 1_000 };
  return { ...status, inMaintenance, nextSlotMs: findSlotAfter(grid, endMs - 1) };
}
