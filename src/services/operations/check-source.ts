/**
 * Where the rows of the list of checks come from: one source for each type of check. A source finds and
 * presents nothing that another type has.
 */
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import type { ListRequest } from '../lists/list-page';
import type { Dependencies } from '../ports/dependencies';
import { findStatuses } from '../resources/find-status';
import { listResources, type ResourceFilters } from '../resources/list-resources';
import { withoutGoneChannels } from '../resources/resolve-alerts';
import type { ResourcePort } from '../resources/resource-port';
import type { Checked } from './check-figures';

/** Where rows of one type come from. */
export interface CheckSource {
  readonly type: CheckType;
  readonly page: (request: SourceRequest) => Promise<SourcePage>;
}

export type SourceRequest = ListRequest &
  ResourceFilters & {
    readonly accountId: string;
    /** Only these; no other filter goes with them. */
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

/** The first URL of a check, and how many requests it sends. */
interface Sends {
  readonly url: string;
  readonly steps: number;
}

export type CheckType = ResourcePort<Resource>['idKind'];

type Port<Row extends Resource> = Pick<ResourcePort<Row>, 'idKind' | 'store'>;

export function checkSource<Row extends Resource>(
  needs: Dependencies,
  port: Port<Row>,
  sendsOf: (row: Row) => Sends,
): CheckSource {
  return {
    type: port.idKind,
    async page(request) {
      const { rows: stored, nextCursor } = await findRows(needs, port, request);
      const rows = await withoutGoneChannels(needs, request.accountId, stored);
      const statusOf = await findStatuses(needs, request.accountId, rows);
      const checks = rows.map((row) => ({
        type: port.idKind,
        row,
        status: statusOf.get(row.id) ?? null,
        sends: sendsOf(row),
      }));
      return { checks, nextCursor };
    },
  };
}

async function findRows<Row extends Resource>(
  needs: Dependencies,
  port: Port<Row>,
  { ids, ...request }: SourceRequest,
) {
  if (ids === undefined) return listResources(needs, port, request);
  const own = ids.filter((id) => isId(port.idKind, id));
  const query = { limit: own.length, beforeId: null, ids: own };
  const { rows } = await port.store.list(request.accountId, query);
  return { rows, nextCursor: null };
}
