/** Starts a request's authentication if it needs more than fixed headers. */
import type { Auth } from '../../contracts/definition';
import { renderText, type TemplateValues } from '../../domain/templates/template';
import { unwrapRendered } from '../rendered';
import type { AuthSession } from './auth-session';
import { createDigest } from './digest';
import { createSigV4 } from './sigv4';
import type { TokenRequest, TokenSource } from './token-source';

/**
 * Returns the session of one try. If a token is needed, fetches it first, within `timeoutMs`. Rejects with StepFailure.
 */
export type StartAuth = (timeoutMs: number) => Promise<AuthSession>;

interface AuthNeeds {
  readonly values: TemplateValues;
  readonly tokens: TokenSource;
  /** null means that no token is needed. */
  readonly tokenRequest: TokenRequest | null;
}

/**
 * Returns a function that starts the session. null means that the authentication only adds fixed headers, so no session
 * is needed. Throws StepFailure if a text cannot be filled in.
 */
export function createAuthStarter(
  auth: Auth | undefined,
  { values, tokens, tokenRequest }: AuthNeeds,
): StartAuth | null {
  const render = (text: string): string => unwrapRendered(renderText(text, values));
  if (tokenRequest !== null) return (timeoutMs) => createOAuth(tokens, tokenRequest, timeoutMs);
  if (auth?.type === 'digest') {
    const user = { user: render(auth.user), password: render(auth.password) };
    return async () => createDigest(user);
  }
  if (auth?.type === 'sigv4') {
    const credentials = {
      accessKeyId: render(auth.accessKeyId),
      secretAccessKey: render(auth.secretAccessKey),
      sessionToken: auth.sessionToken === undefined ? null : render(auth.sessionToken),
      region: render(auth.region),
      service: render(auth.service),
    };
    return async () => createSigV4(credentials);
  }
  return null;
}

async function createOAuth(
  tokens: TokenSource,
  request: TokenRequest,
  timeoutMs: number,
): Promise<AuthSession> {
  const token = await tokens.get(request, timeoutMs);
  const header = { name: 'authorization', value: `Bearer ${token}` };
  return {
    sign: (sent) => ({ ...sent, headers: [header, ...sent.headers] }),
    learn: () => false,
    fetched: { token, forget: () => tokens.forget(request, token) },
  };
}
