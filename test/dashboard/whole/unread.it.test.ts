/** Tests pages with data that cannot be loaded. They show what happened and what to do, and nothing loads forever. */
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { isLongForm } from '../../support/test-size';
import { axeViolations, isTooWide, NARROW } from '../support/browser';
import { load, settled, suiteDashboard } from '../support/dashboard';
import { eventually } from '../support/eventually';

const REQUEST_ID = 'req-of-the-test';

let monitor: string;
let scenario: string;

const dashboard = suiteDashboard(async ({ api }) => {
  const url = 'http://example.com/';
  monitor = await api.createMonitor({ name: 'Shop', url, enabled: false });
  const body = { name: 'Buy a cup', enabled: false, steps: [{ name: 'Open', url }] };
  const shape = z.object({ id: z.string() });
  const path = '/v1/scenarios';
  scenario = (await api.call({ method: 'POST', path, body }, { status: 201, shape })).id;
});

/** Refuses requests with this path prefix until the returned function is called. */
async function refuse(page: Page, path: string): Promise<() => Promise<void>> {
  const isOfPath = ({ pathname }: URL): boolean => pathname.startsWith(path);
  const problem = {
    status: 500,
    code: 'internal',
    detail: 'The request could not be handled. Please report its requestId.',
    requestId: REQUEST_ID,
  };
  await page.route(isOfPath, (route) =>
    route.fulfill({
      status: problem.status,
      contentType: 'application/problem+json',
      body: JSON.stringify(problem),
    }),
  );
  return () => page.unroute(isOfPath);
}

const notes = (page: Page) => page.getByRole('alert').filter({ hasText: 'Could not load this' });
const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Can’t reach Keepwatch' });

const PATHS: readonly (readonly [string, () => string, () => string, string])[] = [
  ['the overview', () => '/', () => '/v1/checks', 'Overview'],
  ['the trends', () => '/', () => '/v1/overview/trends', 'Overview'],
  ['the checks', () => '/checks', () => '/v1/checks', 'Checks'],
  ['a monitor', () => `/monitors/${monitor}`, () => `/v1/monitors/${monitor}`, 'Monitor'],
  ['its uptime', () => `/monitors/${monitor}`, () => `/v1/monitors/${monitor}/uptime`, 'Shop'],
  ['its checks', () => `/monitors/${monitor}`, () => `/v1/monitors/${monitor}/results`, 'Shop'],
  ['a scenario', () => `/scenarios/${scenario}`, () => `/v1/scenarios/${scenario}`, 'Scenario'],
  ['the incidents', () => '/incidents', () => '/v1/incidents', 'Incidents'],
  ['the maintenance', () => '/maintenance', () => '/v1/maintenance-windows', 'Maintenance'],
  ['the regions', () => '/regions', () => '/v1/regions', 'Regions'],
  ['the status pages', () => '/status-pages', () => '/v1/status-pages', 'Status pages'],
  ['alert channels', () => '/alerting/channels', () => '/v1/alert-channels', 'Alert channels'],
  ['alert routes', () => '/alerting/policies', () => '/v1/alert-routes', 'Alert policies'],
  ['channels of a form', () => '/monitors/new', () => '/v1/alert-channels', 'New monitor'],
  ['items to choose', () => '/status-pages/new', () => '/v1/checks', 'Add status page'],
  ['a preview', () => '/status-pages/new', () => '/v1/status-pages/preview', 'Add status page'],
];

/** One page of each layout, which CI tests. The long form tests all pages. */
const ONE_OF_EACH: ReadonlySet<string> = new Set(['a monitor', 'a preview']);

