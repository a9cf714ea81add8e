/**
 * Tests the menus of rows and pages, the palette and saved views, in a real browser. Each action confirms its result.
 * The page of a deleted object closes. A refused action can be retried. A pause shows at once and can be undone.
 */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { startCountingTarget } from '../../support/counting-target';
import { fromHook } from '../../support/from-hook';
import { isLongForm } from '../../support/test-size';
import { waitUntil } from '../../support/wait-until';
import { axeViolations, expectNoFaults, type Watched } from '../support/browser';
import { follow, load, settled, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { holdRequest } from '../support/hold-request';

const target = fromHook(beforeAll, startCountingTarget);
afterAll(() => target.close());
const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);
const open = (path: string) => follow(dashboard, visitor, path);

function createMonitor(name: string): Promise<string> {
  return dashboard.api.createMonitor({ name, url: target.url });
}

async function createScenario(name: string): Promise<string> {
  const steps = [{ name: 'First', url: target.url }];
  const created = await dashboard.api.call(
    { method: 'POST', path: '/v1/scenarios', body: { name, steps, enabled: false } },
    { status: 201, shape: z.object({ id: z.string() }) },
  );
  return created.id;
}

async function confirmDelete(page: Watched['page']): Promise<void> {
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
}

const FOCUSED = 'document.activeElement?.textContent';

const KINDS = [
  ['monitors', createMonitor],
  ['scenarios', createScenario],
] as const;

test.each(isLongForm ? KINDS : KINDS.slice(0, 1))(
  'deleting one of the %s from its page returns to the list, which confirms the deletion',
  async (kind, create) => {
    const id = await create(`Gone ${kind}`);
    const page = await open(`/${kind}/${id}`);
    // Waits for the first reads of the page, because they must not arrive after the deletion.
    await settled(visitor);
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await confirmDelete(page);
    await page.waitForURL(`${dashboard.url}/${kind}`);
    await page.getByRole('alert').getByText(`Gone ${kind} deleted.`).waitFor();
    await settled(visitor);
    await page
      .getByRole('link', { name: `Gone ${kind}` })
      .first()
      .waitFor({ state: 'detached' });
    expect(missing).toEqual([]);
  },
);

