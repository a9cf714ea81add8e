/** An alert channel as /v1 answers it (docs/alerts.md): what a webhook's address hides stays hidden. */
import type { ChannelType } from '../../contracts/alerts';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { toInstant } from '../lists/instants';

export interface AlertChannelResponse {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly key: string | null;
  readonly type: ChannelType;
  readonly isDefault: boolean;
  readonly emails?: readonly string[];
  readonly webhookUrl?: string;
  readonly url?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The answer of a new webhook; the only one that holds its signing secret. */
export type NewAlertChannelResponse = AlertChannelResponse & { readonly signingSecret?: string };

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
