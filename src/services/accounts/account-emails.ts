/** Creates links to set a password or accept an invitation, and sends the emails that contain them. */

import type { Dependencies, OutgoingEmail } from '../ports/dependencies';
import { hashToken } from './api-key-format';

type Needs = Pick<Dependencies, 'mailer' | 'publicUrl' | 'notifyOperator'>;

const TOKEN_BYTES = 32;
/** The time limit for a mail server. A slower server is treated as unavailable. */
const MAIL_WITHIN_MS = 15_000;

export interface LinkToken {
  /** The token in plain text. Only the link contains it. */
  readonly token: string;
  readonly hash: string;
}

export function newLinkToken({ randomBytes }: Pick<Dependencies, 'randomBytes'>): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

/**
 * Returns the link. The token follows the `#`, because browsers never send this part of the URL to a server or include
 * it in a Referer.
 */
export function buildInvitationLink(
  { publicUrl }: Pick<Needs, 'publicUrl'>,
  token: string,
): string {
  return `${publicUrl}/invitation#token=${token}`;
}

function passwordLink({ publicUrl }: Pick<Needs, 'publicUrl'>, token: string): string {
  return `${publicUrl}/password-reset#token=${token}`;
}

export function buildRegistrationLink(
  { publicUrl }: Pick<Needs, 'publicUrl'>,
  token: string,
): string {
  return `${publicUrl}/register#token=${token}`;
}

interface LinkEmail {
  readonly to: string;
  readonly subject: string;
  readonly sentences: readonly string[];
  readonly link: string;
}

/**
 * Sends the email. Returns true if the mail server accepted it. If there is no mail server or the mail server fails,
 * returns false. Failures are logged.
 */
export async function mailLink(needs: Needs, email: LinkEmail): Promise<boolean> {
  if (needs.mailer === null) return false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server did not respond')), MAIL_WITHIN_MS);
  });
  try {
    await Promise.race([needs.mailer.sendMail(buildEmail(email)), late]);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    needs.notifyOperator({ subject: email.subject, reason }, 'an email could not be sent');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function buildEmail({ to, subject, sentences, link }: LinkEmail): OutgoingEmail {
  const paragraphs = sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('');
  return {
    to,
    subject,
    text: [...sentences, '', link, ''].join('\n'),
    html: `${paragraphs}<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Creates a link for setting the person's password, and returns the link. Only the hash of its token is stored. */
export async function createPasswordLink(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'randomBytes' | 'publicUrl'>,
  { personId, lifetimeMs }: { readonly personId: string; readonly lifetimeMs: number },
): Promise<string> {
  const { token, hash } = newLinkToken(needs);
  const createdAtMs = needs.clock.now();
  await needs.stores.passwordTokens.create({
    hash,
    personId,
    createdAtMs,
    expiresAtMs: createdAtMs + lifetimeMs,
  });
  return passwordLink(needs, token);
}
