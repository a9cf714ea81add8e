/** Says that emails are not sent, to those who can change it, while no mail server is set. */
import { Alert } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useCan, useSession } from '../data/session';

export function MailBanner() {
  const { emailEnabled } = useSession();
  const isAdmin = useCan('admin');
  if (emailEnabled || !isAdmin) return null;
  return (
    <Alert
      variant="default"
      mb="lg"
      icon={<IconMailOff aria-hidden color="var(--kw-degraded)" />}
      title="Email is not set up"
    >
      Alerts by email, invitations and password links are not sent. Set SMTP_URL and MAIL_FROM on
      the server.
    </Alert>
  );
}
