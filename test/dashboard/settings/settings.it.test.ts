/**
 * The settings in a real browser against the real service: what an owner sets up without code, what
 * is shown this one time, and what somebody who may only look does not see.
 */
import type { Browser, Page } from 'playwright-core';
import { type HttpSink, startHttpSink } from '../../support/alert-sinks';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import { launchBrowser, openPage, type Watched } from '../support/browser';
import { holdFiles } from '../support/hold-files';

const EMAIL = 'owner@example.com';
const PASSWORD = 'a-long-password-for-tests';
const NEW_PASSWORD = 'another-long-password-for-tests';
const HOSTILE = '<img src=x onerror=alert(1)>';

let service: TestService;
let browser: Browser;
let sink: HttpSink;
let apiKey: string;
let owner: Watched;

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button').click();
  await page.getByRole('link', { name: 'Settings' }).waitFor();
}

/** Presses the button of a question, or of a form in a dialog. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

async function call(path: string, key = apiKey): Promise<Response> {
  return fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
}

beforeAll(async () => {
  [service, browser, sink] = await Promise.all([
    startService({ regions: ['eu-west'] }),
    launchBrowser(),
    startHttpSink(),
  ]);
  ({ apiKey } = await service.setup());
  owner = await openPage(browser);
  await signIn(owner.page, EMAIL, PASSWORD);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await sink?.close();
});
afterEach(() => {
  expect(owner.faults).toEqual([]);
});

/** Two routes, put in the other order, which decide on the policy of a check, and are removed again. */
async function routeByTag(page: Page): Promise<void> {
  const monitor = { name: 'Till', url: sink.url, interval: 604_800, tags: ['pay'], enabled: false };
  await send('POST', '/v1/monitors', monitor);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit routes' }).click();
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
  await page.getByText('On call. Route 1 matches.').waitFor();
  await send('PUT', '/v1/alert-routes', { routes: [] });
}

async function send(method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const sent = { method, headers, body: JSON.stringify(body) };
  const { status } = await fetch(`${service.url}${path}`, sent);
  expect(status).toBeLessThan(300);
}

test('an alert policy is made, simulated, changed and deleted', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/policies`);
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
  await page.getByRole('cell', { name: EMAIL }).waitFor();
  await page.getByRole('button', { name: 'Edit On call' }).click();
  await dialog.getByLabel('Quiet hours').check();
  await press(page, 'Save');
  await page.getByText(/^Quiet 22:00 to 07:00/).waitFor();
  await page.goto(`${service.url}/monitors/new`);
  await page.getByRole('combobox', { name: 'Alert policy' }).waitFor();
  await page.goto(`${service.url}/settings/policies`);
  await routeByTag(page);
  await page.getByRole('button', { name: 'Delete On call' }).click();
  await press(page, 'Delete');
  await page.getByText('No alert policies yet').waitFor();
}, 60_000);

test('a webhook is made, shows its signing secret once, is tested and deleted', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/channels`);
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
  await page.getByRole('textbox', { name: 'Webhook URL' }).fill(`${sink.url}/hook`);
  await press(page, 'Save');
  await page.getByText('The signing secret of this webhook').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: `Send test to ${HOSTILE}` }).click();
  await page.getByText('Test sent', { exact: true }).waitFor();
  expect(sink.events).toHaveLength(1);

  await page.getByRole('button', { name: `Edit ${HOSTILE}` }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Pager');
  await press(page, 'Save');
  await page.getByRole('button', { name: 'Delete Pager' }).click();
  await press(page, 'Delete');
  await page.getByText('No alert channels yet').waitFor();
}, 60_000);

