/** Routes that need no credentials: set-up, sign-in by password, and links from emails. */

import {
  acceptBody,
  linkBody,
  resetRequestBody,
  sessionBody,
  setupBody,
} from '../../../schemas/account';
import { setUpRequired, setUpResponse } from '../../../schemas/responses/account';
import { acceptInvitation } from '../../../services/sessions/accept-invitation';
import { openSession } from '../../../services/sessions/open-session';
import { requestPasswordReset, resetPassword } from '../../../services/sessions/passwords';
import { isSetUpRequired, setUp } from '../../../services/sessions/set-up';
import { NO_CONTENT, okResponse } from '../../routing/response';
import { publicRoute, type Route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';
import {
  buildSessionCookie,
  readSessionCookie,
  refuseForeignOrigin,
} from '../../server/session-cookie';
import {
  linkSessionResponse,
  readOwnOrigin,
  SESSION_RESPONSES,
  sessionResponse,
  toActor,
} from './session-response';

const PASSWORD = 'choose-a-long-one-please';
const ACCEPTED = { action: 'invitation.accept', resourceType: 'invitation' } as const;

/** The routes that need no credentials. */
export const entryRoutes: readonly Route[] = [
  publicRoute({
    endpoint: 'GET /v1/setup',
    operationId: 'getSetupState',
    tag: 'Set-up and sessions',
    summary: 'Get the state of the set-up',
    description:
      'Returns whether the first account must still be created (`required`), and who may register an account (`registration`).',
    guide: 'docs/getting-started.md',
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
    summary: 'Set up the first account',
    description:
      'Creates the first account, its owner, a session and an admin API key, which is never shown again. Works once, with the set-up token that the server prints; afterwards the response is 409 `already_set_up`.',
    guide: 'docs/getting-started.md',
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
      const cookie = buildSessionCookie({ sessionId, staySignedIn: false }, services.publicUrl);
      const sent = { 'Set-Cookie': cookie, Location: '/v1/account' };
      return { status: 201, headers: sent, body: response, actedAs: toActor(user) };
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/session',
    operationId: 'signIn',
    tag: 'Set-up and sessions',
    summary: 'Sign in with a password',
    description:
      'Opens a session and sets its cookie. With `staySignedIn`, the session lasts longer. If the person has a second factor, the response is 200 with a token for the second step, without a cookie.',
    guide: 'docs/api/accounts.md#sign-in',
    audit: { action: 'session.open', resourceType: 'user' },
    body: sessionBody,
    responses: SESSION_RESPONSES,
    codes: ['invalid_token', 'insufficient_scope', 'passwords_off', 'rate_limited'],
    example: { email: 'me@example.com', password: 'choose-a-long-one-please' },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      return sessionResponse(services, await openSession(services, body, origin));
    },
  }),

  // Routes for people who have a link from an email, or who request one.
  publicRoute({
    endpoint: 'POST /v1/invitations/accept',
    operationId: 'acceptInvitation',
    tag: 'Set-up and sessions',
    summary: 'Accept an invitation',
    description:
      'Makes the owner of the link a member of the account and opens a session. The link works once. A person who is signed in with the invited email address needs no password.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    audit: ACCEPTED,
    body: acceptBody,
    responses: SESSION_RESPONSES,
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
      return linkSessionResponse(services, await acceptInvitation(services, accepting), ACCEPTED);
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/password/reset-request',
    operationId: 'requestPasswordReset',
    tag: 'Set-up and sessions',
    summary: 'Request a password reset',
    description:
      'Mails a link to set a new password, at most one a minute. The response is the same for every email address, so it does not reveal who has an account.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
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
    summary: 'Reset a password',
    description:
      'Sets a new password with the token of a mailed link. The link works once, and all sessions of the person end.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
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
      return { ...NO_CONTENT, actedAs: toActor(user) };
    },
  }),
];
