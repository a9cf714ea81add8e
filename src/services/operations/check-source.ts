/** Reads the entries in the list of checks. There is one source for each type of check. */
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import type { ListRequest } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { findStatuses } from '../resources/find-status';
import { listResources, type ResourceFilters } from '../resources/list-resources';
import { withoutGoneChannels } from '../resources/resolve-alerts';
import type { ResourcePort } from '../resources/resource-port';
import type { Checked } from './check-figures';

/** Reads the entries of one type of check. */
export interface CheckSource {
  readonly type: CheckType;
  readonly page: (request: SourceRequest) => Promise<SourcePage>;
}

export type SourceRequest = ListRequest &
  ResourceFilters & {
    readonly accountId: string;
    /** Selects only these ids. All other filters are ignored. */
    readonly ids?: readonly string[] | undefined;
  };

export interface FoundCheck extends Checked {
  readonly type: CheckType;
  readonly sends: Sends;
}

interface SourcePage {
  readonly checks: readonly FoundCheck[];
  readonly nextCursor: string | null;
}

/**
 * Facts about the requests of a check: the first URL, the number of steps, and the limit above which a response is
 * slow.
 */
interface Sends {
  readonly url: string;
  readonly steps: number;
  /** The limit in milliseconds above which a response is slow. null for a scenario. */
  readonly degradedAboveMs: number | null;
  /** True if at least one request accepts any certificate. */
  readonly tlsUnchecked: boolean;
}

export type CheckType = ResourcePort<Resource>['idKind'];

type Port<Entity extends Resource> = Pick<ResourcePort<Entity>, 'idKind' | 'store'>;

export function checkSource<Entity extends Resource>(
  needs: Dependencies,
  port: Port<Entity>,
  sendsOf: (resource: Entity) => Sends,
): CheckSource {
  return {
    type: port.idKind,
    async page(request) {
      const { items: stored, nextCursor } = await findStored(needs, port, request);
      const items = await withoutGoneChannels(needs, request.accountId, stored);
      const statusOf = await findStatuses(needs, request.accountId, items);
      const checks = items.map((resource) => ({
        type: port.idKind,
        resource,
        status: statusOf.get(resource.id) ?? null,
        sends: sendsOf(resource),
      }));
      return { checks, nextCursor };
    },
  };
}

async function findStored<Entity extends Resource>(
  needs: Dependencies,
  port: Port<Entity>,
  { ids, ...request }: SourceRequest,
) {
  if (ids === undefined) return listResources(needs, port, request);
  const own = ids.filter((id) => isId(port.idKind, id));
  const query = { limit: own.length, beforeId: null, ids: own };
  const { items } = await port.store.list(request.accountId, query);
  return { items, nextCursor: null };
}
