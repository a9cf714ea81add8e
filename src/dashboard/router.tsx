/** The pages and their addresses. Each page is a chunk of its own, loaded when it is first shown. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { NotFound, PageError } from './layout/page-error';
import { Shell } from './layout/shell';
import { Loading } from './shared/loading';
import { readSearch, type Search, writeSearch } from './shared/search';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

type Load = Parameters<typeof lazyRouteComponent>[0];

function page(path: string, load: Load, name: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: (search: Record<string, unknown>): Search => readSearch(search),
    component: lazyRouteComponent(load, name),
  });
}

const pages = [
  page('/', () => import('./features/overview/overview-page'), 'OverviewPage'),
  page('/monitors', () => import('./features/monitors/monitors-page'), 'MonitorsPage'),
  page('/monitors/new', () => import('./features/monitors/new-monitor-page'), 'NewMonitorPage'),
  page('/monitors/$monitorId', () => import('./features/monitors/monitor-page'), 'MonitorPage'),
  page(
    '/monitors/$monitorId/edit',
    () => import('./features/monitors/edit-monitor-page'),
    'EditMonitorPage',
  ),
  page('/scenarios', () => import('./features/scenarios/scenarios-page'), 'ScenariosPage'),
  page('/scenarios/new', () => import('./features/scenarios/new-scenario-page'), 'NewScenarioPage'),
  page(
    '/scenarios/$scenarioId',
    () => import('./features/scenarios/scenario-page'),
    'ScenarioPage',
  ),
  page(
    '/scenarios/$scenarioId/edit',
    () => import('./features/scenarios/edit-scenario-page'),
    'EditScenarioPage',
  ),
  page(
    '/scenarios/$scenarioId/runs/$runId',
    () => import('./features/scenarios/run-page'),
    'RunPage',
  ),
  page('/incidents', () => import('./features/incidents/incidents-page'), 'IncidentsPage'),
  page(
    '/incidents/$incidentId',
    () => import('./features/incidents/incident-page'),
    'IncidentPage',
  ),
  page('/maintenance', () => import('./features/maintenance/maintenance-page'), 'MaintenancePage'),
  page('/regions', () => import('./features/regions/regions-page'), 'RegionsPage'),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    beforeLoad: () => {
      throw redirect({ to: '/settings/$section', params: { section: 'channels' } });
    },
  }),
  page('/settings/$section', () => import('./features/settings/settings-page'), 'SettingsPage'),
];

export function createDashboardRouter() {
  return createRouter({
    routeTree: root.addChildren(pages),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  });
}