test('a channel of another type is made in the form that the service describes, with a template', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/channels`);
  await page.getByRole('button', { name: 'Add channel' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'ntfy' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Phone');
  await page.getByRole('textbox', { name: 'Server' }).fill(sink.url);
  await page.getByRole('textbox', { name: 'Topic' }).fill('alerts');
  await page.getByRole('textbox', { name: 'Access token' }).fill('ntfy-secret');
  const text = page.getByRole('textbox', { name: 'Custom text' });
  expect(await text.count()).toBe(0);
  await press(page, 'Advanced');
  await text.fill('{{ headline | shout }}');
  await press(page, 'Preview');
  await page.getByText(/undefined filter: shout/).waitFor();
  // Folded with a fault in it, it opens when the service refuses that.
  await press(page, 'Advanced');
  await text.waitFor({ state: 'detached' });
  await press(page, 'Save');
  await text.fill('Look: {{ headline }}');
  await press(page, 'Preview');
  await page.getByText('Look: Check-out is down').waitFor();
  await press(page, 'Save');
  await page.getByRole('button', { name: 'Send test to Phone' }).click();
  await page.getByText('Test sent', { exact: true }).waitFor();
  const { headers, body } = sink.events.at(-1) ?? { headers: {}, body: '' };
  expect(headers['authorization']).toBe('Bearer ntfy-secret');
  expect(JSON.parse(body)).toMatchObject({
    topic: 'alerts',
    message: 'Look: Test of this alert channel',
  });
  expect(await page.content()).not.toContain('ntfy-secret');
  await page.getByRole('button', { name: 'Edit Phone' }).click();
  expect(await text.inputValue()).toBe('Look: {{ headline }}');
  await press(page, 'Cancel');
  await page.getByRole('button', { name: 'Delete Phone' }).click();
  await press(page, 'Delete');
  await page.getByText('No alert channels yet').waitFor();
}, 60_000);

test('a secret is put, replaced and deleted, and its value is nowhere on the page', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/secrets`);
  await page.getByRole('button', { name: 'Add secret' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('no spaces');
  await page.getByRole('textbox', { name: 'Value' }).fill('a-value-that-nobody-sees');
  await press(page, 'Save');
  await page
    .getByText(/must be letters, digits/)
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
}, 60_000);

test('an API key is shown once, works, and is refused once it is revoked', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/api-keys`);
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Pipeline');
  await press(page, 'Create API key');
  const sample = await page.getByText(/^curl -H/).innerText();
  const key = /kw_[0-9A-Za-z]{38}/.exec(sample)?.[0] ?? '';
  expect((await call('/v1/monitors', key)).status).toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Revoke Pipeline' }).waitFor();
  expect(await page.content()).not.toContain(key);
  await page.getByRole('button', { name: 'Revoke Pipeline' }).click();
  await press(page, 'Revoke');
  await page.getByText('Revoked', { exact: true }).waitFor();
  expect((await call('/v1/monitors', key)).status).toBe(401);
}, 60_000);

test('the key of a probe is shown once under its region, is rotated, and is revoked after a question', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/probe-keys`);
  await page.getByText('No probe keys yet').waitFor();
  await page.getByRole('button', { name: 'Create probe key' }).click();
  await page.getByRole('combobox', { name: 'Region' }).fill('EU North');
  await page.getByRole('textbox', { name: 'Name' }).fill('rack 4');
  await press(page, 'Create probe key');
  await page
    .getByText(/must be like eu-west/)
    .first()
    .waitFor();
  await page.getByRole('combobox', { name: 'Region' }).fill('eu-west');
  await press(page, 'Create probe key');
  const shown = await page.getByText(/^kwp_eu-west_/).innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  const region = page.getByRole('region', { name: 'eu-west', exact: true });
  await region.getByRole('button', { name: 'Rotate rack 4' }).click();
  await press(page, 'Rotate');
  const rotated = await page.getByText(/^kwp_eu-west_/).innerText();
  expect(rotated).not.toBe(shown);
  await page.getByRole('button', { name: 'Done' }).click();
  await region.getByRole('button', { name: 'Revoke rack 4' }).last().click();
  await press(page, 'Revoke');
  await region.getByText('Revoked', { exact: true }).waitFor();
  expect(await region.getByRole('button', { name: 'Revoke rack 4' }).count()).toBe(1);
  expect(await page.content()).not.toContain(shown);
  await region.getByRole('button', { name: 'Rotate encryption key of eu-west' }).click();
  await press(page, 'Rotate');
  await page.getByText('Encryption key rotated.').waitFor();
}, 60_000);

