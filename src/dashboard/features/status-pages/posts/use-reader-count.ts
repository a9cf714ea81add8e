/** Reads how many subscribers are notified when something is published on a status page. */
import type { StatusPage, SubscriberPage } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';

/** Returns the number of subscribers that get posts of the page. 0 while it is unknown, or if nothing is sent. */
export function useReaderCount({ id, isPublic, subscribers }: StatusPage): number {
  const { data } = useRead<SubscriberPage>(`/v1/status-pages/${id}/subscribers?limit=1`);
  const isSent = isPublic && Object.values(subscribers).includes(true);
  return isSent ? (data?.counts.active ?? 0) : 0;
}
