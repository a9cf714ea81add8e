/**
 * Tests the settings in a real browser: what people set up, what is shown only once, and what is hidden from a viewer.
 */
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { isLongForm } from '../../support/test-size';
import { expectNoFaults, isTooWide, NARROW, WIDE } from '../support/browser';
import { follow, OWNER, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';

const { email: EMAIL, password: PASSWORD } = OWNER;
const NEW_PASSWORD = 'another-long-password-for-tests';
const HOSTILE = '<img src=x onerror=alert(1)>';
const TARGET = 'http://127.0.0.1:2';

const dashboard = suiteDashboard();
const owner = visitorOfSuite(dashboard);
const open = (path: string) => follow(dashboard, owner, path);

/** Presses a button of the open dialog, which contains a question or a form. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

const call = (path: string, key: string) =>
  fetch(`${dashboard.url}${path}`, { headers: { authorization: `Bearer ${key}` } });

const send = (method: string, path: string, body: object) =>
  dashboard.api.call(
    { method, path, body },
    { status: method === 'POST' ? 201 : 200, shape: z.looseObject({}) },
  );

/** Creates two routes, changes their order, checks which policy applies, and removes them. */
async function routeByTag(page: Page): Promise<void> {
  const monitor = { name: 'Till', url: TARGET, interval: 604_800, tags: ['pay'], enabled: false };
  await send('POST', '/v1/monitors', monitor);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit routes' }).click();
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await eventually(() => save.isDisabled()).toBe(true);
  for (const number of [1, 2]) {
    await dialog.getByRole('button', { name: 'Add route' }).click();
    const route = dialog.getByRole('group', { name: `Route ${number}` });
    if (number === 2) {
      await route.getByLabel('Tags').fill('pay');
      await route.getByLabel('Groups').click();
    }
    await route.getByRole('combobox', { name: 'Policy' }).click();
    if (number === 2) await page.getByRole('option', { name: 'On call' }).click();
    else await page.keyboard.press('Escape');
  }
  await press(page, 'Save');
  await dialog
    .getByText(/is never reached/i)
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Move route 2 up' }).click();
  await press(page, 'Save');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('All checks tagged pay → On call').waitFor();
  await page.getByRole('combobox', { name: 'Which policy does a check get?' }).click();
  await page.getByRole('option', { name: 'Till' }).click();
  await page.getByText('On call, by route 1.').waitFor();
  await page.getByText('Used by 1 check: Till').waitFor();
  await send('PUT', '/v1/alert-routes', { routes: [] });
  await open('/alerting/policies');
  await page.getByRole('combobox', { name: 'Which policy does a check get?' }).click();
  await page.getByRole('option', { name: 'Till' }).click();
  await page.getByText(/^No policy: .* It alerts (?:nobody|\S.*\(default\))\.$/).waitFor();
}

test('an alert policy can be created, simulated, changed and deleted', async () => {
  const page = await open('/alerting/policies');
  await page.getByRole('button', { name: 'Add policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('On call');
  await dialog.getByLabel('Key').fill('on-call');
  await press(page, 'Save');
  await dialog.getByText('Fix', { exact: false }).or(dialog.getByRole('alert')).first().waitFor();
  await dialog.getByRole('combobox', { name: 'Notify' }).click();
  await page.getByRole('option', { name: EMAIL }).click();
  await press(page, 'Save');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(`At once: ${EMAIL}, until acknowledged`).waitFor();
  await page.getByRole('button', { name: 'Simulate On call' }).click();
  await page.getByRole('row', { name: `at once 1 ${EMAIL}` }).waitFor();
  await page.getByRole('button', { name: 'Edit On call' }).click();
  await dialog.getByLabel('Quiet hours').check();
  await press(page, 'Save');
  await page.getByText(/^Quiet 22:00 to 07:00/).waitFor();
  await open('/monitors/new');
  await page.getByRole('combobox', { name: 'Alert policy' }).waitFor();
  await open('/alerting/policies');
  await routeByTag(page);
  await page.getByRole('button', { name: 'Delete On call' }).click();
  await press(page, 'Delete');
  await page.getByText('No alert policies yet').waitFor();
});

test('a webhook can be created, tested and deleted, and shows its signing secret once', async () => {
  const page = await open('/alerting/channels');
  await page.getByRole('button', { name: 'Add channel' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Webhook' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
  await page.getByRole('textbox', { name: 'Webhook URL' }).fill('ftp://example.com/');
  await press(page, 'Save');
  await page
    .getByText(/must be an http\(s\) URL/)
    .first()
    .waitFor();
  await page.getByRole('textbox', { name: 'Webhook URL' }).fill(`${TARGET}/hook`);
  await press(page, 'Save');
  await page.getByText('The signing secret of this webhook').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();

  const sending = jest.spyOn(dashboard.service.gateway, 'sendAlert');
  await page.getByRole('button', { name: `Send test to ${HOSTILE}` }).click();
  await page.getByText('Test sent', { exact: true }).waitFor();
  expect(sending).toHaveBeenCalledTimes(1);

  await page.getByRole('button', { name: `Edit ${HOSTILE}` }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Pager');
  await press(page, 'Save');
  const kiosk = { name: 'Kiosk', url: TARGET, interval: 604_800, enabled: false };
  await send('POST', '/v1/monitors', { ...kiosk, alerts: { channels: ['webhook'] } });
  await open('/alerting/channels');
  await page.getByRole('link', { name: 'Kiosk' }).first().waitFor();
  await page.getByRole('button', { name: 'Delete Pager' }).click();
  await press(page, 'Delete');
  await page.getByText('No alert channels yet').waitFor();
});

test('a channel of another type is created in the form that the service describes, with a template', async () => {
  const page = await open('/alerting/channels');
  await page.getByRole('button', { name: 'Add channel' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'ntfy' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Phone');
  await page.getByRole('textbox', { name: 'Server' }).fill(TARGET);
  await page.getByRole('textbox', { name: 'Topic' }).fill('alerts');
  await page.getByRole('textbox', { name: 'Access token' }).fill('ntfy-secret');
  const text = page.getByRole('textbox', { name: 'Custom text' });
  await page.getByRole('textbox', { name: 'Access token' }).waitFor();
  await eventually(() => text.count()).toBe(0);
  await press(page, 'Advanced');
  await text.fill('{{ headline | shout }}');
  await press(page, 'Preview');
  await page.getByText(/undefined filter: shout/).waitFor();
  // Folds the section `Advanced`, which contains an error. When the service refuses the form, the section unfolds
  // again.
  await press(page, 'Advanced');
  await text.waitFor({ state: 'detached' });
  await press(page, 'Save');
  await text.fill('Look: {{ headline }}');
  await press(page, 'Preview');
  await page.getByText(/^Look: Down: Checkout/).waitFor();
  await press(page, 'Save');
  await page.getByRole('button', { name: 'Send test to Phone' }).click();
  await page.getByText('Test sent', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('ntfy-secret');
  await page.getByRole('button', { name: 'Edit Phone' }).click();
  await eventually(() => text.inputValue()).toBe('Look: {{ headline }}');
  await press(page, 'Cancel');
  await page.getByRole('button', { name: 'Delete Phone' }).click();
  await press(page, 'Delete');
  await page.getByText('No alert channels yet').waitFor();
});

test('a secret is added, replaced and deleted, and its value is never on the page', async () => {
  const page = await open('/settings/secrets');
  await page.getByRole('button', { name: 'Add secret' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('no spaces');
  await page.getByRole('textbox', { name: 'Value' }).fill('a-value-that-nobody-sees');
  await press(page, 'Save');
  await page
    .getByText(/must have at most 100 letters, digits/)
    .first()
    .waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('TOKEN');
  await press(page, 'Save');
  await page.getByText('Version 1').waitFor();
  await page.getByRole('button', { name: 'New value of TOKEN' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('another-that-nobody-sees');
  await press(page, 'Save');
  await page.getByText('Version 2').waitFor();
  expect(await page.content()).not.toContain('that-nobody-sees');
  await page.getByRole('button', { name: 'Delete TOKEN' }).click();
  await press(page, 'Delete');
  await page.getByText('No secrets yet').waitFor();
});

/** Expects that the page works on a phone. One select opens all sections, and no action needs horizontal scrolling. */
async function expectInSightOnPhone(page: Page): Promise<void> {
  const wide = page.viewportSize() ?? WIDE;
  await page.setViewportSize(NARROW);
  const sections = page.getByRole('combobox', { name: 'Settings' });
  await sections.selectOption('Secrets');
  await page.getByRole('heading', { level: 1, name: 'Secrets' }).waitFor();
  await sections.selectOption('API keys');
  const revoke = page.getByRole('button', { name: 'Revoke Pipeline' });
  await revoke.waitFor();
  for (const shown of [sections, revoke]) {
    const { x, width } = await boxOf(shown);
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(NARROW.width);
  }
  await page.setViewportSize(wide);
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not shown.');
  return box;
}

test('an API key is shown once, works, and is refused once it is revoked', async () => {
  const page = await open('/settings/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Pipeline');
  await press(page, 'Create API key');
  const sample = await page.getByText(/^curl -H/).innerText();
  const key = /kw_[0-9A-Za-z]{38}/.exec(sample)?.[0] ?? '';
  expect((await call('/v1/monitors', key)).status).toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  await open('/settings/members');
  await open('/settings/api-keys');
  await page.getByRole('button', { name: 'Revoke Pipeline' }).waitFor();
  expect(await page.content()).not.toContain(key);
  await expectInSightOnPhone(page);
  await page.getByRole('button', { name: 'Revoke Pipeline' }).click();
  await press(page, 'Revoke');
  await page.getByText('Revoked', { exact: true }).waitFor();
  expect((await call('/v1/monitors', key)).status).toBe(401);
});

if (isLongForm)
  test('a pipeline can be added once its errors are fixed, and can be deleted', async () => {
    const page = await open('/settings/pipelines');
    await page.getByText('No pipelines yet').waitFor();
    await page.getByRole('button', { name: 'Add pipeline' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('textbox', { name: 'Repository' }).fill('shop');
    await press(page, 'Add pipeline');
    await page
      .getByText(/like acme\/shop$/)
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'Repository' }).fill('acme/shop');
    await page.getByRole('textbox', { name: 'Branch' }).fill('main');
    await press(page, 'Add pipeline');
    const setup = page.getByRole('dialog', { name: 'Set up “Shop”' });
    const id = await setup.getByText(/^pip_[0-9a-z]{26}$/).innerText();
    await setup.getByText(`KEEPWATCH_PIPELINE: ${id}`).waitFor();
    await setup.getByRole('button', { name: 'Copy .github/workflows/verify.yml' }).waitFor();
    await press(page, 'Done');
    await page.getByText('acme/shop, main').waitFor();
    await page.getByRole('button', { name: 'Delete Shop' }).click();
    await press(page, 'Delete');
    await page.getByText('No pipelines yet').waitFor();
  });

test('a region is added with the key and the command of its first probe, and shows its load', async () => {
  const page = await open('/settings/probe-keys');
  await page.waitForURL(/\/regions$/);
  await page.getByRole('button', { name: 'Add region' }).click();
  await page.getByRole('textbox', { name: 'Region' }).fill('EU North');
  await page.getByRole('textbox', { name: 'Name of the probe' }).fill('rack 4');
  await press(page, 'Create key');
  await page
    .getByText(/must be like eu-west/)
    .first()
    .waitFor();
  await page.getByRole('textbox', { name: 'Region' }).fill('eu-north');
  await press(page, 'Create key');
  const shown = await page.getByText(/^kwp_eu-north_/).innerText();
  await page.getByText(`--env KEEPWATCH_PROBE_KEY=${shown}`).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const region = page.getByRole('region', { name: 'eu-north', exact: true });
  await region.getByText('Not connected', { exact: true }).waitFor();
  await region.getByText('Not connected yet').waitFor();
  await region.getByRole('button', { name: 'Start command of rack 4' }).click();
  await page.getByText('--env KEEPWATCH_PROBE_KEY=PROBE_KEY').waitFor();
  expect(await page.content()).not.toContain(shown);
  await press(page, 'Done');
  await region.getByRole('button', { name: 'Rotate key of rack 4' }).click();
  await press(page, 'Rotate key');
  const rotated = await page.getByText(/^kwp_eu-north_/).innerText();
  expect(rotated).not.toBe(shown);
  await page.getByRole('button', { name: 'Done' }).click();
  const revoke = region.getByRole('button', { name: 'Revoke rack 4' });
  await eventually(() => revoke.count()).toBe(2);
  await revoke.last().click();
  await press(page, 'Revoke');
  await eventually(() => revoke.count()).toBe(1);
  expect(await page.content()).not.toContain(shown);
  const facts = page.getByLabel('Checks of eu-west');
  await facts.getByText('Checks per minute').waitFor();
  await facts.getByText('Last check').waitFor();
  await page.getByRole('button', { name: 'Actions: eu-west' }).click();
  await page.getByRole('menuitem', { name: 'Rotate encryption key' }).click();
  await press(page, 'Rotate');
  await page.getByText('Encryption key of eu-west rotated.').waitFor();
});

test('a viewer who accepts an invitation sees no button or section for actions that the service would refuse', async () => {
  const page = await open('/settings/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByRole('textbox', { name: 'Email address' }).fill('viewer@example.com');
  await page.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await press(page, 'Invite');
  const link = await page.getByText(/^https?:\/\/.*token=/).innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  const viewer = await dashboard.visitAsStranger();
  await viewer.page.goto(link);
  await viewer.page.getByLabel(/^Password/).fill(PASSWORD);
  await viewer.page.getByRole('button').click();
  await viewer.page.waitForURL((address) => !address.pathname.startsWith('/invitation'));
  await follow(dashboard, viewer, '/alerting/channels');
  await viewer.page.getByRole('heading', { name: 'Alert channels', level: 1 }).waitFor();
  await viewer.page.getByText('No alert channels yet').waitFor();
  const add = viewer.page.getByRole('button', { name: 'Add channel' });
  await eventually(() => add.count()).toBe(0);
  await follow(dashboard, viewer, '/settings/audit');
  await viewer.page.getByText(/This section does not exist/).waitFor();
  await eventually(() => viewer.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await expectNoFaults(viewer);
  await viewer.close();

  await page.reload();
  await page.getByRole('button', { name: 'Remove viewer@example.com' }).waitFor();
  // Only the viewer has a button for removal, because the only owner cannot be removed.
  await eventually(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(1);
  await page.getByRole('button', { name: 'Remove viewer@example.com' }).click();
  await press(page, 'Remove');
  await page.getByText('Member removed.').waitFor();
});

if (isLongForm)
  test('the audit trail lists actions and keeps its filters in the URL', async () => {
    const page = await open('/settings/audit?action=secret.put');
    await page
      .getByText(/^Created secret/)
      .first()
      .waitFor();
    await eventually(() => page.getByText(/^Created API key/).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'API key: created' }).click();
    await page
      .getByText(/^Created API key/)
      .first()
      .waitFor();
    await page.waitForURL(/action=api_key\.create/);
    await page
      .getByRole('button', { name: /^Details: / })
      .first()
      .click();
    await page.getByRole('cell', { name: 'Pipeline' }).first().waitFor();
    await page.getByRole('button', { name: 'Period: Any time' }).click();
    await page.getByLabel('To', { exact: true }).fill('2026-01-31');
    await page.waitForURL(/to=2026-01-31/);
    await page.getByText('No event matches this filter').waitFor();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.waitForURL(/from=\d{4}-\d\d-\d\d/);
    await page
      .getByText(/^Created API key/)
      .first()
      .waitFor();
  });

if (isLongForm)
  test('on a phone, one button opens the filters of the audit trail, and the changes fit the page', async () => {
    const page = await open('/settings/audit');
    await page.setViewportSize(NARROW);
    await page
      .getByRole('button', { name: /^Details: / })
      .first()
      .click();
    await page.getByRole('columnheader', { name: 'Before' }).waitFor();
    await eventually(() => isTooWide(page)).toBe(false);
    await eventually(() => page.getByRole('combobox', { name: 'Action' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Secret: deleted' }).click();
    await page.waitForURL(/action=secret\.delete/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    await page.setViewportSize(WIDE);
  });

test('a definition file shows its plan before anything changes, and is applied as planned', async () => {
  const page = await open('/settings/transfer');
  const set = { monitors: [{ key: 'front', name: 'Front', url: `${TARGET}/ok` }] };
  await page.setInputFiles('input[type=file]', {
    name: 'keepwatch.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(set)),
  });
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByText('1 to create').waitFor();
  const list = { method: 'GET', path: '/v1/monitors?q=Front' };
  const shape = z.object({ data: z.array(z.looseObject({})) });
  const applied = () => dashboard.api.call(list, { status: 200, shape });
  expect(await applied()).toMatchObject({ data: [] });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('1 created').waitFor();
  expect(await applied()).toMatchObject({ data: [{ name: 'Front' }] });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('keepwatch.json');
});

test('an operator creates an account, changes its plan and suspends it, and its owner sees the reason', async () => {
  const page = await open('/operator/accounts');
  const switchTo = async (account: string, path: string) => {
    await page.locator('[aria-haspopup=menu][aria-label="Your account"]').click();
    const loaded = page.waitForEvent('load');
    await page.getByRole('menuitem', { name: account }).click();
    await loaded;
    await open(path);
  };
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bakery');
  await page.getByRole('textbox', { name: 'Email address of the owner' }).fill(EMAIL);
  await press(page, 'Create');
  await page.goto(await page.getByText(/^https?:\/\/.*token=/).innerText());
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.waitForURL(`${dashboard.url}/`);
  await switchTo('Test account · owner', '/operator/accounts');
  await page.getByRole('button', { name: 'Change plan of Bakery' }).click();
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: 'pro' }).click();
  await press(page, 'Change plan');
  await page.getByText('0 of 100 monitors').waitFor();
  await page.getByRole('button', { name: 'Suspend Bakery' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('The invoice is not paid.');
  await press(page, 'Suspend');
  await switchTo('Bakery · owner · suspended', '/monitors/new');
  await page.getByText('The invoice is not paid.').waitFor();
  await page.getByText('Nothing can be changed while the account is suspended.').waitFor();
  await switchTo('Test account · owner', '/operator/accounts');
  await page.getByRole('button', { name: 'Delete Bakery' }).click();
  await page.getByRole('textbox', { name: 'Name of the account' }).fill('Bakery');
  await press(page, 'Delete');
  await page.getByText('deleting').waitFor();
});

test('the account can be renamed, its password changed, and its other sessions ended', async () => {
  const page = await open('/settings/about');
  await page.getByText('All systems operational').waitFor();
  await open('/settings/account');
  await page.getByRole('textbox', { name: 'Account name' }).fill('Shop & Co');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Account renamed.').waitFor();

  await open('/settings/password');
  await page.getByRole('textbox', { name: 'Current password' }).fill('not-the-right-one');
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('textbox', { name: 'New password again' }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The current password is wrong.').waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText(/Password changed/).waitFor();
  const later = await dashboard.visitAsStranger();
  await later.page.goto(`${dashboard.url}/login`);
  await later.page.getByLabel('Email').fill(EMAIL);
  await later.page.getByLabel(/^Password/).fill(NEW_PASSWORD);
  await later.page.getByRole('button', { name: 'Sign in' }).click();
  await later.page.getByRole('link', { name: 'Settings' }).waitFor();

  await page.reload();
  await page.getByRole('button', { name: /^Sign out Chrome on / }).waitFor();
  await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
  await press(page, 'Sign out all other sessions');
  await page.getByText('All other sessions have ended.').waitFor();
  await eventually(() => page.getByRole('button', { name: /^Sign out / }).count()).toBe(0);
  await later.page.reload();
  await later.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await later.close();
});
