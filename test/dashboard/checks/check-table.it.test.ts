/** The table of checks by mouse, keyboard and finger: its heads, order, selection and what it shows beside it. */
import { NARROW } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';

const ROWS = 12;

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { api } = dashboard;
  for (let at = 1; at <= ROWS; at++)
    await api.createMonitor({ name: `Check ${at}`, url: 'http://example.com/', enabled: false });
});
afterAll(() => dashboard?.close());

test('the heads of the table stay in sight while its rows are scrolled, below the bar of a selection', async () => {
  const viewport = { width: 1280, height: 480 };
  const visitor = await dashboard.visit({ viewport });
  const { context, page } = visitor;
  await page.goto(`${dashboard.service.url}/checks`);
  await settled(visitor);
  const head = page.getByRole('columnheader', { name: 'Name' });
  const topOf = async (): Promise<number> => (await head.boundingBox())?.y ?? -1;
  await page.getByRole('link', { name: `Check ${ROWS}`, exact: true }).scrollIntoViewIfNeeded();
  expect(await topOf()).toBe(56);
  await page.getByRole('checkbox', { name: `Select Check ${ROWS}` }).check();
  const bar = await page.getByRole('region', { name: 'Selection' }).boundingBox();
  expect(await topOf()).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) - 4);
  await context.close();
});

test('on a phone the reason of a failure is read whole', async () => {
  const visitor = await dashboard.visit({ viewport: NARROW });
  const { context, page } = visitor;
  await page.route('**/v1/checks?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const [first, ...others] = body.data;
    const failure = { message: 'Expected status 2xx, got 500.', acknowledgedAt: null };
    const data = [{ ...first, status: 'down', failure }, ...others];
    await route.fulfill({ response, json: { ...body, data } });
  });
  await page.goto(`${dashboard.service.url}/checks`);
  await settled(visitor);
  await page.getByText('Expected status 2xx, got 500.').waitFor();
  const [shown, needed] = await page.evaluate<readonly [number, number]>(`(() => {
    const reason = document.querySelector('[data-status=down][title]');
    return [reason.clientWidth, reason.scrollWidth];
  })()`);
  expect(shown).toBeGreaterThanOrEqual(needed);
  await context.close();
});
