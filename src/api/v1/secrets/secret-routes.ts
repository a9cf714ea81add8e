/** Secrets: write-only. Each route translates between HTTP and one use case, and no more. */

import { pageQuery } from '../../../schemas/queries';
import { secret, secretPage } from '../../../schemas/responses/secrets';
import { secretBody } from '../../../schemas/secret';
import { deleteSecret } from '../../../services/secrets/delete-secret';
import { getSecret } from '../../../services/secrets/get-secret';
import { listSecrets } from '../../../services/secrets/list-secrets';
import { putSecret } from '../../../services/secrets/put-secret';
import { acceptVersion } from '../../routing/preconditions';
import {
  createdResponse,
  listResponse,
  NO_CONTENT,
  resourceResponse,
} from '../../routing/response';
import { NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

export const secretRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/secrets',
    operationId: 'listSecrets',
    tag: 'Secrets',
    summary: 'List secrets by name, without their values',
    scope: 'read',
    body: NO_BODY,
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: secretPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listSecrets(services, accountId, query), url),
  }),
  route({
    endpoint: 'GET /v1/secrets/:secretName',
    operationId: 'getSecret',
    tag: 'Secrets',
    summary: 'Read what uses a secret',
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: {
      200: { description: 'The secret, without its value', schema: secret },
    },
    handler: async ({ accountId }, { services, param }) =>
      resourceResponse(await getSecret(services, accountId, param('secretName'))),
  }),
  route({
    endpoint: 'PUT /v1/secrets/:secretName',
    operationId: 'putSecret',
    tag: 'Secrets',
    summary: 'Create a secret, or give it a new value',
    scope: 'write',
    audit: 'secret.put',
    body: secretBody,
    query: NO_QUERY,
    responses: {
      200: { description: 'It has this value now', schema: secret },
      201: { description: 'It is there now', schema: secret },
    },
    codes: ['version_mismatch'],
    example: { value: 'correct horse battery staple' },
    handler: async ({ accountId }, { services, param, body: { value, hosts }, headers }) => {
      const name = param('secretName');
      const accept = acceptVersion(headers['if-match']);
      const { secret, isNew } = await putSecret(services, accountId, {
        name,
        value,
        hosts,
        accept,
      });
      return isNew ? createdResponse(secret, `/v1/secrets/${name}`) : resourceResponse(secret);
    },
  }),
  route({
    endpoint: 'DELETE /v1/secrets/:secretName',
    operationId: 'deleteSecret',
    tag: 'Secrets',
    summary: 'Delete a secret; checks that use it are unknown from then on',
    scope: 'write',
    audit: 'secret.delete',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 204: { description: 'It is gone' } },
    codes: ['version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await deleteSecret(services, accountId, { name: param('secretName'), accept });
      return NO_CONTENT;
    },
  }),
];
