/** An alert channel as /v1 answers it (docs/alerts.md): what is secret in it stays masked. */

import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertChannelResponse } from '../../schemas/responses/alerts';
import { toInstant } from '../lists/instants';

/** Fields of an answer that no body has. */
export const READ_ONLY_FIELDS: readonly string[] = ['id', 'version', 'createdAt', 'updatedAt'];

export function presentAlertChannel(row: AlertChannel): AlertChannelResponse {
  const { id, version, name, key, type, isDefault, config } = row;
  return {
    ...config,
    id,
    version,
    name,
    key,
    type,
    isDefault,
    createdAt: toInstant(row.createdAtMs),
    updatedAt: toInstant(row.updatedAtMs),
  };
}
