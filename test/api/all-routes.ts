/** The table of routes for tests that read it and call none of its handlers. */
import type { Route } from '../../src/api/routing/route';
import { routeTable } from '../../src/api/v1/route-table';
import { PUBLIC_URL } from './test-service';

export const allRoutes: readonly Route[] = routeTable({
  services: { stores: {}, gateway: {} } as never,
  publicUrl: PUBLIC_URL,
});
