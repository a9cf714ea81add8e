/** The routes with which operators manage the accounts of the installation (docs/api/accounts.md). */
import {
  operatedAccountBody,
  operatedAccountChange,
  registrationInvitationBody,
} from '../../../schemas/operator';
import { pageQuery } from '../../../schemas/queries';
import {
  newOperatedAccount,
  operatedAccount,
  operatedAccountPage,
  registrationInvitation,
} from '../../../schemas/responses/operator';
import {
  changeOperatedAccount,
  createAccount,
  deleteAccount,
  getOperatedAccount,
  listAccounts,
} from '../../../services/operations/accounts/operate-accounts';
import { inviteToRegister } from '../../../services/sessions/registrations';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

/** Time limit of routes that send an email. A slow mail server may take this long. */
const EMAIL_DEADLINE_MS = 20_000;
/** Time limit of the list of accounts, which counts the objects of up to 500 accounts. */
const LIST_DEADLINE_MS = 10_000;

export const operatorRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/operator/accounts',
    operationId: 'listAccounts',
    tag: 'Operator',
    summary: 'List accounts',
    description:
      'Returns the accounts of the installation with their plan and usage, newest first, but not their data.',
    guide: 'docs/api/accounts.md#operators',
    scope: 'operator',
    query: pageQuery,
    deadlineMs: LIST_DEADLINE_MS,
    responses: { 200: { description: 'A page', schema: operatedAccountPage } },
    handler: async (_principal, { services, query, url }) =>
      listResponse(await listAccounts(services, query), url),
  }),
  route({
    endpoint: 'POST /v1/operator/accounts',
    operationId: 'createAccount',
    tag: 'Operator',
    summary: 'Create an account',
    description:
      'Creates an account and invites its owner. The invitation is mailed; without a mail server, the response contains its link.',
    guide: 'docs/api/accounts.md#operators',
    scope: 'operator',
    audit: 'account.create',
    body: operatedAccountBody,
    deadlineMs: EMAIL_DEADLINE_MS,
    responses: { 201: { description: 'The account', schema: newOperatedAccount } },
    example: { name: 'Example Ltd', plan: 'pro', ownerEmail: 'owner@example.com' },
    handler: async (principal, { services, body, requestId }) => {
      const created = await createAccount(services, { principal, requestId }, body);
      const Location = `/v1/operator/accounts/${created.id}`;
      return { status: 201, headers: { Location }, body: created };
    },
  }),
  route({
    endpoint: 'GET /v1/operator/accounts/:accountId',
    operationId: 'getOperatedAccount',
    tag: 'Operator',
    summary: 'Get an account as an operator',
    description: 'Returns the account with its plan, its limits and its usage, but not its data.',
    guide: 'docs/api/accounts.md#operators',
    scope: 'operator',
    responses: { 200: { description: 'The account', schema: operatedAccount } },
    handler: async (_principal, { services, param }) =>
      okResponse(await getOperatedAccount(services, param('accountId'))),
  }),
  route({
    endpoint: 'PATCH /v1/operator/accounts/:accountId',
    operationId: 'updateOperatedAccount',
    tag: 'Operator',
    summary: 'Update an account',
    description:
      'Changes the name or plan, or suspends and resumes the account. A suspended account keeps its data, but nothing is checked.',
    guide: 'docs/api/accounts.md#a-suspended-account',
    scope: 'operator',
    audit: 'account.update',
    body: operatedAccountChange,
    responses: { 200: { description: 'The account', schema: operatedAccount } },
    codes: ['already_finished', 'in_use'],
    example: { suspended: { reason: 'The invoice of March is not paid.' } },
    handler: async (principal, { services, param, body: change, requestId }) => {
      const changing = { id: param('accountId'), change };
      return okResponse(await changeOperatedAccount(services, { principal, requestId }, changing));
    },
  }),
  route({
    endpoint: 'DELETE /v1/operator/accounts/:accountId',
    operationId: 'deleteAccount',
    tag: 'Operator',
    summary: 'Delete an account',
    description:
      'Ends all access to the account at once and deletes its data within a few minutes. This cannot be undone. The first account cannot be deleted.',
    guide: 'docs/api/accounts.md#deleting-an-account',
    scope: 'operator',
    audit: 'account.delete',
    responses: DONE,
    codes: ['in_use'],
    handler: async (_principal, { services, param }) => {
      await deleteAccount(services, param('accountId'));
      return NO_CONTENT;
    },
  }),
  route({
    endpoint: 'POST /v1/operator/registrations',
    operationId: 'createRegistration',
    tag: 'Operator',
    summary: 'Create a registration link',
    description:
      'Invites someone to create an account. The link is valid for 7 days and works once.',
    guide: 'docs/api/accounts.md#registration',
    scope: 'operator',
    audit: 'registration.invite',
    body: registrationInvitationBody,
    deadlineMs: EMAIL_DEADLINE_MS,
    responses: { 201: { description: 'The invitation', schema: registrationInvitation } },
    codes: ['limit_reached'],
    example: { email: 'new@example.com' },
    handler: async (_principal, { services, body }) => {
      const invited = await inviteToRegister(services, body.email);
      return { status: 201, headers: { Location: '/v1/operator/accounts' }, body: invited };
    },
  }),
];
