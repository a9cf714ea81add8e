/** Lists alerts with every delivery attempt, delivered or not. */

import type { DeliveryStatus } from '../../contracts/alerts';
import type { Alert } from '../../models/alerting/alerts';
import type { AlertResponse } from '../../schemas/responses/alerts';
import { toInstant, toInstantOrNull } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { findWholeIncident } from './whole-incident';

export interface AlertListRequest extends ListRequest {
  readonly status?: DeliveryStatus | undefined;
  /** Id of any episode of an incident. Selects the alerts of all its episodes. */
  readonly incidentId?: string | undefined;
  /** Id of a monitor or scenario. Selects its alerts, which are kept even after the resource is deleted. */
  readonly resourceId?: string | undefined;
}

/** Lists alerts, newest first. */
export async function listAlerts(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { limit, cursor, ...filters }: AlertListRequest,
): Promise<ListPage<AlertResponse>> {
  const range = { limit, cursor };
  const scope = { accountId, list: 'alerts', ...filters };
  const { incidentId = null } = filters;
  const incident =
    incidentId === null ? null : await findWholeIncident({ stores }, accountId, incidentId);
  const wanted = {
    status: filters.status ?? null,
    incidentId: incident?.episodes.map(({ id }) => id) ?? incidentId,
    resourceId: filters.resourceId ?? null,
  };
  return readList(scope, range, {
    read: (query) => stores.alerts.page(accountId, { ...wanted, ...query }),
    present: presentAlert,
  });
}

function presentAlert(alert: Alert): AlertResponse {
  const { id, incidentId, kind, channelId, channelType, recipient, status } = alert;
  return {
    id,
    incidentId,
    kind,
    channelId,
    channelType,
    recipient,
    status,
    attempts: alert.attempts.map(({ atMs, outcome, detail }) => ({
      at: toInstant(atMs),
      outcome,
      detail,
    })),
    createdAt: toInstant(alert.createdAtMs),
    sentAt: toInstantOrNull(alert.sentAtMs),
  };
}
