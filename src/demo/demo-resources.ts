/**
 * The resources of the demo: monitors of the shop, a heartbeat for a job, two scenarios, an escalation policy from a
 * chat to a phone, and a public status page.
 */
import { createSignInExample, scenarioExample } from '../schemas/scenario-example';
import { findUsualMs } from './shop-load';

export const MONITOR_INTERVAL_SECONDS = 10;
export const SCENARIO_INTERVAL_SECONDS = 15;
const DEGRADED_ABOVE_MS = 500;
/** How often the job of the heartbeat runs. */
export const JOB_EVERY_SECONDS = 30;
const PAGES = 'Shop pages';
const API = 'Shop API';
const JOBS = 'Shop jobs';

/** Key of the policy that failures of the checkout use. */
const POLICY = 'shop-duty';
/** Name of the key with which incidents are acknowledged. Incidents show it as the name of the person. */
export const ON_CALL_NAME = 'On-call engineer';
/** Name of the secret used to sign in to the shop. */
export const PASSWORD_SECRET = 'shop-password';

/** Returns the bodies for `POST /v1/monitors`. */
export function demoMonitors(shopUrl: string): readonly Readonly<Record<string, unknown>>[] {
  const monitors = [
    { group: PAGES, name: 'Storefront', url: '/', expectedText: 'Open day and night' },
    { group: PAGES, name: 'Search', url: '/search?q=tea', degradedAboveMs: DEGRADED_ABOVE_MS },
    {
      group: PAGES,
      name: 'Checkout',
      url: '/checkout',
      retries: 0,
      alerts: { policy: POLICY },
      runbookUrl: 'https://wiki.example.com/checkout',
      note: 'It breaks by itself every three minutes, for 90 seconds. Acknowledge it and wait.',
    },
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
      name: 'Login',
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

/** The usual durations of checks and runs in the made-up past, in milliseconds, by the name of the resource. */
export const USUAL_MS: ReadonlyMap<string, number> = new Map([
  ['Storefront', findUsualMs('GET /')],
  ['Search', findUsualMs('GET /search')],
  ['Checkout', findUsualMs('GET /checkout')],
  ['Health', findUsualMs('GET /health')],
  ['Catalogue', findUsualMs('GET /catalogue')],
  ['Login', findUsualMs('POST /login')],
  ['Order journey', 540],
  ['Sign in with a form', 480],
]);

/** Returns the body for `POST /v1/scenarios`: the example of the API, with the shop as its target. */
export function demoScenario(shopUrl: string): Readonly<Record<string, unknown>> {
  return {
    ...scenarioExample,
    variables: { ...scenarioExample.variables, baseUrl: shopUrl },
    interval: SCENARIO_INTERVAL_SECONDS,
    group: API,
  };
}

/** The body for `POST /v1/monitors`: a heartbeat for a job that must report every 30 seconds. */
export const demoHeartbeat = {
  type: 'heartbeat',
  name: 'Stock count',
  group: JOBS,
  schedule: { everySeconds: JOB_EVERY_SECONDS },
  graceSeconds: 30,
  maxRunSeconds: 20,
} as const;

/** Returns the bodies for `POST /v1/alert-channels`. */
export function demoChannels(buildUrl: (recipient: 'chat' | 'phone') => string) {
  return [
    { key: 'chat', name: 'Chat', type: 'webhook', url: buildUrl('chat') },
    { key: 'phone', name: 'Phone', type: 'webhook', url: buildUrl('phone'), isDefault: false },
  ];
}

/** The body for `POST /v1/alert-policies`. The policy notifies the phone if no one has acknowledged within a minute. */
export const demoPolicy = {
  key: POLICY,
  name: 'Shop duty',
  steps: [
    { afterMinutes: 0, notify: ['chat'] },
    { afterMinutes: 1, notify: ['phone'] },
  ],
};

export const STATUS_PAGE_SLUG = 'shop';

/** Returns the body for `POST /v1/status-pages`: the page that customers of the shop see. */
export function demoStatusPage(checks: readonly { readonly id: string; readonly name: string }[]) {
  const findItems = (names: readonly string[]) =>
    checks.filter(({ name }) => names.includes(name)).map(({ id, name }) => ({ id, name }));
  return {
    slug: STATUS_PAGE_SLUG,
    title: 'Corner shop',
    description: 'Our shop is open day and night. This page shows how its parts are doing.',
    isPublic: true,
    showBadges: true,
    showResponseTimes: true,
    subscribers: { webhook: true, slack: true },
    groups: [
      { name: 'Website', items: findItems(['Storefront', 'Search', 'Catalogue', 'Login']) },
      { name: 'Orders', items: findItems(['Checkout', 'Order journey']) },
    ],
  };
}

/** Returns the body for `POST /v1/scenarios`: the example that signs in, with the shop as its target. */
export function demoSignIn(shopUrl: string): Readonly<Record<string, unknown>> {
  const example = createSignInExample(`{{secret:${PASSWORD_SECRET}}}`);
  return {
    ...example,
    variables: { ...example.variables, baseUrl: shopUrl },
    interval: SCENARIO_INTERVAL_SECONDS,
    group: PAGES,
  };
}
