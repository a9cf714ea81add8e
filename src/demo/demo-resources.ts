/** What the demo watches: six monitors of the shop in two groups, and the example scenario. */
import { scenarioExample } from '../schemas/scenario-example';

const MONITOR_INTERVAL_SECONDS = 10;
const SCENARIO_INTERVAL_SECONDS = 15;
const DEGRADED_ABOVE_MS = 500;
const PAGES = 'Shop pages';
const API = 'Shop API';

/** Bodies for `POST /v1/monitors`. */
export function demoMonitors(shopUrl: string): readonly Readonly<Record<string, unknown>>[] {
  const monitors = [
    { group: PAGES, name: 'Front page', url: '/', expectedText: 'Open day and night' },
    { group: PAGES, name: 'Search', url: '/search?q=tea', degradedAboveMs: DEGRADED_ABOVE_MS },
    { group: PAGES, name: 'Check-out', url: '/checkout', retries: 0 },
    {
      group: API,
      name: 'Health',
      url: '/health',
      assertions: [{ type: 'jsonPath', path: '$.status', operator: 'equals', value: 'ok' }],
    },
    {
      group: API,
      name: 'Catalogue',
      url: '/catalogue',
      assertions: [
        { type: 'jsonPath', path: '$.items[0].item', operator: 'equals', value: 'coffee' },
      ],
    },
    {
      group: API,
      name: 'Log-in',
      url: '/login',
      method: 'POST',
      body: { user: 'demo' },
      assertions: [{ type: 'jsonPath', path: '$.token', operator: 'exists' }],
    },
  ];
  return monitors.map((monitor) => ({
    ...monitor,
    url: `${shopUrl}${monitor.url}`,
    interval: MONITOR_INTERVAL_SECONDS,
    timeoutMs: 5_000,
  }));
}

/** A body for `POST /v1/scenarios`: the example that the API offers, pointed at the shop. */
export function demoScenario(shopUrl: string): Readonly<Record<string, unknown>> {
  return {
    ...scenarioExample,
    variables: { ...scenarioExample.variables, baseUrl: shopUrl },
    interval: SCENARIO_INTERVAL_SECONDS,
    group: API,
  };
}
