/** The audit trail: who changed what, when and from where. */
import type { AuditActor, AuditEvent } from '../../models/accounts/audit';
import type { ListQuery } from '../../models/store/pages';
import type { AuditResponse } from '../../schemas/responses/changes';
import { toInstant } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';

/** A change. Secrets in its values are already masked. */
export interface RecordedChange {
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Who made a change, and by which request. */
export interface ChangeOrigin {
  readonly accountId: string;
  readonly actor: AuditActor;
  readonly requestId: string;
  readonly ip: string | null;
}

/** Number of events that one write stores. Between two writes, the event loop can do other work. */
const LOT = 100;

/**
 * Records changes. Call it right after the changes. If an event cannot be stored, its data is logged for the operator,
 * and the change stays.
 */
export async function recordChanges(
  {
    stores,
    clock,
    newId,
    notifyOperator,
  }: Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'notifyOperator'>,
  { accountId, actor, requestId, ip }: ChangeOrigin,
  changes: readonly RecordedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const atMs = clock.now();
  const by = { accountId, atMs, actor, requestId, ip };
  const events: AuditEvent[] = changes.map((change) => ({ ...change, ...by, id: newId('audit') }));
  for (let at = 0; at < events.length; at += LOT) {
    const lot = events.slice(at, at + LOT);
    try {
      await stores.audit.add(accountId, lot);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      for (const { action, resourceId } of lot) {
        const what = {
          accountId,
          actor: actor.id,
          action,
          resourceId: resourceId ?? '',
          requestId,
        };
        notifyOperator({ ...what, reason }, 'an event of the audit trail could not be stored');
      }
    }
  }
}

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
