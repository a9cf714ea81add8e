/** Authentication that depends on what is sent and on what comes back: one session for each try of a request. */
import type { Auth } from '../../contracts/definition';
import { renderText, type TemplateValues } from '../../domain/templates/template';
import type { ResponseHead } from '../http/response-head';
import type { WireRequest } from '../http/write-request';
import { unwrapRendered } from '../rendered';
import { createDigest } from './digest';

export interface AuthSession {
  /** The request with its credentials, as far as it is known what to prove. */
  readonly sign: (request: WireRequest) => WireRequest;
  /** Takes what the response asks for; true: the request is worth sending once more. */
  readonly learn: (head: ResponseHead) => boolean;
}

export type StartAuth = () => AuthSession;

/** null for what only adds the same headers to each request. Throws StepFailure for what cannot be filled in. */
export function authStarter(auth: Auth | undefined, values: TemplateValues): StartAuth | null {
  if (auth?.type !== 'digest') return null;
  const [user, password] = [auth.user, auth.password].map((text) =>
    unwrapRendered(renderText(text, values)),
  );
  return () => createDigest({ user: user ?? '', password: password ?? '' });
}
