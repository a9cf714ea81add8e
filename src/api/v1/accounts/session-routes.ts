/** Routes of sessions and of the signed-in person's password. */

import { passwordBody } from '../../../schemas/account';
import { session, sessionPage } from '../../../schemas/responses/account';
import { changePassword } from '../../../services/sessions/passwords';
import {
  closeSession,
  endOtherSessions,
  endSession,
  getSession,
  listSessions,
} from '../../../services/sessions/sessions';
import { NO_CONTENT, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';
import {
  buildExpiredSessionCookie,
  buildSessionCookie,
  readSessionCookie,
} from '../../server/session-cookie';
import { readOrigin } from './session-response';

const PASSWORD = 'choose-a-long-one-please';

export const sessionRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/session',
    operationId: 'getSession',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'Get the current session',
    description:
      'Returns the account, the person and the scopes of the request. For an API key, the person is null.',
    guide: 'docs/api/accounts.md#roles',
    scope: 'read',
    responses: { 200: { description: 'The account, and the person or key', schema: session } },
    handler: async (principal, { services }) => okResponse(await getSession(services, principal)),
  }),
  route({
    endpoint: 'DELETE /v1/session',
    operationId: 'signOut',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'Sign out',
    description:
      'Ends the current session at once and removes its cookie. Other sessions of the person stay open.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    scope: 'read',
    audit: { action: 'session.close', resourceType: 'user' },
    responses: { 204: { description: 'The session has ended' } },
    codes: ['insufficient_scope'],
    handler: async (principal, { services, headers }) => {
      const sessionId = readSessionCookie(headers, services.publicUrl);
      if (sessionId !== null) await closeSession(services, principal, sessionId);
      return {
        ...NO_CONTENT,
        headers: { 'Set-Cookie': buildExpiredSessionCookie(services.publicUrl) },
      };
    },
  }),
  route({
    endpoint: 'GET /v1/sessions',
    operationId: 'listSessions',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'List your sessions',
    description:
      'Returns your open sessions in all accounts, newest first. An API key has no sessions.',
    guide: 'docs/api/accounts.md#several-accounts',
    scope: 'read',
    responses: { 200: { description: 'All of them', schema: sessionPage } },
    handler: async (principal, { services, headers }) => {
      const current = readSessionCookie(headers, services.publicUrl);
      const data = await listSessions(services, principal, current);
      return okResponse({ data, nextCursor: null });
    },
  }),
  route({
    endpoint: 'DELETE /v1/sessions',
    operationId: 'endOtherSessions',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'End your other sessions',
    description: 'Ends all of your sessions except the current one. An API key gets 403.',
    guide: 'docs/api/accounts.md#several-accounts',
    scope: 'read',
    audit: { action: 'session.delete_others', resourceType: 'user' },
    responses: { 204: { description: 'They have ended' } },
    codes: ['insufficient_scope'],
    handler: async (principal, { services, headers }) => {
      const current = readSessionCookie(headers, services.publicUrl);
      await endOtherSessions(services, principal, current);
      return NO_CONTENT;
    },
  }),
  route({
    endpoint: 'DELETE /v1/sessions/:sessionId',
    operationId: 'endSession',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'End a session',
    description: 'Ends one of your own sessions at once. Sessions of other people cannot be ended.',
    guide: 'docs/api/accounts.md#several-accounts',
    scope: 'read',
    audit: 'session.delete',
    responses: { 204: { description: 'It has ended' } },
    handler: async (principal, { services, param }) => {
      await endSession(services, principal, param('sessionId'));
      return NO_CONTENT;
    },
  }),
  route({
    endpoint: 'POST /v1/password',
    operationId: 'changePassword',
    tag: 'Set-up and sessions',
    summary: 'Change your password',
    description: 'Sets a new password. All of your sessions end, and the response opens a new one.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    scope: 'read',
    audit: { action: 'password.change', resourceType: 'user' },
    body: passwordBody,
    responses: DONE,
    codes: ['insufficient_scope', 'passwords_off'],
    example: { currentPassword: PASSWORD, newPassword: 'choose-another-one-please' },
    handler: async (principal, { services, body, headers, clientAddress }) => {
      const origin = readOrigin({ headers, clientAddress });
      const opened = await changePassword(services, principal, { body, origin });
      return {
        ...NO_CONTENT,
        headers: { 'Set-Cookie': buildSessionCookie(opened, services.publicUrl) },
      };
    },
  }),
];
