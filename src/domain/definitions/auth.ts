/**
 * Finds the authentication and the URLs of a request. The authentication is the request's own, its scenario's, or none.
 * Pure.
 */
import {
  type Auth,
  isNetworkStep,
  type SentStep,
  type StepDefinition,
  type WithAuth,
} from '../../contracts/definition';

/** Returns the authentication as definitions store it. Empty if there is none. */
export function toStoredAuth(auth: Auth | null): WithAuth {
  return auth === null ? {} : { auth };
}

/** Returns the step as it is sent. A step without its own authentication gets the authentication of its scenario. */
export function withSentAuth<Step extends SentStep>(step: Step, { auth: shared }: WithAuth): Step {
  const isKept = isNetworkStep(step) || ('auth' in step && step.auth !== undefined);
  if (isKept || shared === undefined) return step;
  return { ...step, auth: shared };
}

/** Returns the URLs that a step contacts: its own URL, and the URL from which its token is fetched. */
export function listStepUrls(step: { readonly url: string } | StepDefinition): readonly string[] {
  return [step.url, ...('auth' in step ? listTokenUrls(step) : [])];
}

/** Returns the token URL, if the authentication has one. */
export function listTokenUrls({
  auth,
}: {
  readonly auth?: Auth | null | undefined;
}): readonly string[] {
  return auth?.type === 'oauth2' ? [auth.tokenUrl] : [];
}
