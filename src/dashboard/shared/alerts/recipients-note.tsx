/** Says who would be notified, and loudly that nobody would. */
import { Alert, Text } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import type { Monitor } from '../data/api-types';
import { useFindRecipients } from './use-recipients';

export function RecipientsNote({ alerts }: { readonly alerts: Monitor['alerts'] }) {
  const findRecipients = useFindRecipients();
  if (findRecipients === null) return null;
  const { reached, unreachable } = findRecipients(alerts);
  if (reached.length > 0)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Will be notified: {reached.join(', ')}
        {unreachable.length > 0 &&
          `. No email is sent to ${unreachable.join(', ')}: no mail server is set.`}
      </Text>
    );
  return (
    <Alert
      variant="default"
      icon={<IconBellOff aria-hidden color="var(--kw-degraded)" />}
      title="Nobody will be alerted"
    >
      {unreachable.length > 0
        ? 'Only emails are set, and this installation has no mail server. Add a Slack or webhook channel.'
        : 'Add an email or a channel.'}
    </Alert>
  );
}
