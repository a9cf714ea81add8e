/** How use cases send letters of the service itself; alerts go another way. */

export interface OutgoingEmail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the mail server has taken it; throws otherwise. */
  readonly sendMail: (letter: OutgoingEmail) => Promise<void>;
}
