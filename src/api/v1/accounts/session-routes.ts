/** Set-up, sessions and passwords: how people come in. */

import type { User } from '../../../models/accounts/users';
import {
  linkBody,
  passwordBody,
  resetRequestBody,
  sessionBody,
  setupBody,
} from '../../../schemas/account';
import type { Dependencies } from '../../../services/ports/dependencies';
import { acceptInvitation } from '../../../services/sessions/accept-invitation';
import { changePassword } from '../../../services/sessions/change-password';
import { closeSession } from '../../../services/sessions/close-session';
import { getSession } from '../../../services/sessions/get-session';
import { openSession, type SessionOpened } from '../../../services/sessions/open-session';
import { requestPasswordReset, resetPassword } from '../../../services/sessions/reset-password';
import { endSession, listSessions } from '../../../services/sessions/sessions';
import { isSetUpRequired, setUp } from '../../../services/sessions/set-up';
import { NO_CONTENT, okResponse, type RouteResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, publicRoute, type Route, route } from '../../routing/route';
import {
  endedSessionCookie,
  readSessionCookie,
  refuseForeignOrigin,
  sessionCookie,
} from '../../server/session-cookie';

export interface SessionRouteOptions {
  readonly services: Dependencies;
  readonly publicUrl: string;
}

function actedAs({ accountId, id, email }: User): NonNullable<RouteResponse['actedAs']> {
  return { accountId, actor: { type: 'user', id, name: email } };
}

/** The routes that nobody needs credentials for. */
export function entryRoutes(options: SessionRouteOptions): readonly Route[] {
  const { services, publicUrl } = options;
  return [
    publicRoute({
      endpoint: 'GET /v1/setup',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async () => okResponse({ required: await isSetUpRequired(services) }),
    }),
    publicRoute({
      endpoint: 'POST /v1/setup',
      body: setupBody,
      query: NO_QUERY,
      handler: async ({ body, headers, clientAddress }) => {
        refuseForeignOrigin(headers, publicUrl);
        const { answer, sessionId, user } = await setUp(services, body, clientAddress);
        const cookie = sessionCookie(sessionId, publicUrl);
        const answerHeaders = { 'Set-Cookie': cookie, Location: '/v1/account' };
        return { status: 201, headers: answerHeaders, body: answer, actedAs: actedAs(user) };
      },
    }),
    publicRoute({
      endpoint: 'POST /v1/session',
      body: sessionBody,
      query: NO_QUERY,
      handler: async ({ body, headers, clientAddress }) => {
        refuseForeignOrigin(headers, publicUrl);
        return openedAnswer(options, await openSession(services, body, clientAddress));
      },
    }),
    ...linkRoutes(options),
  ];
}

/** For whoever holds a link, or asks for one. */
function linkRoutes(options: SessionRouteOptions): readonly Route[] {
  const { services, publicUrl } = options;
  return [
    publicRoute({
      endpoint: 'POST /v1/invitations/accept',
      body: linkBody,
      query: NO_QUERY,
      handler: async ({ body, headers, clientAddress: address }) => {
        refuseForeignOrigin(headers, publicUrl);
        return openedAnswer(options, await acceptInvitation(services, { body, address }));
      },
    }),
    publicRoute({
      endpoint: 'POST /v1/password/reset-request',
      body: resetRequestBody,
      query: NO_QUERY,
      handler: async ({ body, clientAddress }) => {
        await requestPasswordReset(services, body.email, clientAddress);
        return { status: 202 };
      },
    }),
    publicRoute({
      endpoint: 'POST /v1/password/reset',
      body: linkBody,
      query: NO_QUERY,
      handler: async ({ body, headers, clientAddress: address }) => {
        refuseForeignOrigin(headers, publicUrl);
        const user = await resetPassword(services, { body, address });
        return { ...NO_CONTENT, actedAs: actedAs(user) };
      },
    }),
  ];
}

/** A new session never has an id that a browser brought along. */
function openedAnswer(
  { publicUrl }: SessionRouteOptions,
  { answer, sessionId, user }: SessionOpened,
): RouteResponse {
  const cookie = sessionCookie(sessionId, publicUrl);
  return {
    status: 201,
    headers: { 'Set-Cookie': cookie, Location: '/v1/session' },
    body: answer,
    actedAs: actedAs(user),
  };
}

export function sessionRoutes({ services, publicUrl }: SessionRouteOptions): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/session',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal) => okResponse(await getSession(services, principal)),
    }),
    route({
      endpoint: 'DELETE /v1/session',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { headers }) => {
        const sessionId = readSessionCookie(headers, publicUrl);
        if (sessionId !== null) await closeSession(services, accountId, sessionId);
        return { ...NO_CONTENT, headers: { 'Set-Cookie': endedSessionCookie(publicUrl) } };
      },
    }),
    route({
      endpoint: 'GET /v1/sessions',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal, { headers }) => {
        const current = readSessionCookie(headers, publicUrl);
        const data = await listSessions(services, principal, current);
        return okResponse({ data, nextCursor: null });
      },
    }),
    route({
      endpoint: 'DELETE /v1/sessions/:sessionId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal, { param }) => {
        await endSession(services, principal, param('sessionId'));
        return NO_CONTENT;
      },
    }),
    route({
      endpoint: 'POST /v1/password',
      scope: 'read',
      body: passwordBody,
      query: NO_QUERY,
      handler: async (principal, { body, clientAddress: address }) => {
        const sessionId = await changePassword(services, principal, { body, address });
        return { ...NO_CONTENT, headers: { 'Set-Cookie': sessionCookie(sessionId, publicUrl) } };
      },
    }),
  ];
}
