/** What a page reads first is asked for while its own code is still on its way. */
import type { Page } from 'playwright-core';
import type { Watched } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';
import { holdRequest } from '../support/hold-request';

let dashboard: Dashboard;
let visitor: Watched;
let id: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  id = await dashboard.api.createMonitor({
    name: 'Shop',
    url: 'http://example.com/',
    enabled: false,
  });
  visitor = await dashboard.visit();
  // What was read is read again when it is older than 10 s, which a slow machine takes until the code is there.
  await visitor.page.clock.setFixedTime(Date.now());
});
afterAll(() => dashboard?.close());

const responseTo = (page: Page, path: string) =>
  page.waitForResponse((response) => response.url().startsWith(dashboard.service.url + path));

test('the table of checks is read before its code is there, and only once', async () => {
  const { page, faults } = visitor;
  const asked: string[] = [];
  page.on('request', (sent) => asked.push(sent.url().slice(dashboard.service.url.length)));
  const letGo = await holdRequest(page, '**/assets/checks-page-*.js');
  const rows = responseTo(page, '/v1/checks?limit=1000');
  await page.goto(`${dashboard.service.url}/checks`);
  await rows;
  letGo();
  await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
  await settled(visitor);
  expect(asked.filter((path) => path === '/v1/checks?limit=1000')).toHaveLength(1);
  expect(asked.filter((path) => path === '/v1/session')).toHaveLength(1);
  expect(faults).toEqual([]);
});

test('a check and the figures of its chart are read before the code of its page is there', async () => {
  const { page, faults } = visitor;
  const asked: string[] = [];
  page.on('request', (sent) => asked.push(sent.url().slice(dashboard.service.url.length)));
  const letGo = await holdRequest(page, '**/assets/monitor-page-*.js');
  const figures = responseTo(page, `/v1/monitors/${id}/uptime?window=24h`);
  await page.goto(`${dashboard.service.url}/monitors/${id}?window=24h`);
  await figures;
  letGo();
  await page.getByRole('figure').locator('svg.recharts-surface').first().waitFor();
  await settled(visitor);
  expect(asked.filter((path) => path === `/v1/monitors/${id}`)).toHaveLength(1);
  expect(asked.filter((path) => path.endsWith('/uptime?window=24h'))).toHaveLength(1);
  expect(faults).toEqual([]);
});
