/** Shows admins how to set up a mail server if there is none. */
import { Alert, Anchor } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useCan, useSession } from '../data/session';

const HOW_TO = '/docs/operations.md#mail-server';

export function MailBanner() {
  const { emailEnabled, runsInstallation } = useSession();
  const isAdmin = useCan('admin');
  if (emailEnabled || !isAdmin) return null;
  return (
    <Alert
      variant="default"
      mb="lg"
      icon={<IconMailOff aria-hidden color="var(--kw-degraded)" />}
      title="Email is not set up"
    >
      Alerts by email, invitations and password links are not sent.{' '}
      {runsInstallation ? (
        <Anchor href={HOW_TO} target="_blank" rel="noreferrer" size="sm" underline="always">
          Set up a mail server
        </Anchor>
      ) : (
        'Ask the operator of this installation to set up a mail server.'
      )}
    </Alert>
  );
}
