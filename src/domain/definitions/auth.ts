/** Which authentication a request has: its own, that of its scenario, or none. Pure. */
import type { Auth, WithAuth } from '../../contracts/definition';

/** As it is stored; null: nothing is said. */
export function storedAuth(auth: Auth | null): WithAuth {
  return auth === null ? {} : { auth };
}

/** The step as it is sent: one without authentication of its own has that of its scenario. */
export function withSentAuth<Step extends WithAuth>(step: Step, { auth: shared }: WithAuth): Step {
  return step.auth !== undefined || shared === undefined ? step : { ...step, auth: shared };
}
