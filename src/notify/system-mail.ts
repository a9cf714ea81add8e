/** Letters of the service itself: invitations and passwords. Alerts have ways of their own. */
import type { Mailer } from '../services/ports/dependencies';
import { createMailTransport, type MailServer } from './mail-transport';

/** Tries once; throws when the mail server did not take it. */
export function createSystemMailer(server: MailServer, from: string): Mailer {
  const transport = createMailTransport(server);
  return {
    async sendMail({ to, subject, text, html }) {
      await transport.sendMail({
        from,
        // An object, so that no part of an address is read as a list of addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
    },
  };
}
