/** The OpenAPI document of all routes, for suites that read it and start no service. */
import { createOpenApiDocument } from '../../src/api/openapi/document';
import { ROUTES } from '../../src/api/v1/route-table';

export const DOCUMENTED_URL = 'http://keepwatch.test';

export const document = createOpenApiDocument({
  routes: ROUTES,
  version: '1.2.3',
  publicUrl: DOCUMENTED_URL,
});
