/** How use cases send emails of the service itself; alerts go another way. */

export interface OutgoingEmail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the mail server has taken it; throws otherwise. */
  readonly sendMail: (email: OutgoingEmail) => Promise<void>;
}
