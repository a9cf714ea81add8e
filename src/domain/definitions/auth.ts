/** Which authentication a request has: its own, that of its scenario, or none. Pure. */
import { type Auth, isNetworkStep, type SentStep, type WithAuth } from '../../contracts/definition';

/** As it is stored; null: nothing is said. */
export function storedAuth(auth: Auth | null): WithAuth {
  return auth === null ? {} : { auth };
}

/** The step as it is sent: a request without authentication of its own has that of its scenario. */
export function withSentAuth<Step extends SentStep>(step: Step, { auth: shared }: WithAuth): Step {
  const isKept = isNetworkStep(step) || ('auth' in step && step.auth !== undefined);
  if (isKept || shared === undefined) return step;
  return { ...step, auth: shared };
}
