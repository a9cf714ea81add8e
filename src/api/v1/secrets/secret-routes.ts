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
  one: 'a secret',
  many: 'secrets',
  guide: 'docs/api/secrets.md',
} as const;

export const secretRoutes: readonly Route[] = [
  listRoute(SECRET, {
    description: 'Returns secrets in pages, sorted by name, without their values.',
    query: pageQuery,
    schema: secretPage,
    list: ({ services, principal }, query) => listSecrets(services, principal.accountId, query),
  }),
  getRoute(SECRET, {
    description:
      'Returns the hosts of the secret and what uses it (`usedBy`), but never its value.',
    schema: secret,
    read: ({ services, principal, id }) => getSecret(services, principal.accountId, id),
  }),
  route({
    endpoint: 'PUT /v1/secrets/:secretName',
    operationId: 'putSecret',
    tag: 'Secrets',
    summary: 'Set a secret',
    description:
      'Creates the secret (201) or gives it a new value (200). The value is never returned. Probes use it within 60 seconds; setting the same value again changes nothing.',
    guide: 'docs/api/secrets.md',
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
    description:
      'Deletes the secret, even if something uses it. Checks that need it send nothing and are `unknown` from then on. This cannot be undone.',
    remove: ({ services, principal, id: name, accept }) =>
      deleteSecret(services, principal.accountId, { name, accept }),
  }),
];
