/**
 * Sends a person an email when their password, factors or providers change. The change does not wait for the email, and
 * succeeds even if the email cannot be sent.
 */
import { mailLink } from '../accounts/account-emails';
import type { Dependencies } from '../ports/dependencies';

/** The first sentence of the email for each change. */
const SENTENCES = {
  passwordChanged: 'The password of your Keepwatch account was changed.',
  passwordReset: 'The password of your Keepwatch account was reset by a link.',
  appAdded: 'An authenticator app was added to your Keepwatch account.',
  appRemoved: 'The authenticator app was removed from your Keepwatch account.',
  passkeyAdded: 'A passkey was added to your Keepwatch account.',
  passkeyRemoved: 'A passkey was removed from your Keepwatch account.',
  recoveryCodesRenewed: 'Your Keepwatch account got new recovery codes. The old ones stop working.',
  providerConnected: 'An identity provider can now sign in to your Keepwatch account.',
  providerDisconnected: 'An identity provider was disconnected from your Keepwatch account.',
} as const;

export function notifyOfChange(
  needs: Pick<Dependencies, 'mailer' | 'publicUrl' | 'notifyOperator'>,
  email: string,
  change: keyof typeof SENTENCES,
): void {
  void mailLink(needs, {
    to: email,
    subject: 'Your sign-in to Keepwatch has changed',
    sentences: [
      SENTENCES[change],
      'If it was not you, reset your password, and remove what you do not know from this page:',
    ],
    link: `${needs.publicUrl}/settings/factors`,
  });
}
