/** Sign-in with a password, as another tool has it: its user is taken over, and a secret is named for the password. */
import { quoteTexts } from '../../domain/templates/quote-texts';
import type { Fields, NoteTaker } from './imported';

interface Given extends NoteTaker {
  readonly user: string;
  /** Of the monitor. */
  readonly key: string;
  readonly headers: Fields;
}

/** `auth` of a monitor or step; null where a header says the same already. */
export function basicAuthOf({ user, key, headers, note }: Given): Fields | null {
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    note('signs in with a password beside the header Authorization; the password is left out');
    return null;
  }
  if (user.includes(':')) {
    note('signs in as a user with a colon, which no request can carry; the user is left out');
    return null;
  }
  const secret = `${key.replaceAll(/[^a-z0-9]/g, '_').toUpperCase()}_PASSWORD`;
  note(`signs in with a password: set the secret ${secret} to the password`);
  return { type: 'basic', user: quoteTexts(user), password: `{{secret:${secret}}}` };
}
