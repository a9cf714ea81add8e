/** Finds the authentication of a request: its own, its scenario's, or none; and the URLs it needs. Pure. */
import {
  type Auth,
  isNetworkStep,
  type SentStep,
  type StepDefinition,
  type WithAuth,
} from '../../contracts/definition';

/** The authentication as it is stored; null: none is specified. */
export function storedAuth(auth: Auth | null): WithAuth {
  return auth === null ? {} : { auth };
}

/** The step as it is sent: a request without authentication of its own uses its scenario's. */
export function withSentAuth<Step extends SentStep>(step: Step, { auth: shared }: WithAuth): Step {
  const isKept = isNetworkStep(step) || ('auth' in step && step.auth !== undefined);
  if (isKept || shared === undefined) return step;
  return { ...step, auth: shared };
}

/** Every URL that the request of a step needs: its own, and where its token is fetched. */
export function listStepUrls(step: { readonly url: string } | StepDefinition): readonly string[] {
  return [step.url, ...('auth' in step ? listTokenUrls(step) : [])];
}

/** At most one. */
export function listTokenUrls({
  auth,
}: {
  readonly auth?: Auth | null | undefined;
}): readonly string[] {
  return auth?.type === 'oauth2' ? [auth.tokenUrl] : [];
}
