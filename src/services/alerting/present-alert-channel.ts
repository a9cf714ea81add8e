/** An alert channel as /v1 answers it (docs/alerts.md): what a webhook's address hides stays hidden. */

import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertChannelResponse } from '../../schemas/responses/alerts';
import { toInstant } from '../lists/instants';

export function presentAlertChannel(row: AlertChannel): AlertChannelResponse {
  const { id, version, name, key, type, isDefault } = row;
  return {
    id,
    version,
    name,
    key,
    type,
    isDefault,
    ...placesOf(row),
    createdAt: toInstant(row.createdAtMs),
    updatedAt: toInstant(row.updatedAtMs),
  };
}

function placesOf({ type, places }: AlertChannel) {
  const shown = places.map((place) => place.shown);
  const [first = ''] = shown;
  switch (type) {
    case 'email':
      return { emails: shown };
    case 'slack':
      return { webhookUrl: first };
    case 'webhook':
      return { url: first };
  }
}
