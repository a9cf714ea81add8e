/** Converts the authentication of a curl command to the authentication of a step, and back. */
import type { AuthDraft } from '../../../shared/auth/auth-draft';
import type { Values } from '../../../shared/definition/options';
import { type Gathered, hasHeader } from './curl-options';
import { shellQuote } from './curl-words';

const SESSION_TOKEN = 'X-Amz-Security-Token';

/**
 * Reads the authentication. An Authorization header overrides --user. Passwords are kept as typed, so that the form can
 * save them as secrets.
 */
export function readAuth(found: Gathered): { readonly auth?: Values } {
  const { user, isDigest, notes } = found;
  if (user === null || hasHeader(found, 'authorization')) return {};
  const [name = '', ...others] = user.split(':');
  const password = others.join(':');
  if (password !== '' && !password.startsWith('{{secret:'))
    notes.push('The password of --user has to become a secret: press “Save as secret” at it.');
  const signed = signedAuth(found, name, password);
  return { auth: signed ?? { type: isDigest ? 'digest' : 'basic', user: name, password } };
}

/**
 * Reads an AWS signature. null if the command has none, or if curl would derive region and service from the host name.
 */
function signedAuth(
  { awsSigning, headers, notes }: Gathered,
  accessKeyId: string,
  secretAccessKey: string,
): Values | null {
  if (awsSigning === null) return null;
  const [, , region = '', service = ''] = awsSigning.split(':');
  if (region === '' || service === '') {
    notes.push('--aws-sigv4 without region and service was left out: choose AWS signature.');
    return null;
  }
  const token = [...headers].find(([name]) => name.toLowerCase() === SESSION_TOKEN.toLowerCase());
  if (token !== undefined) headers.delete(token[0]);
  const session = token === undefined ? {} : { sessionToken: token[1] };
  return { type: 'sigv4', accessKeyId, secretAccessKey, ...session, region, service };
}

export function headerLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

export function authLines({ type, texts }: AuthDraft): readonly string[] {
  switch (type) {
    case 'digest':
      return ['--digest', userLine(texts['user'], texts['password'])];
    case 'basic':
      return [userLine(texts['user'], texts['password'])];
    case 'bearer':
      return [`--oauth2-bearer ${shellQuote(texts['token'] ?? '')}`];
    case 'oauth2':
      // curl cannot fetch the token itself, so the command uses a variable.
      return ['--oauth2-bearer "$TOKEN"'];
    case 'sigv4':
      return awsLines(texts);
    case 'none':
    case null:
      return [];
  }
}

function userLine(user = '', password = ''): string {
  return `--user ${shellQuote(`${user}:${password}`)}`;
}

function awsLines(texts: AuthDraft['texts']): readonly string[] {
  const { accessKeyId, secretAccessKey, sessionToken = '', region = '', service = '' } = texts;
  const token = headerLine(SESSION_TOKEN, sessionToken);
  return [
    `--aws-sigv4 ${shellQuote(`aws:amz:${region}:${service}`)}`,
    userLine(accessKeyId, secretAccessKey),
    ...(sessionToken === '' ? [] : [`-H ${shellQuote(token)}`]),
  ];
}
