/**
 * Tests profiles and environments in a browser, on the whole service: their objects, where the form of a check shows
 * them as the origin of values, and the rollouts that they start.
 */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { follow, load, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { expectReadable } from '../support/looks';
import { suiteSharedDashboard } from '../support/shared-dashboard';

const WEEK_S = 604_800;

const dashboard = suiteSharedDashboard();
const visitor = visitorOfSuite(dashboard);
const open = (path: string) => follow(dashboard, visitor, path);

const monitorShape = z.looseObject({ interval: z.number(), inherited: z.looseObject({}) });
let monitorId: string;

const readMonitor = () =>
  dashboard.api.call(
    { method: 'GET', path: `/v1/monitors/${monitorId}` },
    { status: 200, shape: monitorShape },
  );

async function createMonitor(fields: object): Promise<string> {
  const body = { interval: WEEK_S, enabled: false, ...fields };
  const { id } = await dashboard.api.call(
    { method: 'POST', path: '/v1/monitors', body },
    { status: 201, shape: z.looseObject({ id: z.string() }) },
  );
  return id;
}

beforeAll(async () => {
  monitorId = await createMonitor({ name: 'Shop', url: 'http://example.com/' });
});

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

/** Expects the dialog of a rollout, and closes it. It stays open until the rollout has ended. */
async function expectRollout(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Rollout' });
  await dialog.getByText('1 check changed').waitFor();
  await dialog.getByText(name, { exact: true }).waitFor();
  await press(page, 'Close');
  await dialog.waitFor({ state: 'detached' });
}

test('a profile is created once its errors are fixed, and a check shows which values the profile provides', async () => {
  const page = await load(dashboard, visitor, '/settings/profiles');
  await page.getByRole('button', { name: 'Add profile' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Web pages');
  await eventually(() => dialog.getByLabel('Key').inputValue()).toBe('web-pages');
  await dialog.getByLabel('Interval (seconds)').fill('1');
  await press(page, 'Save');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Interval (seconds)').fill('300');
  await press(page, 'Save');
  await page.getByText('Interval 300 s').waitFor();
  await page.getByText('Not used').waitFor();

  await open(`/monitors/${monitorId}/edit`);
  await page.getByRole('combobox', { name: 'Profile' }).click();
  await page.getByRole('option', { name: 'Web pages' }).click();
  const origin = { name: 'Use the value of profile web-pages for interval' };
  await page.getByRole('button', origin).click();
  await page.getByText('from profile web-pages').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/monitors\/mon_[0-9a-z]+$/);
});

test('a changed profile shows what would change, and its rollout can be followed and undone', async () => {
  const page = await open('/settings/profiles');
  await page.getByText('Used by Shop').waitFor();
  await page.getByRole('button', { name: 'Edit Web pages' }).click();
  await page.getByRole('dialog').getByLabel('Interval (seconds)').fill('600');
  await press(page, 'Show what would change');
  await page.getByText('1 of 1 checks would change.').waitFor();
  await press(page, 'Save');
  await expectRollout(page, 'Shop');
  expect(await readMonitor()).toMatchObject({ interval: 600 });

  await open('/settings/rollouts');
  await page.getByRole('button', { name: 'Undo Profile web-pages' }).click();
  await page.getByRole('dialog').getByText('1 check changed').waitFor();
  await press(page, 'Close');
  await page.getByText(/undone$/).waitFor();
  expect(await readMonitor()).toMatchObject({ interval: 300 });
  await expectReadable(visitor, { inBothSchemes: true });
});

test('the refusal to delete a profile in use names the check, and disappears once the profile is deleted', async () => {
  const page = await load(dashboard, visitor, '/settings/profiles');
  await page.getByRole('button', { name: 'Delete Web pages' }).click();
  await press(page, 'Delete');
  const refusal = page.getByText('Change them first: “Shop”');
  await refusal.waitFor();
  await expectReadable(visitor, { inBothSchemes: true });
  await dashboard.api.call(
    { method: 'PATCH', path: `/v1/monitors/${monitorId}`, body: { profile: null } },
    { status: 200, shape: monitorShape },
  );
  await page.getByRole('button', { name: 'Delete Web pages' }).click();
  await press(page, 'Delete');
  await page.getByText('Profile deleted.').waitFor();
  await refusal.waitFor({ state: 'detached' });
});

test('an environment and account variables complete a check, and a changed value is rolled out', async () => {
  const page = await open('/settings/environments');
  await page.getByRole('button', { name: 'Edit variables' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await dialog.getByLabel('Name of variable 1').fill('path');
  await dialog.getByLabel('Value of variable 1').fill('health');
  await press(page, 'Save');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('{{path}}').waitFor();
  await page.getByRole('button', { name: 'Add environment' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Staging');
  await dialog.getByLabel('Name of variable 1').fill('base');
  await dialog.getByLabel('Value of variable 1').fill('http://example.com');
  await press(page, 'Save');
  await dialog.waitFor({ state: 'detached' });

  const url = '{{base}}/{{path}}';
  monitorId = await createMonitor({ name: 'Page', url, environment: 'staging' });
  await page.getByRole('button', { name: 'Edit Staging' }).click();
  await dialog.getByLabel('Value of variable 1').fill('http://www.example.com');
  await press(page, 'Save');
  await expectRollout(page, 'Page');
  await page.getByText('http://www.example.com').waitFor();
  await page.getByText('Used by Page').waitFor();
  expect(await readMonitor()).toMatchObject({
    inherited: { variables: { base: 'http://www.example.com' } },
  });
  await page.getByRole('button', { name: 'Edit variables' }).click();
  await dialog.getByLabel('Value of variable 1').fill('ready');
  await press(page, 'Save');
  await expectRollout(page, 'Page');
  await expectReadable(visitor, { inBothSchemes: true });
});
