/** The table of checks by mouse, keyboard and finger: its heads, order, selection and what it shows beside it. */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until';
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

const focusedRow = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.closest("[data-row]")?.innerText ?? ""');

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
  const refusing = 'http://127.0.0.1:9911/';
  await dashboard.api.createMonitor({ name: 'Zebra', url: refusing, interval: 3_600 });
  await page.goto(`${dashboard.service.url}/checks`);
  await settled(visitor);
  await page.getByText('Connection refused on port 9911.').waitFor({ timeout: 30_000 });
  const [shown, needed] = await page.evaluate<readonly [number, number]>(`(() => {
    const reason = document.querySelector('[data-status=down][title]');
    return [reason.clientWidth, reason.scrollWidth];
  })()`);
  expect(shown).toBeGreaterThanOrEqual(needed);
  await context.close();
});

test('monitors and scenarios are paused together at once, and Undo resumes both', async () => {
  const visitor = await dashboard.visit();
  const { context, page } = visitor;
  const url = 'http://example.com/';
  const monitor = await dashboard.api.createMonitor({ name: 'Front page', url, interval: 3_600 });
  const body = { name: 'Order', interval: 3_600, steps: [{ name: 'Open', url }] };
  const shape = z.object({ id: z.string() });
  const create = { method: 'POST', path: '/v1/scenarios', body };
  const scenario = (await dashboard.api.call(create, { status: 201, shape })).id;
  const statesOf = async (): Promise<readonly string[]> =>
    await Promise.all(
      [`/v1/monitors/${monitor}`, `/v1/scenarios/${scenario}`].map(async (path) => {
        const state = z.looseObject({ state: z.string() });
        return (await dashboard.api.call({ method: 'GET', path }, { status: 200, shape: state }))
          .state;
      }),
    );
  await page.goto(`${dashboard.service.url}/checks`);
  await settled(visitor);
  await page.getByRole('checkbox', { name: 'Select Front page' }).check();
  await page.getByRole('link', { name: 'Order', exact: true }).focus();
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Pause' }).click();
  await bar.getByRole('menuitem', { name: 'Until I resume' }).click();
  await page.getByText('2 checks paused.').waitFor();
  expect(await statesOf()).toEqual(['paused', 'paused']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 checks resumed.').waitFor();
  expect(await statesOf()).toEqual(['active', 'active']);
  expect(visitor.faults).toEqual([]);
  await context.close();
});

test('while more of a check is shown, j and k go on to the next one, and closing leads to its row', async () => {
  const visitor = await dashboard.visit();
  const { context, page } = visitor;
  await page.goto(`${dashboard.service.url}/checks?q=Check 1`);
  await settled(visitor);
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  const peek = page.getByRole('dialog', { name: 'Peek' });
  await peek.getByText('Check 1', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await peek.getByText('Check 10', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await peek.getByText('Check 11', { exact: true }).waitFor();
  await page.keyboard.press('k');
  await peek.getByText('Check 10', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await peek.waitFor({ state: 'detached' });
  await waitUntil('the row', async () => (await focusedRow(page)).includes('Check 10'));
  await context.close();
});

test('on a phone, where the table has no heads, its order is a field', async () => {
  const visitor = await dashboard.visit({ viewport: NARROW });
  const { context, page } = visitor;
  await page.goto(`${dashboard.service.url}/checks?by=none`);
  await settled(visitor);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('By name');
  await page.waitForURL(/[?&]sort=name/);
  const names = await page.locator('[data-row-link]').allInnerTexts();
  expect(names.slice(0, 3)).toEqual(['Check 1', 'Check 2', 'Check 3']);
  await page.goto(`${dashboard.service.url}/checks?sort=-interval`);
  await settled(visitor);
  const order = page.getByRole('combobox', { name: 'Sort by' });
  expect(await order.inputValue()).toBe('-interval');
  await context.close();
});
