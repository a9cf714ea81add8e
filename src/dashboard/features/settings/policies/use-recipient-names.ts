/** Returns the names of the recipients that a check alerts if it has no policy, like `Chat (default)`. */
import { findRecipients } from '../../../shared/alerts/recipients';
import type { AlertChannel, Page } from '../../../shared/data/api-types';
import { useChecks } from '../../../shared/data/checks';
import { useRead } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';

/** The returned function returns null until the data is read. */
export function useRecipientNames(): (checkId: string) => readonly string[] | null {
  const { emailEnabled } = useSession();
  const { checks } = useChecks();
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  return (checkId) => {
    const check = checks?.find(({ id }) => id === checkId);
    if (check === undefined || data === undefined) return null;
    const channels = data.data.map((channel) =>
      channel.isDefault ? { ...channel, name: `${channel.name} (default)` } : channel,
    );
    return findRecipients({ alerts: check.alerts, channels, emailEnabled }).reached;
  };
}
