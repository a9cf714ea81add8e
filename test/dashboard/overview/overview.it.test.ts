/**
 * Tests the overview in a real browser: failing checks with their causes and the available actions. Also tests the
 * evidence of a failure next to the last passing result.
 */
import { z } from 'zod';
import { fromHook } from '../../support/from-hook';
import { startLoopbackServer } from '../../support/loopback-server';
import { isLongForm } from '../../support/test-size';
import { alterResponses } from '../support/alter-responses';
import { follow, settled, suiteDashboard, visitorOfEach } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { holdRequest } from '../support/hold-request';
import { expectReadable } from '../support/looks';

const RUNBOOK = 'https://wiki.example.com/search';

let isBroken = true;
let front = '';
let search = '';

const target = fromHook(beforeAll, () =>
  startLoopbackServer(({ url }, response) => {
    const isFailing = url === '/search' && isBroken;
    response.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ stock: { cups: isFailing ? null : 12 }, name: 'shop' }));
  }),
);
afterAll(() => target.close());
const dashboard = suiteDashboard(async ({ api, probe }) => {
  const { url } = target;
  front = await api.createMonitor({ name: 'Front', url: `${url}/`, group: 'shop' });
  search = await api.createMonitor({
    name: 'Search',
    url: `${url}/search`,
    group: 'shop',
    runbookUrl: RUNBOOK,
  });
  await api.createMonitor({ name: 'Idle', url: `${url}/`, enabled: false });
  await probe.check(front);
  await probe.check(search);
});
const visitor = visitorOfEach(dashboard);
beforeEach(() => follow(dashboard, visitor, '/'));

/** Runs the next check of the monitor `Search` with this health. */
async function checkSearch(health: 'broken' | 'working'): Promise<void> {
  isBroken = health === 'broken';
  await dashboard.probe.check(search);
}

