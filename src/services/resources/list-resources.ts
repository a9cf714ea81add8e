/** Lists pages of monitors and scenarios by filters, in stored form or in the form of responses. */
import type { MaintenanceTarget } from '../../contracts/maintenance';
import type { Health } from '../../contracts/records';
import type { Resource, ResourceFilter } from '../../models/resources/resource';
import type { Page } from '../../models/store/pages';
import { mapInSlices } from '../../platform/slices';
import type { ServiceFields, WithRecent } from '../../schemas/responses/resources';
import { type ItemPage, type ListPage, type ListRequest, readItems } from '../lists/read-list';
import { readEntries } from '../maintenance/account-calendar';
import { listTargetsAt } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';
import { findStatuses } from './find-status';
import type { Kind, KindTypes } from './kind';
import { findRecentSlots, type RecentRequest } from './recent-slots';
import { withoutGoneChannels } from './resolve-alerts';
import { withoutGoneDependencies } from './resolve-dependencies';
import type { ResourcePort } from './resource-port';

/** The filters as clients send them. A resource must match all of them. */
export interface ResourceFilters {
  readonly state?: Resource['state'] | undefined;
  readonly health?: Health | undefined;
  /** The statuses as responses show them. A resource must have one of them. */
  readonly status?: readonly ShownStatus[] | undefined;
  /** The group key. Also matches groups that are nested in this group. */
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  readonly profile?: string | undefined;
  readonly environment?: string | undefined;
  readonly hours?: string | undefined;
  readonly region?: string | undefined;
  /** A part of the name, of a host or of the key. Case does not matter. */
  readonly q?: string | undefined;
}

type ShownStatus = ServiceFields['status'];

export type ResourceListRequest = ListRequest & ResourceFilters;

type Needs = Pick<Dependencies, 'stores' | 'clock'>;
type Port<Entity extends Resource> = Pick<ResourcePort<Entity>, 'idKind' | 'store'>;

/**
 * Number of ids per read. Health is stored separately, so the ids with the requested health are read first. If too few
 * of them match the other filters, more ids are read.
 */
const IDS_PER_READ = 2000;

/**
 * Lists resources, newest first. Pages stay stable while new resources are added. A cursor is valid only for the same
 * filters.
 */
export async function listResources<Entity extends Resource>(
  needs: Needs,
  port: Port<Entity>,
  { accountId, ...request }: ResourceListRequest & { readonly accountId: string },
): Promise<ItemPage<Entity>> {
  const { limit, cursor, ...filters } = request;
  const range = { limit, cursor };
  const scope = { accountId, list: `${port.idKind}s`, ...filters };
  const nowMs = needs.clock.now();
  const { health, status } = filters;
  const wanted = { accountId, health, filter: buildFilter(filters, nowMs) };
  return readItems(scope, range, {
    read: (query) =>
      status === undefined
        ? listByHealth(needs, port, { ...wanted, ...query })
        : listByStatus(needs, port, { ...wanted, ...query, status, nowMs }),
    readId: ({ id }) => id,
  });
}

/** Builds the filter for fields that are stored in the resource itself. Health is stored elsewhere. */
function buildFilter(filters: ResourceFilters, nowMs: number): ResourceFilter {
  const { state, group, tag, profile, environment, hours, region, q } = filters;
  return {
    state: state === undefined ? undefined : { name: state, nowMs },
    group,
    tag,
    profile,
    environment,
    hours,
    region,
    search: q?.toLowerCase(),
  };
}

interface Query {
  readonly accountId: string;
  readonly limit: number;
  readonly beforeId: string | null;
  readonly filter: ResourceFilter;
  readonly health: Health | undefined;
}

interface StatusQuery extends Query {
  readonly status: readonly ShownStatus[];
  readonly nowMs: number;
}

/** Lists by status. A resource has exactly one status, so the lists of several statuses can be merged by age. */
async function listByStatus<Entity extends Resource>(
  needs: Needs,
  port: Port<Entity>,
  { status, nowMs, ...query }: StatusQuery,
): Promise<Page<Entity>> {
  const windows = await readEntries(needs.stores, query.accountId);
  const now = { nowMs, maintained: listTargetsAt(windows, nowMs) };
  const queries = status.flatMap((shown) => narrowTo(shown, query, now) ?? []);
  const pages = await Promise.all(queries.map((one) => listByHealth(needs, port, one)));
  const items = pages.flatMap((page) => page.items).sort((a, b) => (a.id < b.id ? 1 : -1));
  const hasMore = items.length > query.limit || pages.some((page) => page.hasMore);
  return { items: items.slice(0, query.limit), hasMore };
}

interface Now {
  readonly nowMs: number;
  readonly maintained: readonly MaintenanceTarget[];
}

/**
 * Narrows the query to a status. A status is `paused`, or else `maintenance`, or else the health. Returns null if the
 * filters for status and health exclude each other.
 */
function narrowTo(shown: ShownStatus, query: Query, { nowMs, maintained }: Now): Query | null {
  const pause = { isInForce: shown === 'paused', nowMs };
  const filter = { ...query.filter, pause };
  if (shown === 'paused') return { ...query, filter };
  const isTargeted = shown === 'maintenance';
  const targeted = { ...filter, targets: { any: maintained, isTargeted } };
  if (isTargeted) return { ...query, filter: targeted };
  if (query.health !== undefined && query.health !== shown) return null;
  return { ...query, filter: targeted, health: shown };
}

async function listByHealth<Entity extends Resource>(
  { stores }: Needs,
  { idKind: kind, store }: Port<Entity>,
  { accountId, limit, beforeId, filter, health }: Query,
): Promise<Page<Entity>> {
  if (health === undefined) return store.list(accountId, { limit, beforeId, filter });
  const found: Entity[] = [];
  let before = beforeId;
  for (let count = limit + 1; ; count = IDS_PER_READ) {
    const query = { kind, health, beforeId: before, limit: count };
    const ids = await stores.statuses.listIds(accountId, query);
    const wanted = limit + 1 - found.length;
    const page = await store.list(accountId, { limit: wanted, beforeId: null, filter, ids });
    found.push(...page.items);
    if (found.length > limit) return { items: found.slice(0, limit), hasMore: true };
    before = ids.at(-1) ?? null;
    if (before === null || ids.length < count) return { items: found, hasMore: false };
  }
}

/**
 * Lists resources as responses show them. A page needs two or three queries, and some more if it is filtered by status
 * or health. Recent slots need one more query for each changed item and region.
 */
export async function listViews<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  request: ResourceListRequest & RecentRequest & { readonly accountId: string },
): Promise<ListPage<Types['View'] & WithRecent>> {
  const { include, ...query } = request;
  const { items: stored, nextCursor } = await listResources(needs, kind, query);
  const named = await withoutGoneDependencies(needs, query.accountId, stored);
  const resources = await withoutGoneChannels(needs, query.accountId, named);
  const statusOf = await findStatuses(needs, query.accountId, resources);
  const recentOf = include === undefined ? null : await findRecentSlots(needs, resources, statusOf);
  const data = await mapInSlices(resources, (resource): Types['View'] & WithRecent => {
    const view = kind.present(resource, statusOf.get(resource.id) ?? null);
    return recentOf === null ? view : { ...view, recent: recentOf.get(resource.id) ?? [] };
  });
  return { data, nextCursor };
}
