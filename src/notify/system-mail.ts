/** Letters of the service itself: invitations and passwords. Alerts have ways of their own. */
import type { Mailer } from '../services/ports/dependencies';
import { createMailTransport, type MailTransportOptions } from './mail-transport';

/** Tries once; throws when the mail server did not take it. */
export function createSystemMailer(
  smtpUrl: string,
  from: string,
  options?: MailTransportOptions,
): Mailer {
  const transport = createMailTransport(smtpUrl, options);
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