test('a page says that its object was deleted if someone else deletes it', async () => {
  const id = await createMonitor('Deleted elsewhere');
  const page = await open(`/monitors/${id}`);
  await page.getByRole('heading', { name: 'Deleted elsewhere' }).waitFor();
  await dashboard.api.call(
    { method: 'DELETE', path: `/v1/monitors/${id}` },
    { status: 204, shape: z.undefined() },
  );
  await page.getByRole('heading', { name: 'Monitor not found' }).waitFor();
  await eventually(() => page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Go to monitors' }).click();
  await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor();
});

test('deleting a monitor from its row keeps the filters and focuses the next row', async () => {
  for (const name of ['Row A', 'Row B', 'Row C']) await createMonitor(name);
  const page = await open('/monitors?q=Row');
  await page.getByRole('button', { name: 'Actions: Row B' }).click();
  await confirmDelete(page);
  await page.getByRole('alert').getByText('Row B deleted.').waitFor();
  await page.getByRole('link', { name: 'Row B', exact: true }).waitFor({ state: 'detached' });
  const rows = await page.locator('[data-row] a').allInnerTexts();
  await waitUntil('the focus', async () => rows.includes(String(await page.evaluate(FOCUSED))));
  expect(page.url()).toContain('q=Row');
});

test('maintenance that failed to start from a menu can be retried, and is deleted with its monitor', async () => {
  const id = await createMonitor('Refused');
  const page = await open(`/monitors/${id}`);
  let refusals = 0;
  await page.route('**/v1/maintenance-windows/now', async (route) => {
    refusals += 1;
    if (refusals > 1) await route.continue();
    else await route.abort();
  });
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Maintenance for 30 min' }).click();
  const notice = page
    .getByRole('alert')
    .filter({ has: page.getByRole('button', { name: 'Retry' }) });
  await notice.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Refused is in maintenance for 30 minutes.').waitFor();
  expect(refusals).toBe(2);
  await open('/maintenance');
  await page.getByRole('heading', { name: 'Maintenance of Refused' }).waitFor();
  await open('/');
  await page.getByText(/Maintenance of Refused in progress, ends/).waitFor();
  await dashboard.api.call(
    { method: 'DELETE', path: `/v1/monitors/${id}` },
    { status: 204, shape: z.undefined() },
  );
  await open('/');
  await page.getByText('No maintenance scheduled.').waitFor();
});

const pauseShape = z.looseObject({
  state: z.string(),
  pausedUntil: z.string().nullable(),
  pauseReason: z.string().nullable(),
});

function pauseOf(id: string): Promise<z.output<typeof pauseShape>> {
  const path = `/v1/monitors/${id}`;
  return dashboard.api.call({ method: 'GET', path }, { status: 200, shape: pauseShape });
}

const noticeOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

test('a pause from a row is shown before the service responds, and Undo by mouse resumes the check', async () => {
  const id = await createMonitor('Held');
  await dashboard.probe.check(id);
  const page = await open('/monitors?q=Held');
  const status = (name: string) =>
    page.locator(`[data-row=${id}]`).getByRole('img', { name, exact: true });
  await status('Up').waitFor();
  const letGo = await holdRequest(page, `**/v1/monitors/${id}/pause`);
  await page.getByRole('button', { name: 'Actions: Held' }).click();
  await page.getByRole('menuitem', { name: 'Until I resume' }).click();
  await status('Paused').waitFor();
  expect(await pauseOf(id)).toMatchObject({ state: 'active' });
  expect(await noticeOf(page, 'Held paused.').count()).toBe(0);
  letGo();
  const undo = noticeOf(page, 'Held paused.').getByRole('button', { name: 'Undo' });
  // A notification stays while the mouse is over it.
  await undo.hover();
  expect(await axeViolations(page)).toEqual([]);
  expect(await pauseOf(id)).toMatchObject({ state: 'paused' });
  await undo.click();
  await status('Up').waitFor();
  await noticeOf(page, 'Held resumed.').waitFor();
  await eventually(() => noticeOf(page, 'Held resumed.').getByText('Undo').count()).toBe(0);
  expect(await pauseOf(id)).toMatchObject({ state: 'active' });
});

test('Undo by the key u restores a pause with the original end and reason', async () => {
  const id = await createMonitor('Ended');
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const pause = { until, reason: 'release' };
  await dashboard.api.call(
    { method: 'POST', path: `/v1/monitors/${id}/pause`, body: pause },
    { status: 200, shape: pauseShape },
  );
  const page = await open('/monitors?q=Ended');
  await page.getByRole('button', { name: 'Actions: Ended' }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await noticeOf(page, 'Ended resumed.').waitFor();
  expect(await pauseOf(id)).toMatchObject({ state: 'active', pausedUntil: null });
  await page.keyboard.press('u');
  await noticeOf(page, 'Ended paused.').waitFor();
  expect(await pauseOf(id)).toMatchObject({
    state: 'paused',
    pausedUntil: until,
    pauseReason: 'release',
  });
});

if (isLongForm)
  test('one button on the page of a scenario pauses and resumes the scenario, and shows the end of a pause', async () => {
    const id = await createScenario('Journey');
    const page = await open(`/scenarios/${id}`);
    await page.getByRole('button', { name: 'Resume' }).click();
    await noticeOf(page, 'Journey resumed.').waitFor();
    await page.getByText(/ · (next in|due now)/).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('menuitem', { name: 'For 1 h' }).click();
    await page.getByText(/^Paused .*, resumes in \d/).waitFor();
    await noticeOf(page, 'Journey paused.').waitFor();
  });

if (isLongForm)
  test('a refused pause is reverted, shows the reason and can be retried', async () => {
    const id = await createMonitor('Unavailable');
    const other = await dashboard.visit();
    const { page } = other;
    await load(dashboard, other, `/monitors/${id}`);
    const detail = 'Temporal is away.';
    const json = { type: 'about:blank', status: 503, code: 'unavailable', detail };
    const letGo = await holdRequest(page, `**/v1/monitors/${id}/pause`, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', json }),
    );
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('menuitem', { name: 'For 1 h' }).click();
    const since = page.getByText(/^Paused .*, resumes in/);
    await since.waitFor();
    letGo();
    await since.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check now' }).waitFor();
    expect(await pauseOf(id)).toMatchObject({ state: 'active' });
    const retry = noticeOf(page, detail).getByRole('button', { name: 'Retry' });
    expect(await axeViolations(page)).toEqual([]);
    await retry.click();
    await noticeOf(page, 'Unavailable paused.').waitFor();
    expect(await pauseOf(id)).toMatchObject({ state: 'paused' });
    expect(other.faults).toEqual([expect.stringMatching(/^503 .*\/pause$/)]);
    await other.close();
  });

/** Types words into the palette, even if its search field has no focus yet. */
async function search(page: Page, words: string) {
  await page.keyboard.press('Control+K');
  const box = page.getByRole('textbox', { name: 'Search', exact: true });
  await box.fill(words);
  return { enter: () => box.press('Enter') };
}

test('Enter in the palette opens the first hit, even if pressed before the hits arrive', async () => {
  await createMonitor('Zebra crossing');
  const page = await open('/');
  await (await search(page, 'zebra')).enter();
  await page.getByRole('heading', { name: 'Zebra crossing', level: 1 }).waitFor();
  const pages = await search(page, 'incid');
  await page.getByRole('button', { name: 'Incidents' }).waitFor();
  await pages.enter();
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  const monitors = await search(page, 'crossing');
  await page.getByRole('button', { name: /Zebra crossing/ }).waitFor();
  await monitors.enter();
  await page.getByRole('heading', { name: 'Zebra crossing', level: 1 }).waitFor();
});

test('a verb alone in the palette says what it can do, and with a name it applies to the check', async () => {
  const id = await createMonitor('Quagga crossing');
  const page = await open('/');
  await search(page, 'mute');
  const box = page.getByRole('textbox', { name: 'Search', exact: true });
  await page
    .getByRole('button', { name: 'Pause or start maintenance: type the name of a check' })
    .click();
  await eventually(() => box.inputValue()).toBe('mute ');
  await page.keyboard.type('quag');
  await page.getByRole('button', { name: /^Pause Quagga crossing for 1 h/ }).waitFor();
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  const { enter } = await search(page, 'mute quagga');
  await page.getByRole('button', { name: /^Pause Quagga crossing for 1 h/ }).waitFor();
  await enter();
  await noticeOf(page, 'Quagga crossing paused.').waitFor();
  expect(await pauseOf(id)).toMatchObject({ state: 'paused', pausedUntil: expect.any(String) });
});

async function command(page: Page, words: string, name: string): Promise<void> {
  const { enter } = await search(page, words);
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).waitFor();
  await enter();
}

if (isLongForm)
  test('the palette acts on the open object, creates, navigates and switches the theme', async () => {
    const id = await createMonitor('Acted on');
    const page = await open(`/monitors/${id}`);
    await command(page, 'until i res', 'Pause until I resume');
    await page.getByText('Acted on paused.').waitFor();
    await page.getByText(/^Paused .*until someone resumes it/).waitFor();
    await command(page, 'resume', 'Resume');
    await page.getByText('Acted on resumed.').waitFor();
    await command(page, 'check now', 'Check now');
    await page.getByText(/^Acted on is being checked/).waitFor();
    await command(page, 'dark', 'Dark theme');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Theme: dark. Switch to system' }).click();
    await page.getByRole('button', { name: 'Theme: system. Switch to light' }).click();
    await page.locator('html[data-mantine-color-scheme=light]').waitFor();
    await page.getByRole('button', { name: 'Theme: light. Switch to dark' }).waitFor();
    await command(page, 'audit', 'Audit trail');
    await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor();
    await command(page, 'new status', 'New status page');
    await page.getByRole('heading', { name: 'Add status page', level: 1 }).waitFor();
    const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await trail.getByRole('link', { name: 'Status pages' }).click();
    await page.getByRole('heading', { name: 'Status pages', level: 1 }).waitFor();
  });

if (isLongForm)
  test('the palette acknowledges the open incident', async () => {
    const id = await dashboard.api.createMonitor({
      name: 'Broken',
      url: target.url,
      assertions: [{ type: 'status', operator: 'equals', value: 418 }],
    });
    await dashboard.probe.check(id);
    const { data } = await dashboard.api.call(
      { method: 'GET', path: `/v1/incidents?resourceId=${id}` },
      { status: 200, shape: z.object({ data: z.array(z.object({ id: z.string() })).length(1) }) },
    );
    for (const words of ['acknowledge', 'ackn brok']) {
      await search(await open('/'), words);
      await visitor.page.getByRole('button', { name: 'Acknowledge incident of Broken' }).waitFor();
      await visitor.page.keyboard.press('Escape');
    }
    const page = await open(`/incidents/${data[0]?.id}`);
    await command(page, 'acknow', 'Acknowledge incident');
    await page.getByText('Incident of Broken acknowledged.').waitFor();
    await page.getByText('Acknowledged', { exact: true }).first().waitFor();
  });

test('a view can be saved, chosen, changed, shared and deleted, and its settings are in the URL', async () => {
  for (const name of ['Kept 1', 'Kept 2', 'Left out']) await createMonitor(name);
  const page = await open('/monitors?q=kept&by=none');
  const views = page.getByRole('button', { name: /^Views/ });
  const item = (name: string) => page.getByRole('menuitem', { name });
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Uptime 24 h' }).click();
  await page.waitForURL(/hide=uptime24h/);
  await page.getByRole('columnheader', { name: '24 h' }).waitFor({ state: 'detached' });
  if (isLongForm) expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await views.click();
  await item('Save as view').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The kept');
  if (isLongForm) expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/view=viw_/);

  await open('/monitors');
  await page.getByRole('link', { name: 'Left out', exact: true }).waitFor();
  await views.click();
  await item('The kept').click();
  await page.waitForURL(/q=kept.*hide=uptime24h.*view=viw_/);
  await page.getByRole('link', { name: 'Left out', exact: true }).waitFor({ state: 'detached' });
  await page.locator('[data-search]').fill('kept 1');
  await page.getByRole('button', { name: 'Views: The kept (edited)' }).click();
  await item('Save changes to this view').click();
  await page.getByRole('button', { name: 'Views: The kept', exact: true }).click();
  await item('Rename or share').click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ours');
  await dialog.getByRole('switch', { name: /^Share with everyone/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Views: Ours', exact: true }).waitFor();

  const viewer = await dashboard.visitAs('viewer');
  await viewer.page.goto(`${dashboard.url}/monitors`);
  await viewer.page.getByRole('button', { name: 'Views' }).click();
  await viewer.page.getByRole('menuitem', { name: 'Ours' }).click();
  await viewer.page.waitForURL(/q=kept\+1/);
  await viewer.page.getByRole('button', { name: 'Views: Ours' }).click();
  await viewer.page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  const changes = viewer.page.getByRole('menuitem', { name: /Save|Rename|Delete/ });
  await eventually(() => changes.count()).toBe(0);
  await expectNoFaults(viewer);
  await viewer.close();

  await command(page, 'ours', 'Ours');
  await page.waitForURL(/q=kept\+1/);
  await page.getByRole('button', { name: 'Views: Ours', exact: true }).click();
  await item('Delete this view').click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('View deleted.').waitFor();
  await page.waitForURL((url) => !url.search.includes('view='));
  await page.getByRole('link', { name: 'Kept 1', exact: true }).waitFor();
});
