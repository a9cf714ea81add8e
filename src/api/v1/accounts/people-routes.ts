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
    tag: 'Account',
    summary: 'List people, newest first',
    scope: 'read',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: memberPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listMembers(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/members',
    operationId: 'addMember',
    tag: 'Account',
    summary: 'Invite a person under the id of the member',
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
    tag: 'Account',
    summary: 'Read a member',
    scope: 'read',
    responses: { 200: { description: 'The member', schema: member } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getMember(services, accountId, param('memberId'))),
  }),
  route({
    endpoint: 'PATCH /v1/members/:memberId',
    operationId: 'updateMember',
    tag: 'Account',
    summary: 'Change the role of a member',
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
    tag: 'Account',
    summary: 'Remove a member; the last owner stays',
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
    tag: 'Account',
    summary: 'List open invitations, newest first',
    scope: 'admin',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: invitationPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listInvitations(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/invitations',
    operationId: 'createInvitation',
    tag: 'Account',
    summary: 'Invite someone by a link, which is mailed or returned',
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
    tag: 'Account',
    summary: 'Read an open invitation',
    scope: 'admin',
    responses: { 200: { description: 'The invitation', schema: invitation } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getInvitation(services, accountId, param('invitationId'))),
  }),
  route({
    endpoint: 'DELETE /v1/invitations/:invitationId',
    operationId: 'withdrawInvitation',
    tag: 'Account',
    summary: 'Withdraw an invitation',
    scope: 'admin',
    audit: 'invitation.delete',
    responses: DONE,
    handler: async ({ accountId }, { services, param }) => {
      await withdrawInvitation(services, accountId, param('invitationId'));
      return NO_CONTENT;
    },
  }),
];