test('somebody invited to look sees no button and no section that would be refused', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/members`);
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByRole('textbox', { name: 'Email address' }).fill('viewer@example.com');
  await page.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await press(page, 'Invite');
  const link = await page.getByText(/^https?:\/\/.*token=/).innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  const viewer = await openPage(browser);
  await viewer.page.goto(link.replace(/^https?:\/\/[^/]+/, service.url));
  await viewer.page.getByLabel(/^Password/).fill(PASSWORD);
  await viewer.page.getByRole('button').click();
  await viewer.page.waitForURL((address) => !address.pathname.startsWith('/invitation'));
  await viewer.page.goto(`${service.url}/settings/channels`);
  await viewer.page.getByRole('heading', { name: 'Alert channels', level: 1 }).waitFor();
  await viewer.page.getByText('No alert channels yet').waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Add channel' }).count()).toBe(0);
  expect(await viewer.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await viewer.page.goto(`${service.url}/settings/audit`);
  await viewer.page.getByText(/This section does not exist/).waitFor();
  await viewer.context.close();

  await page.reload();
  await page.getByRole('button', { name: 'Remove viewer@example.com' }).waitFor();
  // The only owner could not be removed.
  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(1);
  await page.getByRole('button', { name: 'Remove viewer@example.com' }).click();
  await press(page, 'Remove');
  await page.getByText('Member removed.').waitFor();
}, 60_000);

test('the trail tells what was done, narrows by the address, and leads back', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/audit?action=secret.put`);
  await page.getByText('secret.put').first().waitFor();
  await waitUntil(
    'only that action',
    async () => (await page.getByText('api_key.create').count()) === 0,
  );
  await page.getByRole('textbox', { name: 'Action' }).fill('api_key.create');
  await page.getByText('api_key.create').first().waitFor();
  await page.waitForURL(/action=api_key\.create/);
  await page
    .getByText(/^\d+ fields$/)
    .first()
    .click();
  await page.getByRole('cell', { name: 'Pipeline' }).first().waitFor();
}, 60_000);

test('a file shows its plan before anything changes, and is applied as planned', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/transfer`);
  const set = { monitors: [{ key: 'front', name: 'Front', url: `${sink.url}/ok` }] };
  await page.setInputFiles('input[type=file]', {
    name: 'keepwatch.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(set)),
  });
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByText('1 to create').waitFor();
  const applied = async () => (await call('/v1/monitors?q=Front')).json();
  expect(await applied()).toMatchObject({ data: [] });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('1 created').waitFor();
  expect(await applied()).toMatchObject({ data: [{ name: 'Front' }] });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('keepwatch.json');
}, 60_000);

test('no plan is made of a choice that was changed while its file was read', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/transfer`);
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/apply')) asked.push(request.postDataJSON());
  });
  const release = await holdFiles(page);
  const set = { monitors: [{ key: 'till', name: 'Till', url: `${sink.url}/ok` }] };
  const buffer = Buffer.from(JSON.stringify(set));
  const file = { name: 'keepwatch.json', mimeType: 'application/json', buffer };
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByRole('checkbox', { name: /^Remove what was imported/ }).check();
  await page.getByRole('textbox', { name: 'Name of the set' }).fill('shop');
  await release();
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await release();
  await page.getByRole('heading', { name: 'Plan' }).waitFor();
  expect(asked).toEqual([{ ...set, set: 'shop', prune: true, dryRun: true }]);
}, 60_000);

test('a file that cannot be read is told of', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/transfer`);
  await page.evaluate('Blob.prototype.text = () => Promise.reject(new Error("gone"))');
  const file = { name: 'keepwatch.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByText('The file cannot be read. Choose it again.').waitFor();
}, 60_000);

test('the account is renamed, and the password changed with the right one only', async () => {
  const { page } = owner;
  await page.goto(`${service.url}/settings/about`);
  await page.getByText('All systems operational').waitFor();
  await page.getByRole('textbox', { name: 'Account name' }).fill('Shop & Co');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Account renamed.').waitFor();

  await page.goto(`${service.url}/settings/password`);
  await page.getByRole('textbox', { name: 'Current password' }).fill('not-the-right-one');
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('textbox', { name: 'New password again' }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The current password is not right.').waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText(/Password changed/).waitFor();
  await signIn(page, EMAIL, NEW_PASSWORD);
}, 60_000);
