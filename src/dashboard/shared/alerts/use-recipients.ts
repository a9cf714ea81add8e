/** Who would be notified, as far as the channels are known; null before. One reading serves many checks. */
import type { AlertChannel, Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useSession } from '../data/session';
import { type Recipients, recipientsOf } from './recipients';

type FindRecipients = (alerts: Pick<Monitor['alerts'], 'channels' | 'emails'>) => Recipients;

export function useFindRecipients(): FindRecipients | null {
  const { emailEnabled } = useSession();
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  if (data === undefined) return null;
  return (alerts) => recipientsOf({ alerts, channels: data.data, emailEnabled });
}
