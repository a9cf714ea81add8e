/** The description of every route, and the route that serves it. */
import { readVersion } from '../../platform/version';
import { okResponse } from '../routing/response';
import { NO_BODY, NO_QUERY, publicRoute, type Route } from '../routing/route';
import { ACCOUNT_DOCS } from '../v1/accounts/account-docs';
import { PEOPLE_DOCS } from '../v1/accounts/people-docs';
import { ALERT_DOCS } from '../v1/alerting/alert-docs';
import { APPLY_DOCS } from '../v1/apply/apply-docs';
import { MAINTENANCE_DOCS } from '../v1/maintenance/maintenance-docs';
import { SERVICE_DOCS } from '../v1/operations/service-docs';
import { MONITOR_DOCS, SCENARIO_DOCS } from '../v1/resources/check-docs';
import { SECRET_DOCS } from '../v1/secrets/secret-docs';
import { STATUS_PAGE_DOCS } from '../v1/status-pages/status-page-docs';
import { createOpenApiDocument, type OpenApiDocument } from './document';
import type { RouteDocs } from './route-doc';

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
