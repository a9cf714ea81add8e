/** Maintenance windows (docs/maintenance.md). */
import {
  maintenanceNowBody,
  maintenanceWindowBody,
  maintenanceWindowChange,
} from '../../../schemas/maintenance';
import { pageQuery } from '../../../schemas/queries';
import {
  getMaintenanceWindow,
  listMaintenanceWindows,
} from '../../../services/maintenance/get-maintenance-window';
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  endMaintenance,
  startMaintenance,
} from '../../../services/maintenance/save-maintenance-window';
import type { Dependencies } from '../../../services/ports/dependencies';
import { acceptVersion } from '../../routing/preconditions';
import { listResponse, NO_CONTENT, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

const PATH = '/v1/maintenance-windows';

export function maintenanceSetRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/maintenance-windows',
      scope: 'read',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listMaintenanceWindows(services, accountId, query), url),
    }),
    route({
      endpoint: 'POST /v1/maintenance-windows',
      scope: 'write',
      body: maintenanceWindowBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const window = await createMaintenanceWindow(services, accountId, body);
        return resourceResponse(window, { location: `${PATH}/${window.id}` });
      },
    }),
    route({
      endpoint: 'POST /v1/maintenance-windows/now',
      scope: 'write',
      body: maintenanceNowBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const window = await startMaintenance(services, accountId, body);
        return resourceResponse(window, { location: `${PATH}/${window.id}` });
      },
    }),
  ];
}

export function maintenanceWindowRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/maintenance-windows/:windowId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        resourceResponse(await getMaintenanceWindow(services, accountId, param('windowId'))),
    }),
    route({
      endpoint: 'PATCH /v1/maintenance-windows/:windowId',
      scope: 'write',
      body: maintenanceWindowChange,
      readStored: ({ accountId }, param) =>
        getMaintenanceWindow(services, accountId, param('windowId')),
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        const request = { id: param('windowId'), change: body, accept };
        return resourceResponse(await changeMaintenanceWindow(services, accountId, request));
      },
    }),
    route({
      endpoint: 'DELETE /v1/maintenance-windows/:windowId',
      scope: 'write',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        await deleteMaintenanceWindow(services, accountId, { id: param('windowId'), accept });
        return NO_CONTENT;
      },
    }),
    route({
      endpoint: 'POST /v1/maintenance-windows/:windowId/end',
      scope: 'write',
      body: EMPTY_BODY,
      isBodyOptional: true,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        const request = { id: param('windowId'), accept };
        return resourceResponse(await endMaintenance(services, accountId, request));
      },
    }),
  ];
}
