/** Routes for people with several accounts, and for people who are not in an account yet. */
import { switchBody } from '../../../schemas/account';
import { confirmationBody, registrationBody } from '../../../schemas/operator';
import { openedSession } from '../../../schemas/responses/account';
import { leaveAccount, switchAccount } from '../../../services/sessions/memberships';
import { presentOpened } from '../../../services/sessions/open-session';
import { confirmRegistration, register } from '../../../services/sessions/registrations';
import { okResponse } from '../../routing/response';
import { publicRoute, type Route, route } from '../../routing/route';
import {
  buildExpiredSessionCookie,
  buildSessionCookie,
  readSessionCookie,
  refuseForeignOrigin,
} from '../../server/session-cookie';
import { linkSessionResponse, readOwnOrigin, SESSION_RESPONSES, toActor } from './session-response';

const PASSWORD = 'choose-a-long-one-please';
const REGISTERED = { action: 'account.register', resourceType: 'account' } as const;

export const registrationRoutes: readonly Route[] = [
  publicRoute({
    endpoint: 'POST /v1/registrations',
    operationId: 'requestRegistration',
    tag: 'Set-up and sessions',
    summary: 'Request a registration',
    description:
      'Mails a link to create an account, if everyone may register. Nothing is created before the link is used, and the response is the same for every email address.',
    guide: 'docs/api/accounts.md#registration',
    audit: null,
    body: registrationBody,
    responses: { 202: { description: 'The link is on its way to this email address' } },
    codes: ['insufficient_scope', 'rate_limited'],
    example: { email: 'me@example.com', accountName: 'My account' },
    handler: async ({ services, body, headers, clientAddress }) => {
      refuseForeignOrigin(headers, services.publicUrl);
      await register(services, body, clientAddress);
      return { status: 202 };
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/registrations/confirm',
    operationId: 'acceptRegistration',
    tag: 'Set-up and sessions',
    summary: 'Confirm a registration',
    description:
      'Creates an account with the token of a registration link and opens a session for its owner. The link works once.',
    guide: 'docs/api/accounts.md#registration',
    audit: REGISTERED,
    body: confirmationBody,
    responses: SESSION_RESPONSES,
    codes: [
      'invalid_token',
      'expired_token',
      'insufficient_scope',
      'passwords_off',
      'rate_limited',
    ],
    example: { token: 'from-the-link', password: PASSWORD },
    handler: async ({ services, body, headers, clientAddress }) => {
      const origin = readOwnOrigin(services, { headers, clientAddress });
      const sessionId = readSessionCookie(headers, services.publicUrl);
      const opened = await confirmRegistration(services, { body, origin, sessionId });
      return linkSessionResponse(services, opened, REGISTERED);
    },
  }),
];

export const membershipRoutes: readonly Route[] = [
  route({
    endpoint: 'PUT /v1/session/account',
    operationId: 'switchAccount',
    isOpenWithoutFactor: true,
    tag: 'Set-up and sessions',
    summary: 'Switch to another account',
    description:
      'Moves the session to another of your accounts and gives it a new id. An API key belongs to one account and gets 403.',
    guide: 'docs/api/accounts.md#several-accounts',
    scope: 'read',
    audit: { action: 'session.switch', resourceType: 'user' },
    body: switchBody,
    responses: { 200: { description: 'The account, and you in it', schema: openedSession } },
    codes: ['insufficient_scope', 'not_found', 'proof_required'],
    example: { accountId: 'acc_01jz0000000000000000000000' },
    handler: async (principal, { services, body, headers }) => {
      const sessionId = readSessionCookie(headers, services.publicUrl);
      const moving = { sessionId, accountId: body.accountId };
      const moved = await switchAccount(services, principal, moving);
      const cookie = buildSessionCookie(moved, services.publicUrl);
      const shown = await presentOpened(services, moved.user);
      return {
        ...okResponse(shown),
        headers: { 'Set-Cookie': cookie },
        actedAs: toActor(moved.user),
      };
    },
  }),
  route({
    endpoint: 'DELETE /v1/session/account',
    operationId: 'leaveAccount',
    tag: 'Set-up and sessions',
    summary: 'Leave the account',
    description:
      'Removes you from the current account. The session moves to another of your accounts; without another account, it ends and you are deleted. The last owner cannot leave.',
    guide: 'docs/api/accounts.md#several-accounts',
    scope: 'read',
    audit: { action: 'member.leave', resourceType: 'member' },
    responses: { 204: { description: 'The session is in another of your accounts, or has ended' } },
    codes: ['insufficient_scope', 'in_use', 'limit_reached'],
    handler: async (principal, { services, headers }) => {
      const { publicUrl } = services;
      const sessionId = readSessionCookie(headers, publicUrl);
      const moved = await leaveAccount(services, principal, sessionId);
      const cookie =
        moved === null
          ? buildExpiredSessionCookie(publicUrl)
          : buildSessionCookie(moved, publicUrl);
      return { status: 204, headers: { 'Set-Cookie': cookie } };
    },
  }),
];
