/** Routes for setup, sessions and passwords. */

import {
  acceptBody,
  linkBody,
  passwordBody,
  resetRequestBody,
  sessionBody,
  setupBody,
} from '../../../schemas/account';
import {
  session,
  sessionPage,
  setUpRequired,
  setUpResponse,
} from '../../../schemas/responses/account';
import { acceptInvitation } from '../../../services/sessions/accept-invitation';
import { openSession } from '../../../services/sessions/open-session';
import {
  changePassword,
  requestPasswordReset,
  resetPassword,
} from '../../../services/sessions/passwords';
import {
  closeSession,
  endOtherSessions,
  endSession,
  getSession,
  listSessions,
} from '../../../services/sessions/sessions';
import { isSetUpRequired, setUp } from '../../../services/sessions/set-up';
import { NO_CONTENT, okResponse } from '../../routing/response';
import { publicRoute, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';
import {
  endedSessionCookie,
  readSessionCookie,
  refuseForeignOrigin,
  sessionCookie,
} from '../../server/session-cookie';
import {
  actedAs,
  joinedResponse,
  OPENED,
  openedResponse,
  readOrigin,
  readOwnOrigin,
} from './opened-response';

const PASSWORD = 'choose-a-long-one-please';
const ACCEPTED = { action: 'invitation.accept', resourceType: 'invitation' } as const;

/** The routes that need no credentials. */
export const entryRoutes: readonly Route[] = [
  publicRoute({
    endpoint: 'GET /v1/setup',
    operationId: 'getSetupState',
    tag: 'Set-up and sessions',
    summary: 'Is a first set-up required, and who may register?',
    responses: {
      200: { description: '`required` is true while there is no account', schema: setUpRequired },
    },
    handler: async ({ services }) =>
      okResponse({
        required: await isSetUpRequired(services),
        registration: services.registration,
      }),
  }),
  publicRoute({
    endpoint: 'POST /v1/setup',
    operationId: 'setUp',
    tag: 'Set-up and sessions',
    summary: 'Make the first account, its owner, a session and an admin key',
    audit: 'account.set_up',
    body: setupBody,
    responses: {
      201: { description: 'Everything, with the key this once', schema: setUpResponse },
    },
    codes: ['already_set_up', 'insufficient_scope', 'rate_limited'],
    example: {
      setupToken: 'printed-by-the-server',
      accountName: 'My account',
      email: 'me@example.com',
      password: 'choose-a-long-one-please',
    },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      const { response, sessionId, user } = await setUp(services, body, origin);
      const cookie = sessionCookie(sessionId, services.publicUrl);
      const sent = { 'Set-Cookie': cookie, Location: '/v1/account' };
      return { status: 201, headers: sent, body: response, actedAs: actedAs(user) };
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/session',
    operationId: 'signIn',
    tag: 'Set-up and sessions',
    summary: 'Sign in',
    audit: { action: 'session.open', resourceType: 'user' },
    body: sessionBody,
    responses: OPENED,
    codes: ['invalid_token', 'insufficient_scope', 'passwords_off', 'rate_limited'],
    example: { email: 'me@example.com', password: 'choose-a-long-one-please' },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      return openedResponse(services, await openSession(services, body, origin));
    },
  }),

  // Routes for people who have a link from an email, or who request one.
  publicRoute({
    endpoint: 'POST /v1/invitations/accept',
    operationId: 'acceptInvitation',
    tag: 'Set-up and sessions',
    summary: 'Become a member, by the token of the link',
    audit: ACCEPTED,
    body: acceptBody,
    responses: OPENED,
    codes: [
      'invalid_token',
      'expired_token',
      'insufficient_scope',
      'key_taken',
      'limit_reached',
      'passwords_off',
      'rate_limited',
    ],
    example: { token: 'from-the-link', password: PASSWORD },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      const sessionId = readSessionCookie(headers, services.publicUrl);
      const accepting = { body, origin, sessionId };
      return joinedResponse(services, await acceptInvitation(services, accepting), ACCEPTED);
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/password/reset-request',
    operationId: 'requestPasswordReset',
    tag: 'Set-up and sessions',
    summary: 'Ask for a link to set a password',
    audit: null,
    body: resetRequestBody,
    responses: {
      202: { description: 'If the email address belongs to a user, the link is on its way' },
    },
    codes: ['insufficient_scope', 'passwords_off', 'rate_limited'],
    example: { email: 'me@example.com' },
    handler: async ({ services, body, headers, clientAddress }) => {
      refuseForeignOrigin(headers, services.publicUrl);
      await requestPasswordReset(services, body.email, clientAddress);
      return { status: 202 };
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/password/reset',
    operationId: 'resetPassword',
    tag: 'Set-up and sessions',
    summary: 'Set a password, by the token of the link; all sessions end',
    audit: { action: 'password.reset', resourceType: 'user' },
    body: linkBody,
    responses: DONE,
    codes: [
      'invalid_token',
      'expired_token',
      'insufficient_scope',
      'passwords_off',
      'rate_limited',
    ],
    example: { token: 'from-the-link', password: PASSWORD },
    handler: async ({ services, body, headers, clientAddress: address }) => {
      refuseForeignOrigin(headers, services.publicUrl);
      const sessionId = readSessionCookie(headers, services.publicUrl);
      const user = await resetPassword(services, { body, address, sessionId });
      return { ...NO_CONTENT, actedAs: actedAs(user) };
    },
  }),
];

export const sessionRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/session',
    operationId: 'getSession',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'Who am I?',
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
    scope: 'read',
    audit: { action: 'session.close', resourceType: 'user' },
    responses: { 204: { description: 'The session has ended' } },
    codes: ['insufficient_scope'],
    handler: async (principal, { services, headers }) => {
      const sessionId = readSessionCookie(headers, services.publicUrl);
      if (sessionId !== null) await closeSession(services, principal, sessionId);
      return { ...NO_CONTENT, headers: { 'Set-Cookie': endedSessionCookie(services.publicUrl) } };
    },
  }),
  route({
    endpoint: 'GET /v1/sessions',
    operationId: 'listSessions',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'List your open sessions, newest first',
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
    summary: 'End all of your sessions except this one',
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
    summary: 'End one of your sessions',
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
    summary: 'Change your password; all your sessions end, and a new one begins',
    scope: 'read',
    audit: { action: 'password.change', resourceType: 'user' },
    body: passwordBody,
    responses: DONE,
    codes: ['insufficient_scope', 'passwords_off'],
    example: { currentPassword: PASSWORD, newPassword: 'choose-another-one-please' },
    handler: async (principal, { services, body, headers, clientAddress }) => {
      const origin = readOrigin({ headers, clientAddress });
      const sessionId = await changePassword(services, principal, { body, origin });
      return {
        ...NO_CONTENT,
        headers: { 'Set-Cookie': sessionCookie(sessionId, services.publicUrl) },
      };
    },
  }),
];
