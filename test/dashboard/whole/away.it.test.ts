/** Pages while the service is away: the frame and what was read stay, a banner says so, and it comes back. */
import type { Page } from 'playwright-core';
import { axeViolations } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';

const AWAY = { timeout: 30_000 };

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
  await dashboard.api.createMonitor({
    name: 'Kept in sight',
    url: 'http://example.com/',
    enabled: false,
  });
});
afterAll(() => dashboard?.close());

const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Can’t reach Keepwatch' });

test('what was read stays under a banner with its time, and is read again when the service is back', async () => {
  const visitor = await dashboard.visit();
  const { page } = visitor;
  await page.goto(`${dashboard.service.url}/monitors`);
  await settled(visitor);
  await page.getByText('Live', { exact: true }).waitFor();
  await dashboard.service.kill('api');
  await banner(page)
    .getByText(/^Showing data from .* Trying again\.$/)
    .waitFor(AWAY);
  await page.getByRole('link', { name: 'Kept in sight', exact: true }).waitFor();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await dashboard.service.start('api');
  await banner(page).waitFor({ state: 'detached', ...AWAY });
  await page.getByText('Live', { exact: true }).waitFor(AWAY);
  await visitor.context.close();
}, 120_000);

test('the frame is drawn before the service answers, and Retry asks at once', async () => {
  const { page, context } = await dashboard.visit();
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto(`${dashboard.service.url}/incidents`);
  await page.getByRole('link', { name: 'Monitors' }).waitFor();
  await banner(page).waitFor();
  await page.unroute('**/v1/**');
  await banner(page).getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  await banner(page).waitFor({ state: 'detached' });
  await context.close();
});

test('an unknown URL is a page of the app for browsers, and a problem for programs', async () => {
  const { page, context } = await dashboard.visit();
  const response = await page.goto(`${dashboard.service.url}/no/such/page`);
  expect(response?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await context.close();
  const headers = { accept: 'application/json' };
  const program = await fetch(`${dashboard.service.url}/no/such/page`, { headers });
  expect(program.status).toBe(404);
  expect(program.headers.get('content-type')).toMatch(/problem\+json/);
  const api = await fetch(`${dashboard.service.url}/v1/nothing`, {
    headers: { accept: 'text/html' },
  });
  expect(api.headers.get('content-type')).toMatch(/problem\+json/);
});
