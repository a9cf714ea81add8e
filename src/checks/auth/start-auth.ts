/** Begins the authentication that a request has, where that is more than headers of its own. */
import type { Auth } from '../../contracts/definition';
import { renderText, type TemplateValues } from '../../domain/templates/template';
import { unwrapRendered } from '../rendered';
import type { AuthSession } from './auth-session';
import { createDigest } from './digest';

export type StartAuth = () => AuthSession;

/** null for what only adds the same headers to each request. Throws StepFailure for what cannot be filled in. */
export function authStarter(auth: Auth | undefined, values: TemplateValues): StartAuth | null {
  if (auth?.type !== 'digest') return null;
  const [user, password] = [auth.user, auth.password].map((text) =>
    unwrapRendered(renderText(text, values)),
  );
  return () => createDigest({ user: user ?? '', password: password ?? '' });
}
