/** The pages and their paths. Each page is a chunk that loads when it is first shown. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { NotFound, PageError } from './layout/page-error';
import { PAGES, WALLBOARD } from './layout/pages';
import { Shell } from './layout/shell';
import { readSearch, type Search, writeSearch } from './shared/data/search';
import { loadWhenReached } from './shared/loading/load-when-reached';
import { PageLoading } from './shared/loading/page-loading';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

type Load = Parameters<typeof lazyRouteComponent>[0];

/** The loaders of the page chunks, by path. */
const loads = new Map<string, Load>();

function page(path: string, load: Load, name: string) {
  loads.set(path, load);
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: (search: Record<string, unknown>): Search => readSearch(search),
    component: lazyRouteComponent(loadWhenReached(load), name),
  });
}

function moved(path: string, to: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to });
    },
  });
}

const pages = [
  page('/', () => import('./features/overview/overview-page'), 'OverviewPage'),
  page(WALLBOARD, () => import('./features/overview/wallboard-page'), 'WallboardPage'),
  page('/checks', () => import('./features/checks/checks-page'), 'ChecksPage'),
  page('/monitors', () => import('./features/checks/checks-page'), 'MonitorsPage'),
  page(
    '/monitors/new',
    () => import('./features/monitors/form/new-monitor-page'),
    'NewMonitorPage',
  ),
  page(
    '/monitors/$monitorId',
    () => import('./features/monitors/page/monitor-page'),
    'MonitorPage',
  ),
  page(
    '/monitors/$monitorId/results/$resultId',
    () => import('./features/monitors/page/result-page'),
    'ResultPage',
  ),
  page(
    '/monitors/$monitorId/edit',
    () => import('./features/monitors/form/edit-monitor-page'),
    'EditMonitorPage',
  ),
  page('/scenarios', () => import('./features/checks/checks-page'), 'ScenariosPage'),
  page(
    '/scenarios/new',
    () => import('./features/scenarios/form/new-scenario-page'),
    'NewScenarioPage',
  ),
  page(
    '/scenarios/$scenarioId',
    () => import('./features/scenarios/page/scenario-page'),
    'ScenarioPage',
  ),
  page(
    '/scenarios/$scenarioId/edit',
    () => import('./features/scenarios/form/edit-scenario-page'),
    'EditScenarioPage',
  ),
  page(
    '/scenarios/$scenarioId/runs/$runId',
    () => import('./features/scenarios/runs/run-page'),
    'RunPage',
  ),
  page('/incidents', () => import('./features/incidents/incidents-page'), 'IncidentsPage'),
  page(
    '/incidents/$incidentId',
    () => import('./features/incidents/incident-page'),
    'IncidentPage',
  ),
  page('/maintenance', () => import('./features/maintenance/maintenance-page'), 'MaintenancePage'),
  page('/operator/accounts', () => import('./features/operator/accounts-page'), 'AccountsPage'),
  page('/regions', () => import('./features/regions/regions-page'), 'RegionsPage'),
  page(
    '/status-pages',
    () => import('./features/status-pages/status-pages-page'),
    'StatusPagesPage',
  ),
  page('/status-pages/new', () => import('./features/status-pages/edit-page'), 'NewStatusPage'),
  page(
    '/status-pages/$pageId',
    () => import('./features/status-pages/edit-page'),
    'EditStatusPage',
  ),
  page(
    '/status-pages/$pageId/subscribers',
    () => import('./features/status-pages/subscribers/subscribers-page'),
    'SubscribersPage',
  ),
  page(
    '/status-pages/$pageId/posts',
    () => import('./features/status-pages/posts/posts-page'),
    'PostsPage',
  ),
  page(
    '/status-pages/$pageId/posts/new',
    () => import('./features/status-pages/posts/new-post-page'),
    'NewPostPage',
  ),
  page(
    '/status-pages/$pageId/posts/$postId',
    () => import('./features/status-pages/posts/post-page'),
    'PostPage',
  ),
  moved('/alerting', '/alerting/channels'),
  page('/alerting/$section', () => import('./features/settings/settings-page'), 'AlertingPage'),
  moved('/settings', '/settings/account'),
  // Redirects from the old paths of these pages.
  moved('/settings/channels', '/alerting/channels'),
  moved('/settings/policies', '/alerting/policies'),
  moved('/settings/probe-keys', '/regions'),
  page('/settings/$section', () => import('./features/settings/settings-page'), 'SettingsPage'),
];

/** Loads the pages of the navigation one by one while the browser is idle, so that each page later opens at once. */
export function loadPagesWhenIdle(): void {
  const left = [...loads].filter(([path]) => isInNavigation(path)).map(([, load]) => load);
  const loadNext = (): void => {
    const load = left.shift();
    // If loading fails here, the page is loaded again when the user opens it.
    if (load !== undefined)
      void load()
        .catch(() => undefined)
        .then(() => whenIdle(loadNext));
  };
  whenIdle(loadNext);
}

function isInNavigation(path: string): boolean {
  const start = path.replace(/\$\w+$/, '');
  return PAGES.some(({ to }) => to === path || (start !== path && to.startsWith(start)));
}

const NOT_SUPPORTED_WAIT_MS = 1_000;

/** Runs the work when the browser is idle. Safari does not support `requestIdleCallback` yet. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work);
  else setTimeout(work, NOT_SUPPORTED_WAIT_MS);
}

export function createDashboardRouter() {
  return createRouter({
    routeTree: root.addChildren(pages),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  });
}
