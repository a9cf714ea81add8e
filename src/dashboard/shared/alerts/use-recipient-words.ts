/** Returns the recipient of an alert in words. A channel is shown by its name if the channel still exists. */
import { nameRecipient } from '../../../domain/alerting/recipient-words';
import type { Alert, AlertChannel, Page } from '../data/api-types';
import { useRead } from '../data/queries';

export function useRecipientWords(): (alert: Pick<Alert, 'channelId' | 'recipient'>) => string {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const names = new Map((data?.data ?? []).map(({ id, name }) => [id, name]));
  return ({ channelId, recipient }) => nameRecipient(recipient, names.get(channelId ?? '') ?? null);
}