test.each(PATHS.filter(([name]) => isLongForm || ONE_OF_EACH.has(name)))(
  'a page that cannot load %s says so under its heading with the request id, and Retry reloads the data',
  async (name, path, read, heading) => {
    const visitor = await dashboard.visit({ viewport: NARROW });
    const { page } = visitor;
    const allow = await refuse(page, read());
    await page.goto(dashboard.url + path());
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    if (name === 'a preview') await page.locator('label', { hasText: /^Preview$/ }).click();
    await notes(page).first().getByText(REQUEST_ID).waitFor();
    await settled(visitor);
    expect(await axeViolations(page)).toEqual([]);
    await eventually(() => isTooWide(page)).toBe(false);
    await eventually(() => page.title()).toMatch(new RegExp(heading));
    await allow();
    const retried = notes(page).first().getByRole('button', { name: 'Retry' }).click();
    // The button may be gone, because the page may have retried by itself in the meantime.
    await Promise.race([retried.catch(() => undefined), gone(notes(page).first())]);
    await gone(notes(page).first());
    await settled(visitor);
    await eventually(() => notes(page).count()).toBe(0);
    await visitor.close();
  },
);

const gone = (note: Locator): Promise<void> => note.waitFor({ state: 'detached' });

async function expectOneBanner(path: string): Promise<void> {
  const visitor = await dashboard.visit({ isApart: true });
  const { page } = visitor;
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto(dashboard.url + path);
  await banner(page).getByText('Check your connection. Trying again.').waitFor();
  // Waits for several retries, which fail. Some are automatic, others are caused by the button.
  for (let times = 0; times < 4; times++)
    await page.waitForEvent('requestfailed', {
      predicate: (sent) => sent.url().endsWith('/v1/session'),
    });
  await page.locator('main').getByRole('status', { name: 'Loading' }).waitFor();
  await eventually(() => page.getByRole('alert').count()).toBe(1);
  await page.unroute('**/v1/**');
  await banner(page).waitFor({ state: 'detached' });
  await settled(visitor);
  await visitor.close();
}

// Opens all pages at once, because each of them mostly waits for its next retry.
if (isLongForm)
  test('while nothing can be loaded, pages keep their layout under one banner', async () => {
    await Promise.all(
      ['/', '/monitors/mon_1', '/incidents', '/settings/about'].map(expectOneBanner),
    );
  });

if (isLongForm)
  test('the page of a run says that its polling is refused, without flickering', async () => {
    const { close, page } = await dashboard.visit();
    await refuse(page, '/v1/scenarios/');
    await page.goto(`${dashboard.url}/scenarios/${scenario}/runs/run_1`);
    await notes(page).waitFor();
    await page.evaluate(`(() => {
      window.flickered = 0;
      const main = document.querySelector('main');
      new MutationObserver(() => {
        if (main.querySelector('[role=alert]') === null) window.flickered += 1;
      }).observe(main, { childList: true, subtree: true });
    })()`);
    for (let times = 0; times < 3; times++) await page.waitForResponse(/\/results\/run_1$/);
    expect(await page.evaluate('window.flickered')).toBe(0);
    await close();
  });

test('the login page says that the service is not available if a proxy refuses the login', async () => {
  const { close, page } = await dashboard.visitAsStranger();
  await page.goto(`${dashboard.url}/login`);
  await page.route('**/v1/session', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await page.getByLabel('Email').fill('owner@example.com');
  await page.getByLabel(/^Password/).fill('a-long-password-for-tests');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Keepwatch is not available. Try again later.').waitFor();
  await close();
});

if (isLongForm)
  test('a page whose browser is offline says so, and reloads data once the browser is online', async () => {
    const visitor = await dashboard.visit({ isApart: true });
    const { context } = visitor;
    const page = await load(dashboard, visitor, '/monitors');
    // Hovering over the link loads the code of the page. The data is loaded only when the page is opened.
    const code = page.waitForResponse(/\/assets\/incidents-page-/);
    await page.getByRole('link', { name: 'Incidents' }).hover();
    await (await code).finished();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Incidents' }).click();
    await banner(page).waitFor();
    await context.setOffline(false);
    await banner(page).waitFor({ state: 'detached' });
    await settled(visitor);
    await visitor.close();
  });
