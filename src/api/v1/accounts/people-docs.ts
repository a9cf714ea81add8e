/** What the reference says of members, invitations, passwords and API keys. */
import {
  apiKey,
  apiKeyPage,
  invitation,
  invitationPage,
  member,
  memberPage,
  newApiKey,
  newInvitation,
  newMember,
  openedSession,
} from '../../../schemas/responses/account';
import type { RouteDocs } from '../../openapi/route-doc';

const ACCOUNT = { tag: 'Account' } as const;
const SESSIONS = { tag: 'Set-up and sessions' } as const;
const GONE = { 204: { says: 'Done; no body' } };
const PASSWORD = 'choose-a-long-one-please';
const PERSON = { email: 'colleague@example.com', role: 'editor' };

export const PEOPLE_DOCS: RouteDocs = {
  'GET /v1/members': {
    ...ACCOUNT,
    summary: 'List people, newest first',
    answers: { 200: { says: 'A page', shape: memberPage } },
  },
  'POST /v1/members': {
    ...ACCOUNT,
    summary: 'Add a person, who sets a password by a link',
    answers: { 201: { says: 'The member', shape: newMember } },
    codes: ['key_taken', 'limit_reached'],
    example: PERSON,
  },
  'GET /v1/members/:memberId': {
    ...ACCOUNT,
    summary: 'Read a member',
    answers: { 200: { says: 'The member', shape: member } },
  },
  'PATCH /v1/members/:memberId': {
    ...ACCOUNT,
    summary: 'Change the role of a member',
    answers: { 200: { says: 'The member', shape: member } },
    codes: ['limit_reached'],
    example: { role: 'viewer' },
  },
  'DELETE /v1/members/:memberId': {
    ...ACCOUNT,
    summary: 'Remove a member; the last owner stays',
    answers: GONE,
    codes: ['limit_reached'],
  },
  'GET /v1/invitations': {
    ...ACCOUNT,
    summary: 'List open invitations, newest first',
    answers: { 200: { says: 'A page', shape: invitationPage } },
  },
  'POST /v1/invitations': {
    ...ACCOUNT,
    summary: 'Invite somebody by a link, which is mailed or answered',
    answers: { 201: { says: 'The invitation', shape: newInvitation } },
    codes: ['key_taken', 'limit_reached'],
    example: PERSON,
  },
  'GET /v1/invitations/:invitationId': {
    ...ACCOUNT,
    summary: 'Read an open invitation',
    answers: { 200: { says: 'The invitation', shape: invitation } },
  },
  'DELETE /v1/invitations/:invitationId': {
    ...ACCOUNT,
    summary: 'Withdraw an invitation',
    answers: GONE,
  },
  'POST /v1/invitations/accept': {
    ...SESSIONS,
    summary: 'Become a member, by the token of the link',
    answers: { 201: { says: 'Who you are, and a cookie', shape: openedSession } },
    codes: [
      'invalid_token',
      'expired_token',
      'insufficient_scope',
      'key_taken',
      'limit_reached',
      'rate_limited',
    ],
    example: { token: 'from-the-link', password: PASSWORD },
  },
  'POST /v1/password': {
    ...SESSIONS,
    summary: 'Change your password; all your sessions end, and a new one begins',
    answers: GONE,
    codes: ['insufficient_scope'],
    example: { currentPassword: PASSWORD, newPassword: 'choose-another-one-please' },
  },
  'POST /v1/password/reset-request': {
    ...SESSIONS,
    summary: 'Ask for a link to set a password',
    answers: { 202: { says: 'If somebody has this address, the link is on its way' } },
    codes: ['rate_limited'],
    example: { email: 'me@example.com' },
  },
  'POST /v1/password/reset': {
    ...SESSIONS,
    summary: 'Set a password, by the token of the link; all sessions end',
    answers: GONE,
    codes: ['invalid_token', 'expired_token', 'insufficient_scope', 'rate_limited'],
    example: { token: 'from-the-link', password: PASSWORD },
  },
  'GET /v1/api-keys': {
    ...ACCOUNT,
    summary: 'List API keys, newest first, revoked ones included',
    answers: { 200: { says: 'A page', shape: apiKeyPage } },
  },
  'POST /v1/api-keys': {
    ...ACCOUNT,
    summary: 'Make an API key',
    answers: { 201: { says: 'The key, this once', shape: newApiKey } },
    codes: ['plan_required', 'limit_reached'],
    example: { name: 'Deployment', scopes: ['run'] },
  },
  'GET /v1/api-keys/:keyId': {
    ...ACCOUNT,
    summary: 'Read an API key, without the key itself',
    answers: { 200: { says: 'The key', shape: apiKey } },
  },
  'DELETE /v1/api-keys/:keyId': {
    ...ACCOUNT,
    summary: 'Revoke an API key at once',
    answers: GONE,
  },
};
