/** The routes of API keys of an account (docs/api.md). */

import { apiKeyBody } from '../../../schemas/account';
import { pageQuery } from '../../../schemas/queries';
import { apiKey, apiKeyPage, newApiKey } from '../../../schemas/responses/account';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../../services/accounts/api-keys';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

export const keyRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/api-keys',
    operationId: 'listApiKeys',
    tag: 'Account',
    summary: 'List API keys, newest first, revoked ones included',
    scope: 'admin',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: apiKeyPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listApiKeys(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/api-keys',
    operationId: 'createApiKey',
    tag: 'Account',
    summary: 'Make an API key',
    scope: 'admin',
    audit: 'api_key.create',
    body: apiKeyBody,
    responses: { 201: { description: 'The key, this once', schema: newApiKey } },
    codes: ['plan_required', 'limit_reached'],
    example: { name: 'Deployment', scopes: ['run'] },
    handler: async (principal, { services, body }) => {
      const key = await createApiKey(services, principal, body);
      return { status: 201, headers: { Location: `/v1/api-keys/${key.id}` }, body: key };
    },
  }),
  route({
    endpoint: 'GET /v1/api-keys/:keyId',
    operationId: 'getApiKey',
    tag: 'Account',
    summary: 'Read an API key, without the key itself',
    scope: 'admin',
    responses: { 200: { description: 'The key', schema: apiKey } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getApiKey(services, accountId, param('keyId'))),
  }),
  route({
    endpoint: 'DELETE /v1/api-keys/:keyId',
    operationId: 'revokeApiKey',
    tag: 'Account',
    summary: 'Revoke an API key at once',
    scope: 'admin',
    audit: 'api_key.delete',
    responses: DONE,
    handler: async ({ accountId }, { services, param }) => {
      await revokeApiKey(services, accountId, param('keyId'));
      return NO_CONTENT;
    },
  }),
];
