/** Reads the trail of an account, newest first. */

import type { AuditEvent } from '../../models/accounts/audit';
import type { ListQuery } from '../../models/store/list-query';
import type { AuditResponse } from '../../schemas/responses/account';
import { toInstant } from '../lists/instants';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';

export interface AuditListRequest extends ListRequest {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export async function listAuditEvents(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { limit, cursor, ...filters }: AuditListRequest,
): Promise<ListPage<AuditResponse>> {
  const range = { limit, cursor };
  const scope = { accountId, list: 'audit-events', ...filters };
  const { actor: actorId, action, resourceId, from: fromMs, to: toMs } = filters;
  const wanted = { actorId, action, resourceId, fromMs, toMs };
  const read = (query: ListQuery) => stores.audit.page(accountId, { ...wanted, ...query });
  return readList(scope, range, { read, present });
}

function present({ accountId: _account, atMs, ...event }: AuditEvent): AuditResponse {
  return { ...event, at: toInstant(atMs) };
}
