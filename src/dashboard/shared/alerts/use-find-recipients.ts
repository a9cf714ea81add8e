/** Finds the recipients of alerts among the channels of the account. */
import type { AlertChannel, Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useSession } from '../data/session';
import { findRecipients, type Recipients } from './recipients';

type FindRecipients = (alerts: Pick<Monitor['alerts'], 'channels' | 'emails'>) => Recipients;

/** Returns a function that finds the recipients of a check's alerts. null until the channels are read. */
export function useFindRecipients(): FindRecipients | null {
  const { emailEnabled } = useSession();
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  if (data === undefined) return null;
  return (alerts) => findRecipients({ alerts, channels: data.data, emailEnabled });
}
