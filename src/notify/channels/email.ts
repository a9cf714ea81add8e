/** Email: sends one message per recipient through the installation's mail server. */
import { z } from 'zod';
import { defineChannel } from './channel';

const EMAILS_MAX = 20;

/** The field for exactly one email address, without a display name. */
const emailField = z.email().max(254);

export const emailsField = z
  .array(emailField)
  .max(EMAILS_MAX)
  .transform((emails) => [...new Set(emails)]);

export const email = defineChannel({
  type: 'email',
  label: 'Email',
  about: 'Needs the mail server of the installation (SMTP_URL).',
  fields: { emails: emailsField.pipe(z.array(z.string()).min(1)) },
  form: {
    emails: {
      kind: 'list',
      label: 'Email addresses',
      hint: `Up to ${EMAILS_MAX}. Press Enter after each.`,
    },
  },
  splitBy: 'emails',
  requests: null,
});
