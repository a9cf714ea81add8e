/** Marks a monitor or scenario whose failure nobody would hear of. */
import { Badge } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { useRecipients } from '../alerts/use-recipients';
import type { Monitor } from '../data/api-types';

export function NoAlertsBadge({ alerts }: { readonly alerts: Monitor['alerts'] }) {
  const recipients = useRecipients(alerts);
  if (recipients === null) return null;
  if (recipients.reached.length > 0 && alerts.onFailure) return null;
  return (
    <Badge
      size="xs"
      variant="default"
      tt="none"
      ml={6}
      leftSection={<IconBellOff size={10} aria-hidden />}
      title="No alerts are sent when this fails"
    >
      No alerts
    </Badge>
  );
}
