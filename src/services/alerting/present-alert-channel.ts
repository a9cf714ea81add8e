/** An alert channel as /v1 answers it (docs/alerts.md): what is secret in it stays masked. */

import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { AlertChannelResponse } from '../../schemas/responses/alerts';
import { toInstant } from '../lists/instants';

/** Fields of an answer that no body has. */
export const READ_ONLY_FIELDS: readonly string[] = ['id', 'version', 'createdAt', 'updatedAt'];

/** `channels` are all of the account: a fallback that is gone is none. */
export function presentAlertChannel(
  alertChannel: AlertChannel,
  channels: readonly AlertChannel[],
): AlertChannelResponse {
  const { id, version, name, key, type, isDefault, config, onlyKinds, fallbackId } = alertChannel;
  const fallback = channels.find((other) => other.id === fallbackId);
  return {
    ...config,
    id,
    version,
    name,
    key,
    type,
    isDefault,
    onlyKinds: onlyKinds === null ? null : [...onlyKinds],
    fallback: fallback?.key ?? fallback?.id ?? null,
    fallbackAfterMinutes: alertChannel.fallbackAfterMinutes,
    createdAt: toInstant(alertChannel.createdAtMs),
    updatedAt: toInstant(alertChannel.updatedAtMs),
  };
}
