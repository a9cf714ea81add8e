/** The routes of members and invitations of an account (docs/api.md). */

import { memberBody, roleBody } from '../../../schemas/account';
import { pageQuery } from '../../../schemas/queries';
import {
  invitation,
  invitationPage,
  member,
  memberPage,
  newInvitation,
  newMember,
} from '../../../schemas/responses/account';
import { memberRemovalQuery } from '../../../schemas/sign-in/bodies';
import {
  addMember,
  getInvitation,
  invite,
  listInvitations,
  withdrawInvitation,
} from '../../../services/accounts/invitations';
import {
  changeMember,
  getMember,
  listMembers,
  removeMember,
} from '../../../services/accounts/members';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

/** Time limit of routes that send an email. A slow mail server may take this long. */
const EMAIL_DEADLINE_MS = 20_000;

const PERSON = { email: 'colleague@example.com', role: 'editor' };

export const memberRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/members',
    operationId: 'listMembers',
    tag: 'People',
    summary: 'List members',
    description: 'Returns the people of the account with their roles, newest first.',
    guide: 'docs/api/accounts.md#roles',
    scope: 'read',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: memberPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listMembers(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/members',
    operationId: 'addMember',
    tag: 'People',
    summary: 'Add a member',
    description:
      'Invites a person by email, and returns the id of the future member. The person joins with the link of the invitation.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    scope: 'admin',
    audit: 'member.create',
    body: memberBody,
    deadlineMs: EMAIL_DEADLINE_MS,
    responses: { 201: { description: 'The invited member', schema: newMember } },
    codes: ['key_taken', 'limit_reached'],
    example: PERSON,
    handler: async (principal, { services, body }) => {
      const member = await addMember(services, principal, body);
      return { status: 201, headers: { Location: `/v1/members/${member.id}` }, body: member };
    },
  }),
  route({
    endpoint: 'GET /v1/members/:memberId',
    operationId: 'getMember',
    tag: 'People',
    summary: 'Get a member',
    description: 'Returns a person of the account with the role.',
    guide: 'docs/api/accounts.md#roles',
    scope: 'read',
    responses: { 200: { description: 'The member', schema: member } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getMember(services, accountId, param('memberId'))),
  }),
  route({
    endpoint: 'PATCH /v1/members/:memberId',
    operationId: 'updateMember',
    tag: 'People',
    summary: 'Update the role of a member',
    description:
      'Changes what the member may do, from the next request on. The last owner stays an owner, and only owners may change owners.',
    guide: 'docs/api/accounts.md#roles',
    scope: 'admin',
    audit: 'member.update',
    body: roleBody,
    responses: { 200: { description: 'The member', schema: member } },
    codes: ['limit_reached'],
    example: { role: 'viewer' },
    handler: async (principal, { services, param, body }) => {
      const change = { id: param('memberId'), role: body.role };
      return okResponse(await changeMember(services, principal, change));
    },
  }),
  route({
    endpoint: 'DELETE /v1/members/:memberId',
    operationId: 'removeMember',
    tag: 'People',
    summary: 'Remove a member',
    description:
      'Ends the sessions of the person in this account, and the API keys, pipelines and invitations that they created; their private views are deleted. The last owner, and a person whom an alert policy notifies, cannot be removed.',
    guide: 'docs/api/accounts.md#roles',
    scope: 'admin',
    audit: 'member.delete',
    query: memberRemovalQuery,
    responses: DONE,
    codes: ['in_use', 'limit_reached'],
    handler: async (principal, { services, param, query }) => {
      const id = param('memberId');
      const { member, moved } = await removeMember(services, principal, { id, ...query });
      const removal = { action: 'member.delete', resourceType: 'member', resourceId: id };
      const moves = moved.map(({ id: resourceId, name }) => ({
        action: 'api_key.move',
        resourceType: 'api_key',
        resourceId,
        before: { name, createdBy: id },
        after: { name },
      }));
      return { ...NO_CONTENT, changes: [{ ...removal, before: member, after: null }, ...moves] };
    },
  }),
];

export const invitationRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/invitations',
    operationId: 'listInvitations',
    tag: 'People',
    summary: 'List open invitations',
    description: 'Returns invitations that were neither accepted nor withdrawn, newest first.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    scope: 'admin',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: invitationPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listInvitations(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/invitations',
    operationId: 'createInvitation',
    tag: 'People',
    summary: 'Create an invitation',
    description:
      'Invites a person by email. Without a mail server, the response contains the link.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    scope: 'admin',
    audit: 'invitation.create',
    body: memberBody,
    deadlineMs: EMAIL_DEADLINE_MS,
    responses: { 201: { description: 'The invitation', schema: newInvitation } },
    codes: ['key_taken', 'limit_reached'],
    example: PERSON,
    handler: async (principal, { services, body }) => {
      const invitation = await invite(services, principal, body);
      const Location = `/v1/invitations/${invitation.id}`;
      return { status: 201, headers: { Location }, body: invitation };
    },
  }),
  route({
    endpoint: 'GET /v1/invitations/:invitationId',
    operationId: 'getInvitation',
    tag: 'People',
    summary: 'Get an open invitation',
    description: 'Returns an invitation without its link.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    scope: 'admin',
    responses: { 200: { description: 'The invitation', schema: invitation } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getInvitation(services, accountId, param('invitationId'))),
  }),
  route({
    endpoint: 'DELETE /v1/invitations/:invitationId',
    operationId: 'withdrawInvitation',
    tag: 'People',
    summary: 'Withdraw an invitation',
    description: 'The link of the invitation stops working at once.',
    guide: 'docs/api/accounts.md#invitations-and-passwords',
    scope: 'admin',
    audit: 'invitation.delete',
    responses: DONE,
    handler: async ({ accountId }, { services, param }) => {
      await withdrawInvitation(services, accountId, param('invitationId'));
      return NO_CONTENT;
    },
  }),
];
