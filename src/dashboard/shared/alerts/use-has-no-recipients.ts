/** Finds out whether the failure of a saved check would notify no one. The data is read once for many checks. */
import type { AlertChannel, AlertRoutes, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useSession } from '../data/session';
import { type Alerting, hasNoRecipients } from './recipients';

/** The returned function returns false until the data is read. */
export function useHasNoRecipients(): (check: Alerting) => boolean {
  const { emailEnabled } = useSession();
  const { data: channels } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const { data: rules } = useRead<AlertRoutes>('/v1/alert-routes');
  if (channels === undefined || rules === undefined) return () => false;
  const ways = { channels: channels.data, routes: rules.routes, emailEnabled };
  return (check) => hasNoRecipients(check, ways);
}
