/** Reads the trail of an account, newest first. */

import type { AuditEvent } from '../../models/accounts/audit';
import type { AuditResponse } from '../../schemas/responses/account';
import { decodeCursor, encodeCursor, ID_POSITION } from '../lists/cursor';
import { toInstant } from '../lists/instants';
import type { ListPage, ListRequest } from '../lists/list-page';
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
  const scope = { accountId, list: 'audit-events', ...filters };
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const { actor: actorId, action, resourceId, from: fromMs, to: toMs } = filters;
  const query = { limit, beforeId, actorId, action, resourceId, fromMs, toMs };
  const { rows, hasMore } = await stores.audit.page(accountId, query);
  const last = rows.at(-1);
  return {
    data: rows.map(present),
    nextCursor: hasMore && last !== undefined ? encodeCursor(scope, [last.id]) : null,
  };
}

function present({ accountId: _account, atMs, ...event }: AuditEvent): AuditResponse {
  return { ...event, at: toInstant(atMs) };
}
