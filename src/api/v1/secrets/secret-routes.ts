/** The routes of secrets. Values can be written but not read. */

import { pageQuery } from '../../../schemas/queries';
import { secret, secretPage } from '../../../schemas/responses/secrets';
import { secretBody } from '../../../schemas/secret';
import { deleteSecret, getSecret, listSecrets, putSecret } from '../../../services/secrets/secrets';
import { acceptVersion } from '../../routing/preconditions';
import { deleteRoute, getRoute, listRoute } from '../../routing/resource-routes';
import { createdResponse, resourceResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

const SECRET = {
  tag: 'Secrets',
  path: '/v1/secrets',
  param: 'secretName',
  operand: 'Secret',
  audit: 'secret',
  the: 'The secret, without its value',
} as const;

export const secretRoutes: readonly Route[] = [
  listRoute(SECRET, {
    summary: 'List secrets by name, without their values',
    query: pageQuery,
    schema: secretPage,
    list: ({ services, principal }, query) => listSecrets(services, principal.accountId, query),
  }),
  getRoute(SECRET, {
    summary: 'Read what uses a secret',
    schema: secret,
    read: ({ services, principal, id }) => getSecret(services, principal.accountId, id),
  }),
  route({
    endpoint: 'PUT /v1/secrets/:secretName',
    operationId: 'putSecret',
    tag: 'Secrets',
    summary: 'Create a secret, or give it a new value',
    scope: 'write',
    audit: 'secret.put',
    body: secretBody,
    responses: {
      200: { description: 'It has this value now', schema: secret },
      201: { description: 'It is there now', schema: secret },
    },
    codes: ['version_mismatch', 'limit_reached'],
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
  deleteRoute(SECRET, {
    summary: 'Delete a secret; checks that use it are unknown from then on',
    remove: ({ services, principal, id: name, accept }) =>
      deleteSecret(services, principal.accountId, { name, accept }),
  }),
];
