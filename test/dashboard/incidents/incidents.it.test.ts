/**
 * Incidents, maintenance and regions in a real browser against the real service: what fails appears
 * live, is acknowledged and noted; maintenance is planned, started and ended.
 */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { axeViolations, openPage, type Watched } from '../support/browser';
import { type Dashboard, openDashboard } from '../support/dashboard';

const HOSTILE = '<script>alert(1)</script>';
const LIVE_WITHIN_MS = 40_000;

let dashboard: Dashboard;
let owner: Watched;
let page: Page;

/** Presses a button of the dialog that is open. */
async function press(name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

beforeAll(async () => {
  dashboard = await openDashboard();
  const { api, service } = dashboard;
  owner = await dashboard.visit();
  ({ page } = owner);
  await page.goto(`${service.url}/incidents`);
  await page.getByText('No incidents').waitFor();
  const hook = {
    name: 'On call',
    type: 'webhook',
    url: 'http://127.0.0.1:2/hook',
    isDefault: true,
  };
  await api.call(
    { method: 'POST', path: '/v1/alert-channels', body: hook },
    { status: 201, shape: z.looseObject({}) },
  );
  await api.createMonitor({ name: HOSTILE, url: 'http://127.0.0.1:2/', interval: 10 });
}, 120_000);
afterAll(() => dashboard?.close());
afterEach(() => {
  expect(owner.faults).toEqual([]);
});

test('the sign-in names the product, has the focus in its first field and shows the password on request', async () => {
  const visitor = await openPage(dashboard.browser);
  await visitor.page.goto(`${dashboard.service.url}/login`);
  await visitor.page.getByText('Keepwatch', { exact: true }).waitFor();
  await visitor.page.keyboard.type('owner@example.com');
  expect(await visitor.page.getByLabel('Email').inputValue()).toBe('owner@example.com');
  const password = visitor.page.getByLabel(/^Password/);
  await password.fill('a-long-password-for-tests');
  await visitor.page.getByRole('checkbox', { name: 'Show password' }).check();
  expect(await password.getAttribute('type')).toBe('text');
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.page.emulateMedia({ colorScheme });
    expect(await axeViolations(visitor.page)).toEqual([]);
  }
  await password.press('Enter');
  await visitor.page.waitForURL(({ pathname }) => pathname !== '/login');
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
});

test('an incident appears without a reload, is acknowledged and takes a note', async () => {
  const link = page.getByRole('link', { name: HOSTILE });
  await link.waitFor({ timeout: LIVE_WITHIN_MS });
  await page.getByText('Resolved', { exact: true }).click();
  await page.waitForURL(/state=resolved/);
  await page.getByRole('button', { name: 'Show all incidents' }).click();
  await link.click();

  await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('by owner@example.com', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Acknowledge', exact: true }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Add a note' }).fill('The **cable** was out.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByText('The cable was out.').waitFor();
  await page
    .getByRole('figure', { name: /^Chart of p95 of the response time by region/ })
    .waitFor();
  await page.getByText(/^Failure · On call · /).waitFor();
  await page.getByText(/^(An|No) alert was due\.$/).waitFor();
  await page.getByRole('heading', { name: 'First failing result' }).waitFor();
  await page
    .getByText(/127\.0\.0\.1:2/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Snooze' }).click();
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Reason' })
    .fill('Provider works on it');
  expect(await axeViolations(page)).toEqual([]);
  await press('Snooze');
  await page
    .getByText(/Provider works on it/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'End snooze' }).click();
  await page.getByText('Alerts resumed').waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await page.goto(`${dashboard.service.url}/incidents?period=24h`);
  await page.getByText(/^1 incident, total downtime /).waitFor();
  const filter = page.getByRole('combobox', { name: 'Monitor or scenario' });
  const asked = page.waitForRequest(/\/v1\/monitors\?.*q=alert/);
  await filter.fill('alert');
  await asked;
  await page.getByRole('option', { name: HOSTILE }).click();
  await page.waitForURL(/resourceId=mon_/);
  await link.waitFor();
  await page.reload();
  await link.waitFor();
  expect(await filter.inputValue()).toBe(HOSTILE);
}, 120_000);

test('a rule that is none is refused at its field, and a good one shows both zones', async () => {
  await page.goto(`${dashboard.service.url}/maintenance`);
  await page.getByRole('button', { name: 'Schedule maintenance' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('First Sunday');
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tok');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByRole('combobox', { name: 'Repeats' }).click();
  await page.getByRole('option', { name: 'Custom (RRULE' }).click();
  const rule = page.getByRole('textbox', { name: /Recurrence rule/ });
  await rule.fill('FREQ=SOMETIMES');
  await page.getByText('Selected').click();
  await page.getByRole('combobox', { name: 'Monitors and scenarios' }).fill('alert');
  await page.getByRole('option', { name: HOSTILE }).click();
  await page.getByRole('combobox', { name: 'Tags' }).click();
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
  const { y = 0, height = 0 } = (await save.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(page.viewportSize()?.height ?? 0);
  expect(await axeViolations(page)).toEqual([]);
  await press('Save');
  await page
    .getByText(/FREQ must be one of/)
    .first()
    .waitFor();
  await rule.fill('FREQ=MONTHLY;BYDAY=1SU');
  await press('Save');

  const table = page.getByRole('region', { name: 'Next occurrences of First Sunday' });
  await table.waitFor();
  await table.getByText('Asia/Tokyo').waitFor();
  expect(await table.getByRole('row').count()).toBe(6);

  await page.getByRole('button', { name: 'Edit First Sunday' }).click();
  await page.getByText(HOSTILE).first().waitFor();
  expect(await rule.inputValue()).toBe('FREQ=MONTHLY;BYDAY=1SU');
  await page.getByRole('textbox', { name: 'Name' }).fill('Sundays');
  await press('Save');
  await page.getByRole('button', { name: 'Delete Sundays' }).click();
  await press('Delete');
  await page.getByText('No maintenance scheduled').waitFor();
}, 60_000);

test('maintenance starts at once and is ended early', async () => {
  await page.goto(`${dashboard.service.url}/maintenance`);
  await page.getByRole('button', { name: '30 minutes now' }).click();
  await press('Start maintenance');
  await page.getByText('In progress').waitFor();
  await page.getByText(/for 30 min/).waitFor();
  await page.getByRole('button', { name: 'End now: Maintenance' }).click();
  await page.getByText('Ended', { exact: true }).waitFor();
}, 60_000);
