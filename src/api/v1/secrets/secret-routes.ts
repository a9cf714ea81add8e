/** Secrets: write-only. Each route translates between HTTP and one use case, and no more. */
import { pageQuery } from '../../../schemas/queries';
import { secretBody } from '../../../schemas/secret';
import type { Dependencies } from '../../../services/ports/dependencies';
import { deleteSecret } from '../../../services/secrets/delete-secret';
import { getSecret } from '../../../services/secrets/get-secret';
import { listSecrets } from '../../../services/secrets/list-secrets';
import { putSecret } from '../../../services/secrets/put-secret';
import { acceptVersion } from '../../routing/preconditions';
import { listResponse, NO_CONTENT, resourceResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

export function secretRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/secrets',
      scope: 'read',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listSecrets(services, accountId, query), url),
    }),
    route({
      endpoint: 'GET /v1/secrets/:secretName',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        resourceResponse(await getSecret(services, accountId, param('secretName'))),
    }),
    route({
      endpoint: 'PUT /v1/secrets/:secretName',
      scope: 'write',
      body: secretBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body: { value, hosts }, headers }) => {
        const name = param('secretName');
        const accept = acceptVersion(headers['if-match']);
        const { secret, isNew } = await putSecret(services, accountId, {
          name,
          value,
          hosts,
          accept,
        });
        return resourceResponse(secret, isNew ? { location: `/v1/secrets/${name}` } : undefined);
      },
    }),
    route({
      endpoint: 'DELETE /v1/secrets/:secretName',
      scope: 'write',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        await deleteSecret(services, accountId, { name: param('secretName'), accept });
        return NO_CONTENT;
      },
    }),
  ];
}
