/** Members and invitations of an account (docs/api.md). */
import { memberBody, roleBody } from '../../../schemas/account';
import { pageQuery } from '../../../schemas/queries';
import { addMember } from '../../../services/accounts/add-member';
import { changeMember, removeMember } from '../../../services/accounts/change-member';
import {
  getInvitation,
  invite,
  listInvitations,
  withdrawInvitation,
} from '../../../services/accounts/invitations';
import { getMember, listMembers } from '../../../services/accounts/members';
import type { Dependencies } from '../../../services/ports/dependencies';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

/** A slow mail server may take so long. */
const LETTER_DEADLINE_MS = 20_000;

export function memberRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/members',
      scope: 'read',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listMembers(services, accountId, query), url),
    }),
    route({
      endpoint: 'POST /v1/members',
      scope: 'admin',
      body: memberBody,
      query: NO_QUERY,
      deadlineMs: LETTER_DEADLINE_MS,
      handler: async (principal, { body }) => {
        const member = await addMember(services, principal, body);
        return { status: 201, headers: { Location: `/v1/members/${member.id}` }, body: member };
      },
    }),
    route({
      endpoint: 'GET /v1/members/:memberId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        okResponse(await getMember(services, accountId, param('memberId'))),
    }),
    route({
      endpoint: 'PATCH /v1/members/:memberId',
      scope: 'admin',
      body: roleBody,
      query: NO_QUERY,
      handler: async (principal, { param, body }) => {
        const change = { id: param('memberId'), role: body.role };
        return okResponse(await changeMember(services, principal, change));
      },
    }),
    route({
      endpoint: 'DELETE /v1/members/:memberId',
      scope: 'admin',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async (principal, { param }) => {
        await removeMember(services, principal, param('memberId'));
        return NO_CONTENT;
      },
    }),
  ];
}

export function invitationRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/invitations',
      scope: 'admin',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listInvitations(services, accountId, query), url),
    }),
    route({
      endpoint: 'POST /v1/invitations',
      scope: 'admin',
      body: memberBody,
      query: NO_QUERY,
      deadlineMs: LETTER_DEADLINE_MS,
      handler: async (principal, { body }) => {
        const invitation = await invite(services, principal, body);
        const Location = `/v1/invitations/${invitation.id}`;
        return { status: 201, headers: { Location }, body: invitation };
      },
    }),
    route({
      endpoint: 'GET /v1/invitations/:invitationId',
      scope: 'admin',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        okResponse(await getInvitation(services, accountId, param('invitationId'))),
    }),
    route({
      endpoint: 'DELETE /v1/invitations/:invitationId',
      scope: 'admin',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) => {
        await withdrawInvitation(services, accountId, param('invitationId'));
        return NO_CONTENT;
      },
    }),
  ];
}
