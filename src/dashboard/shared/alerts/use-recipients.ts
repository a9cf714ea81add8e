/** Who would be notified by given alerts, as far as the channels are known; null before. */
import type { AlertChannel, Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useSession } from '../data/session';
import { type Recipients, recipientsOf } from './recipients';

export function useRecipients(
  alerts: Pick<Monitor['alerts'], 'channels' | 'emails'>,
): Recipients | null {
  const { emailEnabled } = useSession();
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  return data === undefined ? null : recipientsOf({ alerts, channels: data.data, emailEnabled });
}
