/** Tests that a page requests its first data while its code is still loading. */
import type { Page } from 'playwright-core';
import { settled, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { holdRequest } from '../support/hold-request';

let id: string;

const dashboard = suiteDashboard(async ({ api }) => {
  id = await api.createMonitor({ name: 'Shop', url: 'http://example.com/', enabled: false });
});
const visitor = visitorOfSuite(dashboard);
beforeAll(async () => {
  // Stops the clock of the page. Data older than 10 s would be reloaded, and on a slow machine the code may take longer
  // than that to arrive.
  await visitor.page.clock.setFixedTime(Date.now());
  // The event stream never opens, because an event about a change, such as a new check, would reload the data.
  await visitor.page.route('**/v1/events', async () => undefined);
});

const responseTo = (page: Page, path: string) =>
  page.waitForResponse((response) => response.url().startsWith(dashboard.url + path));

test('the data of the table of checks is requested once, before the code of the page has arrived', async () => {
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (sent) => asked.push(sent.url().slice(dashboard.url.length)));
  const letGo = await holdRequest(page, '**/assets/checks-page-*.js');
  const rows = responseTo(page, '/v1/checks?limit=1000');
  await page.goto(`${dashboard.url}/checks`);
  await rows;
  letGo();
  await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
  await settled(visitor);
  expect(asked.filter((path) => path === '/v1/checks?limit=1000')).toHaveLength(1);
  expect(asked.filter((path) => path === '/v1/session')).toHaveLength(1);
});

test('a check and the figures of its chart are requested before the code of its page has arrived', async () => {
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (sent) => asked.push(sent.url().slice(dashboard.url.length)));
  const letGo = await holdRequest(page, '**/assets/monitor-page-*.js');
  const figures = responseTo(page, `/v1/monitors/${id}/uptime?window=24h`);
  await page.goto(`${dashboard.url}/monitors/${id}?window=24h`);
  await figures;
  letGo();
  await page.getByRole('figure').locator('svg.recharts-surface').first().waitFor();
  await settled(visitor);
  expect(asked.filter((path) => path === `/v1/monitors/${id}`)).toHaveLength(1);
  expect(asked.filter((path) => path.endsWith('/uptime?window=24h'))).toHaveLength(1);
});
