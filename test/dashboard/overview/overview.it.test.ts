/**
 * The overview as a control room, in a real browser: what is down and why, and what can be done there;
 * and the evidence of a failure, beside the last result that passed.
 */
import { z } from 'zod';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server';
import { waitUntil } from '../../support/wait-until';
import { alterResponses } from '../support/alter-responses';
import { axeViolations, isTooWide, NARROW, type Watched } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';
import { holdRequest } from '../support/hold-request';

let dashboard: Dashboard;
let target: LoopbackServer;
let visitor: Watched;
let isBroken = true;

beforeAll(async () => {
  target = await startLoopbackServer(({ url }, response) => {
    const isFailing = url === '/search' && isBroken;
    response.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ stock: { cups: isFailing ? null : 12 }, name: 'shop' }));
  });
  const origin = target.url;
  dashboard = await openDashboard();
  const { api } = dashboard;
  await api.createMonitor({ name: 'Front', url: `${origin}/`, group: 'shop', interval: 10 });
  await api.createMonitor({ name: 'Search', url: `${origin}/search`, group: 'shop', interval: 10 });
  await api.createMonitor({ name: 'Idle', url: `${origin}/`, enabled: false });
});
beforeEach(async () => {
  visitor = await dashboard.visit();
  await visitor.page.goto(`${dashboard.service.url}/`);
  await settled(visitor);
});
afterEach(async () => {
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
});
afterAll(async () => {
  await dashboard?.close();
  await target?.close();
});

test('one line says what is down and for how long, and a card why; acknowledging is one click, and undone by keyboard', async () => {
  const { page } = visitor;
  await page.getByText(/^1 of 3 checks down, worst: Search, /).waitFor({ timeout: 30_000 });
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('Expected status 2xx, got 503.').waitFor();
  await attention.getByRole('img', { name: 'Last hour' }).waitFor();
  const letGo = await holdRequest(page, '**/v1/incidents/*/acknowledge');
  const acknowledge = attention.getByRole('button', { name: 'Acknowledge' });
  await acknowledge.click();
  const acknowledged = attention.getByText(/acknowledged by owner@example\.com/);
  await acknowledged.waitFor();
  letGo();
  const notice = page.getByRole('alert').filter({ hasText: 'Incident of Search acknowledged.' });
  await notice.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Alerts go on.').waitFor();
  await acknowledged.waitFor({ state: 'detached' });
  await acknowledge.click();
  await acknowledged.waitFor();
  expect(await attention.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  // By keyboard: a card that grows under the pointer takes a click with it.
  await attention.getByRole('link', { name: 'Open' }).press('Enter');
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  expect(page.url()).toContain('/incidents/inc_');
});

test('a check that does not run because the service fails at it is named, as a fault of the service', async () => {
  const { page } = visitor;
  const [front] = await dashboard.api
    .call(
      { method: 'GET', path: '/v1/monitors?q=Front' },
      { status: 200, shape: z.object({ data: z.array(z.object({ id: z.string() })) }) },
    )
    .then(({ data }) => data);
  const stuck = [{ type: 'monitor', id: front?.id }];
  await alterResponses(page, '**/v1/overview', { stuck });
  await page.reload();
  const note = page.getByRole('alert').filter({ hasText: '1 check is not running' });
  await note.getByText('a fault of Keepwatch').waitFor();
  await note.getByRole('link', { name: 'Front' }).waitFor();
});

test('four numbers, 90 days and a square for each check are there, for everybody and on every screen', async () => {
  const { page } = visitor;
  const numbers = page.getByRole('region', { name: 'Last 24 hours' });
  for (const label of ['Uptime', 'Incidents', 'MTTR', 'p95 response time'])
    await numbers.getByText(label, { exact: true }).waitFor();
  await page.getByRole('img', { name: /^Last 90 days\. / }).waitFor();
  await page.getByText('No certificate expires within 30 days.').waitFor();
  const squares = page.getByRole('region', { name: 'All checks' });
  await squares.getByRole('link', { name: '1 paused' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.setViewportSize(NARROW);
  await waitUntil('the narrow page', async () => !(await isTooWide(page)));
  await squares.getByRole('link', { name: 'Idle: Paused' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Idle', level: 1 }).waitFor();
});

test('a check that recovers leaves the cards by itself, and only its row is read again', async () => {
  const { page } = visitor;
  await page.getByText(/^1 of 3 checks down/).waitFor({ timeout: 30_000 });
  const rows: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('/v1/checks?ids=')) rows.push(sent.url());
  });
  isBroken = false;
  await page.getByText('2 of 3 checks up, 1 paused').waitFor({ timeout: 30_000 });
  await page.getByRole('region', { name: 'Needs attention' }).waitFor({ state: 'detached' });
  await waitUntil('rows that were read alone', async () => rows.length > 0, 30_000);
});

test('a failure has an address of its own, says what is different from the last passing result, and leads to others', async () => {
  const { page } = visitor;
  isBroken = false;
  await page.getByText('2 of 3 checks up, 1 paused').waitFor({ timeout: 60_000 });
  isBroken = true;
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('link', { name: 'Search', exact: true }).click({ timeout: 60_000 });
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Down');
  await page.waitForURL(/status=down/);
  await page
    .getByRole('button', { name: /^Open the result/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open result' }).click();
  await page.getByRole('heading', { name: /^Result of / }).waitFor();
  expect(page.url()).toContain('/results/');
  const diff = page.getByRole('region', { name: 'Diff with last passing' });
  await diff.getByRole('row', { name: /^Status 200 503/ }).waitFor();
  await diff.getByRole('row', { name: 'Body $.stock.cups 12 null' }).waitFor();
  expect(await diff.getByRole('row', { name: /name/ }).count()).toBe(0);
  await page.getByText(/^Response headers \(\d+\)$/).click();
  await page.getByText('application/json').first().waitFor();
  await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.setViewportSize(NARROW);
  await waitUntil('the narrow page', async () => !(await isTooWide(page)));
  const address = page.url();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(({ href }) => href !== address);
  await page.getByRole('heading', { name: /^Result of / }).waitFor();
  isBroken = false;
  await page.goto(`${dashboard.service.url}/`);
  await page.getByText('2 of 3 checks up, 1 paused').waitFor({ timeout: 60_000 });
  await page.goto(address);
  await diff.getByRole('row', { name: 'Body $.stock.cups 12 null' }).waitFor();
});