test('the summary and a card describe failing checks, and one click acknowledges an incident or undoes the acknowledgement', async () => {
  const { page } = visitor;
  await page.getByText(/^1 of 3 checks is down: Search \(/).waitFor();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('Expected status 2xx, got 503.').waitFor();
  await attention.getByText(/\/search → 503$/).waitFor();
  await attention.getByText('"cups": null').waitFor();
  await attention.getByRole('link', { name: 'Runbook' }).waitFor();
  await attention.getByRole('button', { name: 'Snooze 1 h' }).waitFor();
  await attention.getByRole('img', { name: 'Last hour' }).waitFor();
  const letGo = await holdRequest(page, '**/v1/incidents/*/acknowledge');
  const acknowledge = attention.getByRole('button', { name: 'Acknowledge' });
  await acknowledge.click();
  const acknowledged = attention.getByText('Acknowledged by owner@example.com');
  await acknowledged.waitFor();
  letGo();
  const notice = page.getByRole('alert').filter({ hasText: 'Incident of Search acknowledged.' });
  await notice.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Alerts go on.').waitFor();
  await acknowledged.waitFor({ state: 'detached' });
  await acknowledge.click();
  await acknowledged.waitFor();
  await eventually(() => attention.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  // Opens the incident by keyboard, because a growing card can move away from the pointer before a click.
  await attention.getByRole('link', { name: 'View incident' }).press('Enter');
  await page.waitForURL(/\/incidents\/inc_/);
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
});

test('a check that does not run because of the service is shown as a fault of the service', async () => {
  const { page } = visitor;
  const stuck = [{ type: 'monitor', id: front }];
  await alterResponses(page, '**/v1/overview', { stuck });
  await page.reload();
  const note = page.getByRole('alert').filter({ hasText: '1 check is not running' });
  await note.getByText('Keepwatch is behind').waitFor();
  await note.getByRole('link', { name: 'Front' }).waitFor();
});

test("the overview's four figures, 90 days and one square per check are accessible at every screen size", async () => {
  const { page } = visitor;
  const numbers = page.getByRole('region', { name: 'Last 24 hours' });
  for (const label of ['Uptime', 'Incidents', 'MTTR', 'p95 response time'])
    await numbers.getByText(label, { exact: true }).waitFor();
  await page.getByRole('img', { name: /^Last 90 days\. / }).waitFor();
  await page.getByText('Down for less than an hour', { exact: true }).waitFor();
  await page.getByText('No certificate expires within 30 days.').waitFor();
  const squares = page.getByRole('region', { name: 'All checks' });
  await squares.getByRole('link', { name: '1 paused' }).waitFor();
  await expectReadable(visitor, { inBothSchemes: true });
  await squares.getByRole('link', { name: 'Idle: Paused' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Idle', level: 1 }).waitFor();
});

test('the first steps come before the checks while no one is alerted, and stay away once they are dismissed', async () => {
  const { page } = visitor;
  await page.goto(`${dashboard.url}/`);
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await page.getByRole('heading', { name: 'All checks' }).waitFor();
  const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
  expect(headings.indexOf('First steps')).toBeLessThan(headings.indexOf('90 days'));
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await page.getByRole('region', { name: 'All checks' }).waitFor();
  await settled(visitor);
  expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0);
});

if (isLongForm)
  test('the ledger is shown with the promised maximum of missed slots and the request that returns the ledger', async () => {
    const { page } = visitor;
    const counts = { due: 20_166, made: 20_160, late: 0, missed: 6, unaccounted: 0 };
    const slots = { ...counts, verified: 20_166, missedReasons: { missed: 6 } };
    const alerts = { due: 2, sent: 2, pending: 0, failed: 0, doubled: 0 };
    await alterResponses(page, '**/v1/operations/ledger', { total: { slots, alerts } });
    await page.reload();
    for (const text of [
      '20,166 checks due: 20,160 made, 6 missed (the service was away: 6).',
      '2 alerts due: 2 sent, 0 doubled.',
      'At most one missed slot per million outside named gaps: 0 per million of 20,166 slots.',
      'GET /v1/operations/ledger',
    ])
      await page.getByText(text).waitFor();
  });

test('the wallboard shows a large square for each check, failing checks first', async () => {
  const { page } = visitor;
  await page.getByRole('link', { name: 'Wallboard' }).click();
  await page
    .getByRole('heading', { name: /^1 of 3 checks is down: Search \(/, level: 1 })
    .waitFor();
  await eventually(() => page.getByRole('navigation').count()).toBe(0);
  const first = page.getByRole('main').getByRole('listitem').first();
  await first.getByText('Expected status 2xx, got 503.').waitFor();
  await page.getByRole('button', { name: 'Turn sound on' }).click();
  await page.getByRole('button', { name: 'Turn sound off' }).waitFor();
  await expectReadable(visitor, { inBothSchemes: true });
  await page.getByRole('link', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});

test('a check that recovers leaves the cards without a reload, and only its own row is requested again', async () => {
  const { page } = visitor;
  await page.getByText(/^1 of 3 checks is down/).waitFor();
  // Waits until the stream is connected, because its first connection reloads everything, not only one row.
  await page.getByText('Live', { exact: true }).waitFor();
  const rows: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('/v1/checks?ids=')) rows.push(sent.url());
  });
  await checkSearch('working');
  await page.getByText('2 of 3 checks up, 1 paused').waitFor();
  await page.getByRole('region', { name: 'Needs attention' }).waitFor({ state: 'detached' });
  // A stream also sends the changes of the six seconds before it connected. These changes may reload everything instead
  // of one row, so the test repeats the change.
  await eventually(async () => {
    if (rows.length > 0) return true;
    await checkSearch('broken');
    await page.getByText(/^1 of 3 checks is down/).waitFor();
    await checkSearch('working');
    await page.getByText('2 of 3 checks up, 1 paused').waitFor();
    return rows.length > 0;
  }).toBe(true);
});

test('a failure has its own URL, and a comparison with the last passing result', async () => {
  const { page } = visitor;
  await page.getByText('2 of 3 checks up, 1 paused').waitFor();
  await checkSearch('broken');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('link', { name: 'Search', exact: true }).click();
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
  await page.waitForURL(/\/results\//);
  const diff = page.getByRole('region', { name: 'Diff with last passing' });
  await diff.getByRole('row', { name: /^Status 200 503/ }).waitFor();
  await diff.getByRole('row', { name: 'Body $.stock.cups 12 null' }).waitFor();
  await eventually(() => diff.getByRole('row', { name: /name/ }).count()).toBe(0);
  await page.getByText(/^Response headers \(\d+\)$/).click();
  await page.getByText('application/json').first().waitFor();
  await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
  await expectReadable(visitor);
  const address = page.url();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(({ href }) => href !== address);
  await page.getByRole('heading', { name: /^Result of / }).waitFor();
  await checkSearch('working');
  await follow(dashboard, visitor, '/');
  await page.getByText('2 of 3 checks up, 1 paused').waitFor();
  await page.goto(address);
  await diff.getByRole('row', { name: 'Body $.stock.cups 12 null' }).waitFor();
});

test('the page of a failing check links the runbook and compares the results, and the incident can be acknowledged and snoozed there', async () => {
  const { page } = visitor;
  await page.getByText('2 of 3 checks up, 1 paused').waitFor();
  await checkSearch('broken');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('link', { name: 'Search', exact: true }).click();
  const strip = page.getByRole('alert').filter({ hasText: 'Expected status 2xx, got 503.' });
  const runbook = strip.getByRole('link', { name: 'Runbook' });
  await eventually(() => runbook.getAttribute('href')).toBe(RUNBOOK);
  await page.context().route(RUNBOOK, (route) => route.fulfill({ body: 'Restart the index.' }));
  const opened = page.waitForEvent('popup');
  await runbook.click();
  const tab = await opened;
  await tab.getByText('Restart the index.').waitFor();
  await tab.close();
  await strip.getByRole('button', { name: 'Compare with last passing' }).click();
  await strip.getByRole('row', { name: /^Status 200 503/ }).waitFor();
  await strip.getByRole('row', { name: 'Body $.stock.cups 12 null' }).waitFor();
  await expectReadable(visitor);
  await strip.getByRole('button', { name: 'Acknowledge' }).click();
  await strip.getByText('Acknowledged by owner@example.com').waitFor();
  await eventually(() => strip.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  await strip.getByRole('button', { name: 'Snooze 1 h' }).click();
  await strip.getByText(/^Snoozed by owner@example\.com until /).waitFor();
  await eventually(() => strip.getByRole('button', { name: /^Snooze/ }).count()).toBe(0);
});

test('an update of an incident can be posted on the status page that contains its check', async () => {
  const { page } = visitor;
  const open = async (): Promise<void> => {
    await page.goto(`${dashboard.url}/monitors/${search}`);
    await page.getByRole('link', { name: 'View incident' }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  };
  const post = page.getByRole('link', { name: 'Post update' });
  await open();
  expect(await post.count()).toBe(0);
  const groups = [{ name: 'Shop', items: [{ id: search, name: 'Product search' }] }];
  const body = { slug: 'shop', title: 'Shop status', groups };
  await dashboard.api.call(
    { method: 'POST', path: '/v1/status-pages', body },
    { status: 201, shape: z.looseObject({}) },
  );
  await open();
  await post.click();
  await page.getByRole('heading', { name: 'Write a post', level: 1 }).waitFor();
  await page.getByText('Product search', { exact: true }).first().waitFor();
  const state = page.getByRole('combobox', { name: 'State' });
  await eventually(() => state.inputValue()).toBe('investigating');
});
