/** The route that describes every route, including itself. */
import { z } from 'zod';
import { readVersion } from '../../platform/version';
import { createServedDocument } from '../openapi/document';
import { oncePerServices } from '../routing/once-per-services';
import { okResponse } from '../routing/response';
import { publicRoute, type Route } from '../routing/route';

/** Adds the route that describes the given routes. */
export function withOpenApi(routes: readonly Route[]): readonly Route[] {
  const documentOf = oncePerServices(({ publicUrl }) =>
    createServedDocument({ routes: all, version: readVersion(), publicUrl }),
  );
  const all: readonly Route[] = [
    ...routes,
    publicRoute({
      endpoint: 'GET /v1/openapi.json',
      operationId: 'getOpenApi',
      tag: 'Service',
      summary: 'Get the OpenAPI description',
      description: 'Returns this API as an OpenAPI 3.1 document, for client generators and tools.',
      guide: 'docs/api.md',
      responses: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({}) } },
      handler: async ({ services }) => okResponse({ ...documentOf(services) }),
    }),
  ];
  return all;
}
