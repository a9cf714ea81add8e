/** Sends emails of the service itself: invitations and password links. Alerts are sent by other code. */
import type { Mailer } from '../services/ports/dependencies';
import { createMailTransport, type MailServer } from './mail-transport';

/** Makes one attempt. Throws if the mail server does not accept the email. */
export function createSystemMailer(server: MailServer, from: string): Mailer {
  const transport = createMailTransport(server);
  return {
    async sendMail({ to, subject, text, html }) {
      await transport.sendMail({
        from,
        // An object, so that the email address is not parsed as a list.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
    },
  };
}
