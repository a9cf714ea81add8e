/**
 * Tests errors in forms, in a real browser. An error is shown in words, next to the field, in a summary with links, and
 * next to the pressed button.
 */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { isLongForm } from '../../support/test-size';
import { axeViolations, NARROW, WIDE } from '../support/browser';
import { follow, load, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { holdRequest } from '../support/hold-request';
import { startShop } from '../support/shop-target';

/** Matches error texts of the validator and paths of the API, which people must never see. */
const RAW =
  /expected (string|array|number|object)|Invalid input|Too (small|big)|\b(steps|assertions|alerts|tags)[[.]/;

const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);
const open = (path: string) => follow(dashboard, visitor, path);

const shownText = async (page: Page): Promise<string> => page.locator('body').innerText();

const call = (method: 'POST' | 'PUT', path: string, body: object) =>
  dashboard.api.call(
    { method, path, body },
    { status: method === 'POST' ? 201 : 200, shape: z.looseObject({}) },
  );

const FOCUSED = 'document.activeElement?.getAttribute("data-path")';

async function hasFocus(page: Page, path: string): Promise<void> {
  await eventually(() => page.evaluate(FOCUSED)).toBe(path);
}

test('an untouched form shows no errors as YAML', async () => {
  const page = await open('/monitors/new');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.getByText('Fix 1 field to continue').waitFor();
  await page.getByText('YAML', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Monitor as YAML' }).waitFor();
  await page.getByText('Fix 1 field to continue').waitFor({ state: 'detached' });
});

test('saving an empty monitor lists links to its required fields and focuses the first field', async () => {
  const page = await open('/monitors/new');
  await page.getByRole('button', { name: 'Add assertion' }).click();
  await page.getByRole('button', { name: 'Add assertion' }).click();
  await page.getByRole('textbox', { name: 'JSON path of assertion 2' }).fill('');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  const summary = page.getByRole('alert').filter({ hasText: /^Fix \d fields to continue/ });
  await summary.waitFor();
  // The name is taken from the URL, so only the URL is required.
  await hasFocus(page, 'url');
  await eventually(() => summary.getByRole('button', { name: 'Name' }).count()).toBe(0);
  await summary.getByRole('button', { name: 'Assertion 2 › JSON path' }).click();
  await hasFocus(page, 'assertions[1].path');
  await summary.getByRole('button', { name: 'URL', exact: true }).click();
  await hasFocus(page, 'url');
  expect(await shownText(page)).not.toMatch(RAW);
  expect(await axeViolations(page)).toEqual([]);
});

test('an error in a folded alert field unfolds and focuses the field, also after it was folded again', async () => {
  const page = await open('/monitors/new');
  await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/');
  const runbook = page.getByRole('textbox', { name: 'Runbook' });
  const more = page.locator('summary', { hasText: 'More about alerts' });
  await runbook.waitFor({ state: 'hidden' });
  await more.click();
  await runbook.fill('nowhere');
  expect(await axeViolations(page)).toEqual([]);
  await more.click();
  await runbook.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await hasFocus(page, 'runbookUrl');
  await more.click();
  await runbook.waitFor({ state: 'hidden' });
  await page.getByRole('alert').getByRole('button', { name: 'Runbook' }).click();
  await hasFocus(page, 'runbookUrl');
});

test('an error in an alert field of a scenario opens both folds around the field', async () => {
  const page = await open('/scenarios/new?start=example');
  const alerts = page.getByRole('button', { name: /^Alerts / });
  const more = page.locator('summary', { hasText: 'More about alerts' });
  const runbook = page.getByRole('textbox', { name: 'Runbook' });
  await alerts.click();
  await more.click();
  await runbook.fill('nowhere');
  await more.click();
  await alerts.click();
  await runbook.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create scenario' }).click();
  await hasFocus(page, 'runbookUrl');
});

test('on a phone, a type is chosen in one line, and the test with its result follows the request', async () => {
  const page = await open('/monitors/new?type=ping');
  await page.setViewportSize(NARROW);
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'HTTP request' }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('example');
  const titles = page.locator('form').getByRole('heading', { level: 2 });
  await eventually(() => titles.allTextContents()).toEqual([
    'Request',
    'Test now',
    'Assertions',
    'Alerts',
    'Group and tags',
    'Headers and authentication None',
    'Advanced Timeout, retries, thresholds, TLS, variables',
  ]);
  await page.locator('[data-form-foot]').getByRole('button', { name: 'Test now' }).click();
  const fault = page.getByRole('alert').filter({ hasText: 'Fix 1 field to test' });
  const isInView = async (): Promise<boolean> => {
    const box = await fault.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= NARROW.height;
  };
  await eventually(isInView).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize(WIDE);
});

if (isLongForm)
  test('an error in a JSON schema is reported with its position', async () => {
    const page = await open('/monitors/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('With a schema');
    await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/');
    await page.getByRole('combobox', { name: 'Type of assertion 1' }).click();
    await page.getByRole('option', { name: 'JSON schema' }).click();
    const schema = page.getByRole('textbox', { name: 'JSON schema of assertion 1' });
    await schema.fill('{"properties": {"id": {"type": "text"}}}');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await page.getByText('properties.id.type must be one of string, number').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await schema.fill('{"properties": {"id": {"type": "string"}}}');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await page.getByRole('heading', { name: 'With a schema', level: 1 }).waitFor();
  });

if (isLongForm)
  test('an error in a folded section of a form unfolds the section', async () => {
    const page = await open('/monitors/new');
    await page.getByRole('button', { name: 'Advanced' }).click();
    await page.getByRole('textbox', { name: 'Key', exact: true }).fill('NOT A KEY');
    await page.getByRole('button', { name: 'Advanced' }).click();
    await page.getByRole('textbox', { name: 'Key', exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Folded');
    await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await page.getByRole('textbox', { name: 'Key', exact: true }).waitFor();
  });

if (isLongForm)
  test('the text next to the button “Test now” says what prevents a test', async () => {
    const page = await open('/monitors/new');
    await page.getByRole('textbox', { name: 'URL' }).fill('example');
    await page.getByRole('button', { name: 'Test now' }).click();
    const fault = page.getByRole('alert').filter({ hasText: 'Fix 1 field to test' });
    await fault.getByText('must begin with http:// or https://').waitFor();
    await fault.getByRole('button', { name: 'URL' }).click();
    await hasFocus(page, 'url');
    await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/');
    await fault.waitFor({ state: 'detached' });
  });

test('a refusal at a field disappears when a test shows that it no longer applies', async () => {
  const page = await open('/monitors/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Allowed since');
  const url = page.getByRole('textbox', { name: 'URL' });
  const shop = await startShop();
  const { port } = shop;
  await url.fill(`http://127.0.0.1:${port}/login`);
  // Simulates that the service refuses the URL first. Later, its settings allow the URL.
  const errors = [{ path: 'url', code: 'blocked_target', message: 'is blocked here' }];
  const json = { status: 400, code: 'validation_failed', detail: 'Refused.', errors };
  const refuse = await holdRequest(page, '**/v1/monitors', (route) =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', json }),
  );
  refuse();
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.getByRole('alert').filter({ hasText: 'Check your input' }).waitFor();
  await eventually(() => url.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Test now' }).click();
  await page.getByText('Check your input').waitFor({ state: 'detached' });
  await eventually(async () => (await url.getAttribute('aria-invalid')) === 'true').toBe(false);
  await shop.close();
});

test('a refused private URL tells an owner how to allow the URL, and refers other people to the owner', async () => {
  const owned = await open('/monitors/new');
  await owned.getByRole('textbox', { name: 'Name', exact: true }).fill('Inside');
  await owned.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/');
  await owned.getByRole('button', { name: 'Create monitor' }).click();
  await owned
    .getByText(/Allow it: .*`10.0.0.1\/32`.* KEEPWATCH_ALLOWED_PRIVATE_TARGETS/)
    .first()
    .waitFor();
  const editor = await dashboard.visitAs('editor');
  const page = await load(dashboard, editor, '/monitors/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Inside');
  await page.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page
    .getByText(/blocked on this installation. Ask its operator/)
    .first()
    .waitFor();
  expect(await shownText(page)).not.toMatch(/KEEPWATCH_|\.\./);
  await editor.close();
});

test('“No alerts” on a check links to the settings of its alerts', async () => {
  const id = await dashboard.api.createMonitor({ name: 'Unheard', url: 'https://example.com/' });
  const page = await open('/checks');
  await page.getByRole('link', { name: 'No alerts for Unheard. Set up alerts' }).click();
  await page.getByRole('heading', { name: 'Edit Unheard', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/monitors/${id}/edit`);
  await hasFocus(page, 'alerts.emails');
});

test('a check that gets its policy from a route is not marked “No alerts”', async () => {
  await call('POST', '/v1/alert-channels', {
    name: 'Desk',
    key: 'desk',
    type: 'webhook',
    url: 'https://example.com/desk',
    isDefault: false,
  });
  const steps = [{ afterMinutes: 0, notify: ['desk'] }];
  await call('POST', '/v1/alert-policies', { key: 'desk-duty', name: 'Desk duty', steps });
  const match = { tags: ['routed'] };
  await call('PUT', '/v1/alert-routes', { routes: [{ match, policy: 'desk-duty' }] });
  const id = await dashboard.api.createMonitor({
    name: 'Routed',
    url: 'https://example.com/',
    tags: ['routed'],
  });
  const page = await load(dashboard, visitor, '/checks');
  await page.getByRole('link', { name: 'No alerts for Unheard. Set up alerts' }).waitFor();
  await page.getByRole('link', { name: 'Routed', exact: true }).waitFor();
  await eventually(() => page.getByRole('link', { name: /^No alerts for Routed/ }).count()).toBe(0);
  await open(`/monitors/${id}`);
  await page.getByRole('button', { name: 'Check now' }).waitFor();
  await eventually(() => page.getByText('No alerts', { exact: true }).count()).toBe(0);
});

test('saving an invalid scenario opens the step with the error and links to its field', async () => {
  const page = await open('/scenarios/new?start=example');
  await page.getByRole('button', { name: /^2\. / }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('');
  await page.getByRole('button', { name: /^1\. / }).click();
  await page.getByRole('region', { name: 'Step 1: log in' }).waitFor();
  await page.getByRole('button', { name: 'Create scenario' }).click();
  await page.getByText('Fix 1 field to continue').waitFor();
  await page.getByRole('region', { name: 'Step 2: create order' }).waitFor();
  await page.getByRole('button', { name: /^Step 2 .* › URL$/ }).click();
  await hasFocus(page, 'steps[1].url');
  expect(await shownText(page)).not.toMatch(RAW);
});

if (isLongForm)
  test('a refusal by the service is shown with the name of the refused field', async () => {
    const page = await open('/alerting/channels');
    await page
      .getByRole('button', { name: /channel/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('On call');
    await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com/');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await shownText(page)).not.toMatch(RAW);
  });

if (isLongForm)
  test('a form warns if its check would notify no one', async () => {
    const page = await open('/monitors/new');
    await page.getByText('Nobody will be alerted').waitFor();
    const hook = {
      name: 'Pager',
      type: 'webhook',
      url: 'https://example.com/hook',
      isDefault: true,
    };
    await call('POST', '/v1/alert-channels', hook);
    await page.reload();
    await page.getByText('Will be notified: Pager').waitFor();
  });

test('a form names the policy whose route matches the current fields', async () => {
  const hook = { name: 'Phone', key: 'phone', type: 'webhook', url: 'https://example.com/phone' };
  await call('POST', '/v1/alert-channels', { ...hook, isDefault: true });
  const steps = [{ afterMinutes: 0, notify: ['phone'] }];
  await call('POST', '/v1/alert-policies', { key: 'shop-duty', name: 'Shop duty', steps });
  const match = { groups: ['shop'], type: 'monitor' };
  await call('PUT', '/v1/alert-routes', { routes: [{ match, policy: 'shop-duty' }] });
  const page = await open('/monitors/new');
  // Reloads the page, because otherwise it does not read the channels again within ten seconds.
  await page.reload();
  await page.getByText(/^Will be notified: .*Phone/).waitFor();
  await page.getByRole('textbox', { name: 'Group' }).fill('shop/checkout');
  const routed = 'Failures follow the policy Shop duty, by route 1. Notified first: Phone';
  await page.getByText(routed).waitFor();
  await page.getByRole('textbox', { name: 'Group' }).fill('internal');
  await page.getByText(/^Will be notified: .*Phone/).waitFor();
});

test('forms of an installation without a mail server promise no email', async () => {
  const page = await open('/');
  const banner = page.getByRole('alert').filter({ hasText: 'Email is not set up' });
  const howTo = banner.getByRole('link', { name: 'Set up a mail server' });
  await eventually(async () => String(await howTo.getAttribute('href'))).toMatch(
    /docs\/operations\.md#mail-server$/,
  );
  expect(await banner.innerText()).not.toMatch(/[A-Z]+_[A-Z]+/);
  await page.goto(`${dashboard.url}/password-forgotten`);
  await page.getByText('This installation cannot send email.').waitFor();
});
