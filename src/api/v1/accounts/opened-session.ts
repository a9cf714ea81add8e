/** The response of every route that starts a session. */
import type { SessionOrigin } from '../../../models/accounts/sessions';
import type { User } from '../../../models/accounts/users';
import { openedSession } from '../../../schemas/responses/account';
import type { Dependencies } from '../../../services/ports/dependencies';
import type { SessionOpened } from '../../../services/sessions/open-session';
import type { ResponseTo, RouteResponse } from '../../routing/response';
import type { RawInput } from '../../routing/route';
import { sessionCookie } from '../../server/session-cookie';

export const OPENED = {
  201: { description: 'Who you are, and a cookie', schema: openedSession },
} as const;

export function actedAs({ accountId, id, email }: User): NonNullable<RouteResponse['actedAs']> {
  return { accountId, actor: { type: 'user', id, name: email } };
}

export function readOrigin({
  headers,
  clientAddress,
}: Pick<RawInput, 'headers' | 'clientAddress'>): SessionOrigin {
  return { address: clientAddress, userAgent: headers['user-agent'] ?? null };
}

/** A new session never uses an id that a browser sent. */
export function openedResponse(
  { publicUrl }: Pick<Dependencies, 'publicUrl'>,
  { response, sessionId, user }: SessionOpened,
): ResponseTo<typeof OPENED> {
  const cookie = sessionCookie(sessionId, publicUrl);
  return {
    status: 201,
    headers: { 'Set-Cookie': cookie, Location: '/v1/session' },
    body: response,
    actedAs: actedAs(user),
  };
}
