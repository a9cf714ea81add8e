/** Shows who would be notified, with a clear warning if nobody would be. */
import { Alert, Button, Text } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import type { Monitor } from '../data/api-types';
import { useSession } from '../data/session';
import { useFindRecipients } from './use-recipients';

interface RecipientsNoteProps {
  readonly alerts: Monitor['alerts'];
  /** Adds the email address of the signed-in person. */
  readonly onAlertMe: (email: string) => void;
}

export function RecipientsNote({ alerts, onAlertMe }: RecipientsNoteProps) {
  const { user, emailEnabled } = useSession();
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
        : toDo(emailEnabled)}
      {emailEnabled && user !== null && (
        <div>
          <Button size="xs" variant="default" mt="xs" onClick={() => onAlertMe(user.email)}>
            Alert {user.email}
          </Button>
        </div>
      )}
    </Alert>
  );
}

function toDo(emailEnabled: boolean): string {
  return emailEnabled
    ? 'Add an email or a channel.'
    : 'This installation has no mail server. Add a Slack or webhook channel.';
}
