/** Alerts as they were delivered, or not, with every try. */

import type { DeliveryStatus } from '../../contracts/alerts';
import type { Alert } from '../../models/alerting/alerts';
import type { AlertResponse } from '../../schemas/responses/alerts';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';

export interface AlertListRequest extends ListRequest {
  readonly status?: DeliveryStatus | undefined;
  readonly incidentId?: string | undefined;
  /** A monitor or scenario; its alerts stay when it is deleted. */
  readonly resourceId?: string | undefined;
}

/** Newest first. */
export async function listAlerts(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { limit, cursor, ...filters }: AlertListRequest,
): Promise<ListPage<AlertResponse>> {
  const range = { limit, cursor };
  const scope = { accountId, list: 'alerts', ...filters };
  const wanted = {
    status: filters.status ?? null,
    incidentId: filters.incidentId ?? null,
    resourceId: filters.resourceId ?? null,
  };
  return readList(scope, range, {
    read: (query) => stores.alerts.page(accountId, { ...wanted, ...query }),
    present: presentAlert,
  });
}

function presentAlert(row: Alert): AlertResponse {
  const { id, incidentId, kind, channelId, channelType, recipient, status } = row;
  return {
    id,
    incidentId,
    kind,
    channelId,
    channelType,
    recipient,
    status,
    attempts: row.attempts.map(({ atMs, outcome, detail }) => ({
      at: toInstant(atMs),
      outcome,
      detail,
    })),
    createdAt: toInstant(row.createdAtMs),
    sentAt: toInstantOrNull(row.sentAtMs),
  };
}
