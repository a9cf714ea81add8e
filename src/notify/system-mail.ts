/** Sends emails of the service itself: invitations and password links. Does not send alerts. */
import type { Mailer } from '../services/ports/dependencies';
import { createMailTransport, type MailServer } from './mail-transport';

/** Creates the mailer. It makes one attempt, and throws if the mail server does not accept the email. */
export function createSystemMailer(server: MailServer, from: string): Mailer {
  const transport = createMailTransport(server);
  return {
    async sendMail({ to, subject, text, html }) {
      await transport.sendMail({
        from,
        // The address is an object, because a text would be parsed as a list.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
    },
  };
}
