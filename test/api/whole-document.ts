/** The OpenAPI document of all routes, for suites that do not start a service. */
import { createOpenApiDocument, createServedDocument } from '../../src/api/openapi/document';
import { ROUTES } from '../../src/api/v1/route-table';

export const DOCUMENTED_URL = 'http://keepwatch.test';

const options = {
  routes: ROUTES,
  version: '1.2.3',
  publicUrl: DOCUMENTED_URL,
};

/** The document as the API serves it. */
export const document = createServedDocument(options);

/** The document as the pages at /docs show it. */
export const shownDocument = createOpenApiDocument(options);
