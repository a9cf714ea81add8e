/** The responses of every route that signs a person in. */
import type { SessionOrigin } from '../../../models/accounts/sessions';
import type { User } from '../../../models/accounts/users';
import { openedSession } from '../../../schemas/responses/account';
import { secondFactorAsked } from '../../../schemas/responses/sign-in';
import type { RecordedChange } from '../../../services/accounts/audit-events';
import type { Dependencies } from '../../../services/ports/dependencies';
import type { SignInOutcome } from '../../../services/sessions/open-session';
import type { ResponseTo, RouteResponse } from '../../routing/response';
import type { RawInput } from '../../routing/route';
import { buildSessionCookie, refuseForeignOrigin } from '../../server/session-cookie';

export const SESSION_RESPONSES = {
  200: { description: 'A second factor is asked for first', schema: secondFactorAsked },
  201: { description: 'Who you are, and a cookie', schema: openedSession },
} as const;

export function toActor({
  accountId,
  id,
  email,
}: Pick<User, 'accountId' | 'id' | 'email'>): NonNullable<RouteResponse['actedAs']> {
  return { accountId, actor: { type: 'user', id, name: email } };
}

export function readOrigin({
  headers,
  clientAddress,
}: Pick<RawInput, 'headers' | 'clientAddress'>): SessionOrigin {
  return { address: clientAddress, userAgent: headers['user-agent'] ?? null };
}

/**
 * Returns the address and the client of the request that opens a session. Throws `insufficient_scope` if another site
 * made the browser send the request.
 */
export function readOwnOrigin(
  { publicUrl }: Pick<Dependencies, 'publicUrl'>,
  input: Pick<RawInput, 'headers' | 'clientAddress'>,
): SessionOrigin {
  refuseForeignOrigin(input.headers, publicUrl);
  return readOrigin(input);
}

/** Responds with a new session. The session id is always generated. An id that a browser sent is never used. */
export function sessionResponse(
  { publicUrl }: Pick<Dependencies, 'publicUrl'>,
  outcome: SignInOutcome,
): ResponseTo<typeof SESSION_RESPONSES> {
  if (outcome.kind === 'factor_asked') return { status: 200, body: outcome.response };
  const { response, user } = outcome;
  return {
    status: 201,
    headers: { 'Set-Cookie': buildSessionCookie(outcome, publicUrl), Location: '/v1/session' },
    body: response,
    actedAs: toActor(user),
  };
}

/**
 * Responds with a new session after a sign-in through a link. The audit trail names the person even before the person
 * has proved a second factor.
 */
export function linkSessionResponse(
  services: Pick<Dependencies, 'publicUrl'>,
  outcome: SignInOutcome,
  name: Pick<RecordedChange, 'action' | 'resourceType'>,
): ResponseTo<typeof SESSION_RESPONSES> {
  const response = sessionResponse(services, outcome);
  if (outcome.kind === 'opened') return response;
  const change = { ...name, resourceId: outcome.user.id, before: null, after: null };
  return { ...response, actedAs: toActor(outcome.user), changes: [change] };
}
