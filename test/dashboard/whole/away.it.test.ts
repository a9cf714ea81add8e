/**
 * Tests pages while the service is down. The frame and loaded data stay, a banner reports that the service is down, and
 * the page recovers.
 */
import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/wait-until';
import { axeViolations } from '../support/browser';
import { load, suiteDashboard } from '../support/dashboard';

const dashboard = suiteDashboard(async ({ api }) => {
  await api.createMonitor({ name: 'Kept in sight', url: 'http://example.com/', enabled: false });
});

/** The entries of the navigation in order, and the heading that each entry opens. */
const HEADINGS = {
  Overview: 'Overview',
  Checks: 'Checks',
  Incidents: 'Incidents',
  Alerting: 'Alert channels',
  Maintenance: 'Maintenance',
  'Status pages': 'Status pages',
  Regions: 'Regions',
  Settings: 'Account',
};

const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Can’t reach Keepwatch' });

test('while the service is away, loaded data stays visible with its age, and is reloaded afterwards', async () => {
  const visitor = await dashboard.visit();
  const page = await load(dashboard, visitor, '/monitors');
  await page.getByText('Live', { exact: true }).waitFor();
  const comeBack = await dashboard.cutOff();
  await banner(page)
    .getByText(/^Showing data from .* Trying again\.$/)
    .waitFor();
  await page.getByRole('link', { name: 'Kept in sight', exact: true }).waitFor();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await comeBack();
  await banner(page).waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).waitFor();
  await visitor.close();
});

test('a page that is first opened while the service is away loads once the service is back', async () => {
  const { page, close } = await dashboard.visit({ isApart: true });
  await page.goto(`${dashboard.url}/monitors`);
  await page.getByRole('link', { name: 'Kept in sight', exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'New monitor' }).click();
  await banner(page).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Regions' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'New monitor', level: 1 }).waitFor();
  await banner(page).waitFor({ state: 'detached' });
  await close();
});

test('the pages of the navigation are preloaded and open while the service is away', async () => {
  const visitor = await dashboard.visit();
  const page = await load(dashboard, visitor, '/monitors');
  const isLoaded = (name: string) =>
    `performance.getEntriesByType('resource').some((one) => one.name.includes('${name}'))`;
  for (const name of ['regions-page', 'settings-page'])
    await waitUntil(`${name} is loaded`, () => page.evaluate<boolean>(isLoaded(name)));
  const comeBack = await dashboard.cutOff();
  const entries = page.getByRole('navigation').first().getByRole('link');
  expect(await entries.allTextContents()).toEqual(Object.keys(HEADINGS));
  for (const [entry, heading] of Object.entries(HEADINGS)) {
    await entries.filter({ hasText: entry }).click();
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await banner(page).waitFor();
  }
  await comeBack();
  await banner(page).waitFor({ state: 'detached' });
  await visitor.close();
});

test('the frame of a page appears before the service responds, and Retry sends a request at once', async () => {
  const { page, close } = await dashboard.visit();
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto(`${dashboard.url}/incidents`);
  await page.getByRole('link', { name: 'Checks' }).waitFor();
  await banner(page).waitFor();
  // Presses the button while the service is still down. Once it is back, the banner may disappear too soon.
  const asked = page.waitForRequest('**/v1/session');
  await banner(page).getByRole('button', { name: 'Retry' }).click();
  await asked;
  await page.unroute('**/v1/**');
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  await banner(page).waitFor({ state: 'detached' });
  await close();
});

test('an unknown URL gives browsers a page of the app, and programs a problem', async () => {
  const { page, close } = await dashboard.visit();
  const response = await page.goto(`${dashboard.url}/no/such/page`);
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await close();
  const headers = { accept: 'application/json' };
  const program = await fetch(`${dashboard.url}/no/such/page`, { headers });
  expect(program.status).toBe(404);
  expect(program.headers.get('content-type')).toMatch(/problem\+json/);
  const api = await fetch(`${dashboard.url}/v1/nothing`, {
    headers: { accept: 'text/html' },
  });
  expect(api.headers.get('content-type')).toMatch(/problem\+json/);
});
