/** The description of every route, and the route that serves it. */
import { readVersion } from '../../platform/version';
import { createOpenApiDocument, type OpenApiDocument } from '../openapi/document';
import type { RouteDocs } from '../openapi/route-doc';
import { okResponse } from '../routing/response';
import { NO_BODY, NO_QUERY, publicRoute, type Route } from '../routing/route';
import { ACCOUNT_DOCS } from './accounts/account-docs';
import { PEOPLE_DOCS } from './accounts/people-docs';
import { ALERT_DOCS } from './alerting/alert-docs';
import { APPLY_DOCS } from './apply/apply-docs';
import { MAINTENANCE_DOCS } from './maintenance/maintenance-docs';
import { SERVICE_DOCS } from './operations/service-docs';
import { MONITOR_DOCS, SCENARIO_DOCS } from './resources/check-docs';
import { SECRET_DOCS } from './secrets/secret-docs';
import { STATUS_PAGE_DOCS } from './status-pages/status-page-docs';

export const ROUTE_DOCS: RouteDocs = {
  ...ACCOUNT_DOCS,
  ...PEOPLE_DOCS,
  ...MONITOR_DOCS,
  ...SCENARIO_DOCS,
  ...SECRET_DOCS,
  ...ALERT_DOCS,
  ...APPLY_DOCS,
  ...MAINTENANCE_DOCS,
  ...SERVICE_DOCS,
  ...STATUS_PAGE_DOCS,
};

/** The given routes and the one that describes them all; the document is made once, when asked for. */
export function withOpenApi(routes: readonly Route[], publicUrl: string): readonly Route[] {
  let document: OpenApiDocument | undefined;
  const all: readonly Route[] = [
    ...routes,
    publicRoute({
      endpoint: 'GET /v1/openapi.json',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async () => {
        document ??= createOpenApiDocument({
          routes: all,
          docs: ROUTE_DOCS,
          version: readVersion(),
          publicUrl,
        });
        return okResponse(document);
      },
    }),
  ];
  return all;
}
