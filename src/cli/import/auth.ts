/**
 * Converts the authentication of another tool to `auth`. Plain values are copied. Secrets are replaced by references.
 */
import { z } from 'zod';
import { quoteTexts, quoteUrl } from '../../domain/templates/quote-texts';
import { isSecretName } from './hide-secrets';
import type { Fields, NoteTaker } from './imported';

interface Given extends NoteTaker {
  /** The key of the monitor. Names of secrets start with it. */
  readonly key: string;
  readonly headers: Fields;
}

/**
 * Returns the `auth` of a monitor or step. null if a header already contains the credentials, or if the user name
 * contains a colon.
 */
export function importBasicAuth({
  user,
  key,
  headers,
  note,
}: Given & { readonly user: string }): Fields | null {
  if (hasAuthorization(headers)) {
    note('has both a password and the header Authorization; the password is left out');
    return null;
  }
  if (user.includes(':')) {
    note('has a colon in its user name, which cannot be sent; the user is left out');
    return null;
  }
  const secret = `${formatPrefix(key)}_PASSWORD`;
  note(`signs in with a password: set the secret ${secret} to the password`);
  return { type: 'basic', user: quoteTexts(user), password: `{{secret:${secret}}}` };
}

interface GivenClient extends Given {
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Scopes separated by spaces. Empty if there are no scopes. */
  readonly scope: string;
  readonly audience?: string | undefined;
  readonly sendAs?: 'header' | 'body' | undefined;
}

/** Converts the settings of an OAuth 2 client that fetches tokens. null means that they cannot be imported. */
export function importClientAuth(given: GivenClient): Fields | null {
  const { tokenUrl, clientId, scope, audience, sendAs, key, headers, note } = given;
  if (hasAuthorization(headers)) {
    note('fetches tokens and has the header Authorization; the tokens are left out');
    return null;
  }
  if (clientId === '' || !URL.canParse(tokenUrl) || holdsSecret(new URL(tokenUrl))) {
    note(
      'fetches tokens without a client, or from a URL that is invalid or contains secrets; left out',
    );
    return null;
  }
  const secret = `${formatPrefix(key)}_CLIENT_SECRET`;
  note(`fetches tokens: set the secret ${secret} to the secret of the client`);
  return {
    type: 'oauth2',
    tokenUrl: quoteUrl(tokenUrl),
    clientId: quoteTexts(clientId),
    clientSecret: `{{secret:${secret}}}`,
    ...(scope === '' ? {} : { scope: quoteTexts(scope) }),
    ...(audience ? { audience: quoteTexts(audience) } : {}),
    ...(sendAs === undefined ? {} : { sendAs }),
  };
}

const text = z.string().nullish();

/** The shape of Gatus's `client.oauth2`. */
export const gatusClient = z
  .looseObject({ 'token-url': text, 'client-id': text, scopes: z.array(z.string()).nullish() })
  .nullish();

export function importGatusAuth(client: z.output<typeof gatusClient>, given: Given): Fields | null {
  if (!client) return null;
  const scope = (client.scopes ?? []).join(' ');
  const [tokenUrl, clientId] = [client['token-url'] ?? '', client['client-id'] ?? ''];
  return importClientAuth({ ...given, tokenUrl, clientId, scope });
}

function hasAuthorization(headers: Fields): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

function holdsSecret({ username, password, searchParams }: URL): boolean {
  return `${username}${password}` !== '' || [...searchParams.keys()].some(isSecretName);
}

function formatPrefix(key: string): string {
  return key.replaceAll(/[^a-z0-9]/g, '_').toUpperCase();
}
