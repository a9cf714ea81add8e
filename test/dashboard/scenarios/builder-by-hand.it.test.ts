/**
 * The builder under a hand with a mouse, and forms that somebody leaves half-way: steps are dragged,
 * names are typed anew, and what is not saved is asked about before it is lost.
 */
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { waitUntil } from '../../support/wait-until';
import type { Watched } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';
import { holdFiles } from '../support/hold-files';

/** For what starts a workflow, on a machine that has more to do. */
const SAVED_WITHIN_MS = 40_000;
const RUN_WITHIN_MS = 40_000;

let dashboard: Dashboard;
let visitor: Watched;
let target: RecordingTarget;

beforeAll(async () => {
  target = await startRecordingTarget((_, response) => response.end('ok'));
  dashboard = await openDashboard();
  visitor = await dashboard.visit();
});
afterAll(async () => {
  await dashboard?.close();
  await target?.close();
});
afterEach(() => expect(visitor.faults).toEqual([]));

async function open(path: string): Promise<Page> {
  await visitor.page.goto(`${dashboard.service.url}${path}`);
  await settled(visitor);
  return visitor.page;
}

/** By the numbers and names on their buttons. */
async function stepTitles(page: Page): Promise<string[]> {
  const texts = await page.locator('ol > li h3 button').allTextContents();
  return texts.map((text) => /^\d+\. \w+ \w+(?= )/.exec(text)?.[0] ?? text);
}

/** Holds the step over the place of another one; `mouse.up` puts it down. */
async function holdOver(page: Page, name: string, other: string): Promise<void> {
  await page.getByRole('list').last().scrollIntoViewIfNeeded();
  const from = await page.getByRole('button', { name: `Drag ${name}` }).boundingBox();
  const to = await page.getByRole('button', { name: `Drag ${other}` }).boundingBox();
  if (from === null || to === null) throw new Error('the handles are not to be seen');
  const x = from.x + from.width / 2;
  await page.mouse.move(x, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(x, to.y + to.height / 2, { steps: 12 });
}

/** A click that comes within milliseconds of a drag is taken for a part of it, and is made again. */
async function answerTo(dialog: Locator, name: string): Promise<void> {
  const button = dialog.getByRole('button', { name, exact: true }).last();
  await button.waitFor();
  await waitUntil('the question to be answered', async () => {
    if ((await dialog.count()) === 0) return true;
    await button.click({ timeout: 1_000 }).catch(() => undefined);
    return false;
  });
}

const QUESTION = { name: 'Leave without saving?' };

async function answer(page: Page, choice: 'Keep editing' | 'Leave'): Promise<void> {
  const dialog = page.getByRole('dialog', QUESTION);
  await dialog.getByRole('button', { name: choice, exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

/** From a form with changes. */
async function leaveFor(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title }).first().click();
  await answer(page, 'Leave');
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

const EXAMPLE = ['1. log in', '2. create order', '3. read order', '4. delete order'];

test('a card is dragged by mouse; what that breaks is named while it is held, and asked about', async () => {
  const page = await open('/scenarios/new?start=example');
  await page.getByRole('button', { name: 'Drag log in' }).waitFor();
  expect(await stepTitles(page)).toEqual(EXAMPLE);

  await holdOver(page, 'delete order', 'read order');
  await page.getByText('delete order is at position 3 of 4.').waitFor({ state: 'attached' });
  expect(await page.getByText('This breaks references').count()).toBe(0);
  await page.mouse.up();
  await page.getByRole('button', { name: '3. delete order' }).waitFor();
  expect(await stepTitles(page)).toEqual([
    '1. log in',
    '2. create order',
    '3. delete order',
    '4. read order',
  ]);

  await holdOver(page, 'create order', 'delete order');
  const warning = page.getByRole('alert').filter({ hasText: 'This breaks references' });
  await warning.getByText('“delete order” needs {{orderId}}').waitFor();
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'This breaks references' });
  await dialog.getByText('“delete order” needs {{orderId}}').waitFor();
  await answerTo(dialog, 'Cancel');
  expect((await stepTitles(page))[1]).toBe('2. create order');

  await holdOver(page, 'create order', 'delete order');
  await warning.waitFor();
  await page.mouse.up();
  await answerTo(dialog, 'Move anyway');
  await page.getByText('uses {{orderId}}, which is not defined').waitFor();
  expect((await stepTitles(page))[2]).toBe('3. create order');
  await leaveFor(page, 'Scenarios');
}, 120_000);

test('a variable and an extraction that are named anew take their references along', async () => {
  const page = await open('/scenarios/new?start=example');
  const variable = page.getByLabel('Name of variable 1');
  await variable.fill('shop');
  await page.getByRole('button', { name: /^1\. log in .*POST \{\{shop\}\}\/login/ }).click();
  await page.getByText('{{baseUrl}} is now {{shop}} in 4 places.').waitFor();
  await page.getByRole('button', { name: /^2\. create order .*\{\{shop\}\}\/orders/ }).click();

  const extraction = page.getByRole('textbox', { name: 'Variable of extraction 1' });
  await extraction.last().clear();
  await page.getByText('uses {{orderId}}, which is not defined').first().waitFor();
  await extraction.last().pressSequentially('purchase');
  await page.getByText('which is not defined').first().waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^3\. read order .*\/orders\/\{\{purchase\}\}/ })
    .waitFor();
  await extraction.last().fill('orderId');
  await page.getByRole('button', { name: /^3\. read order .*\/orders\/\{\{orderId\}\}/ }).waitFor();
  await leaveFor(page, 'Scenarios');
}, 120_000);

/** Whether the browser asked before it closed the tab; the answer is to stay. */
async function asksBeforeClosing(page: Page): Promise<boolean> {
  const asked = page.waitForEvent('dialog');
  void page.close({ runBeforeUnload: true });
  const dialog = await asked;
  const isAboutLeaving = dialog.type() === 'beforeunload';
  await dialog.dismiss();
  return isAboutLeaving;
}

const PASTED = `curl "$HOST/orders?x=1" \\
  -H 'content-type: application/json' \\
  --data-raw '{"item": "tea"}' | jq .id`;

test('a pasted curl command becomes a step, with what it cannot carry named', async () => {
  const page = await open('/scenarios/new?start=empty');
  await page.getByRole('button', { name: 'Paste a curl command' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste a curl command' });
  const command = dialog.getByRole('textbox', { name: 'Command' });
  const add = dialog.getByRole('button', { name: 'Add step' });
  await command.fill('curl -F file=@a.txt https://x.test');
  await dialog.getByText('The file a.txt was left out').waitFor();
  await command.fill('curl -F file https://x.test');
  await dialog.getByText('A part of a form (--form) is name=text or name=@file.').waitFor();
  expect(await add.isDisabled()).toBe(true);
  await command.fill(PASTED);
  await dialog.getByText('{{HOST}}/orders?x=1').waitFor();
  await dialog.getByText('Left out after the command: | jq .id').waitFor();
  await dialog.getByText('define {{HOST}} here').waitFor();
  await add.click();
  await page.getByText('uses {{HOST}}, which is not defined').first().waitFor();

  // In the body, between braces that are closed already.
  await page.getByRole('button', { name: 'Add variable' }).click();
  await page.getByLabel('Name of variable 1').fill('HOST');
  const body = page.getByRole('textbox', { name: 'Body of Step 2' });
  await body.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{"item": "{{}}"}');
  for (const _ of '}}"}') await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('HO');
  await page.getByRole('option', { name: 'HOST' }).click();
  expect(await body.textContent()).toBe('{"item": "{{HOST}}"}');

  await page.getByRole('button', { name: 'Actions: Step 2' }).click();
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
  const shown = page.getByRole('dialog', { name: 'Step 2 as a curl command' });
  await shown.getByText(`--data-raw '{"item": "{{HOST}}"}'`).waitFor();
  await shown.getByRole('button', { name: 'Close' }).click();
  await leaveFor(page, 'Monitors');
}, 120_000);

test('of two files that are chosen one after the other the second is imported, whichever is read first', async () => {
  const page = await open('/scenarios/new?start=empty');
  await page.getByRole('button', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  const release = await holdFiles(page);
  for (const path of ['first', 'second']) {
    const request = { method: 'GET', url: `http://127.0.0.1:2/${path}` };
    const collection = { info: { name: path }, item: [{ name: path, request }] };
    const buffer = Buffer.from(JSON.stringify(collection));
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: /^File/ }).click();
    await (await chooser).setFiles([
      { name: `${path}.json`, mimeType: 'application/json', buffer },
    ]);
  }
  await release();
  await dialog.getByText('http://127.0.0.1:2/second').waitFor();
  expect(await dialog.getByText('http://127.0.0.1:2/first').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Add 1 step' }).click();
  await leaveFor(page, 'Monitors');
}, 60_000);

test('forms, parts and GraphQL are typed in fields of their own, and saved as the API has them', async () => {
  const page = await open('/scenarios/new?start=empty');
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Bodies');
  await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:2/');
  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'POST' }).click();
  const kinds = page.getByRole('radiogroup', { name: 'Type of Body of Step 1' });

  await kinds.getByText('GraphQL', { exact: true }).click();
  await page.getByRole('textbox', { name: 'GraphQL query' }).click();
  await page.keyboard.type('query Me ');
  await page.getByRole('textbox', { name: 'GraphQL variables' }).click();
  await page.keyboard.type('"');
  await page
    .getByText(/must be valid JSON/)
    .first()
    .waitFor();

  await kinds.getByText('Multipart', { exact: true }).click();
  const part = page.getByRole('textbox', { name: 'Name of part 1', exact: true });
  const release = await holdFiles(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file for part 1' }).click();
  const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
  await (await chooser).setFiles([file]);
  await part.fill('upload');
  await release();
  await page.getByRole('textbox', { name: 'Base64 of part 1' }).waitFor();
  expect(await part.inputValue()).toBe('upload');

  await kinds.getByText('Form', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name of form field 1' }).fill('user');
  await page.getByRole('textbox', { name: 'Value of form field 1' }).fill('{{who}}');
  await page.getByText('uses {{who}}, which is not defined').first().waitFor();
  await page.getByRole('textbox', { name: 'Value of form field 1' }).fill('demo');
  const save = page.getByRole('button', { name: /^(Create scenario|Save)$/ });
  await save.click();
  await page
    .getByRole('heading', { name: 'Bodies', level: 1, exact: true })
    .waitFor({ timeout: SAVED_WITHIN_MS });
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(await firstStep(id)).toMatchObject({ form: { user: 'demo' } });

  await open(`/scenarios/${id}/edit`);
  await page.getByRole('textbox', { name: 'Name of form field 1' }).waitFor();
  await kinds.getByText('Multipart', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name of part 1', exact: true }).fill('note');
  await page.getByRole('textbox', { name: 'Value of part 1' }).fill('tea');
  await page.getByRole('textbox', { name: 'File name of part 1' }).fill('tea.txt');
  await save.click();
  await page
    .getByRole('heading', { name: 'Bodies', level: 1, exact: true })
    .waitFor({ timeout: SAVED_WITHIN_MS });
  expect(await firstStep(id)).toMatchObject({
    form: null,
    multipart: [{ name: 'note', value: 'tea', fileName: 'tea.txt' }],
  });
}, 120_000);

async function firstStep(id: string): Promise<unknown> {
  const { steps } = await dashboard.api.call(
    { method: 'GET', path: `/v1/scenarios/${id}` },
    { status: 200, shape: z.object({ steps: z.array(z.unknown()) }) },
  );
  return steps[0];
}

test('a run that waits says for how long, is cancelled on its page, and still cleans up', async () => {
  const { id } = await dashboard.api.call(
    {
      method: 'POST',
      path: '/v1/scenarios',
      body: {
        name: 'Long wait',
        interval: 3_600,
        steps: [
          { name: 'begin', url: `${target.origin}/` },
          { name: 'go on', url: `${target.origin}/`, waitSeconds: 3_000 },
          { name: 'tidy up', url: `${target.origin}/`, always: true },
        ],
      },
    },
    { status: 201, shape: z.object({ id: z.string() }) },
  );
  const page = await open(`/scenarios/${id}`);
  await page.getByRole('link', { name: /^Run .*: Waiting/ }).click({ timeout: RUN_WITHIN_MS });
  await page.getByText(/^Waiting (49|50) min/).waitFor();
  await page.getByRole('button', { name: 'Cancel this run' }).click();
  await page.getByRole('status').getByText('Cancelled').waitFor({ timeout: RUN_WITHIN_MS });
  await page.getByRole('button', { name: 'Skipped 2. go on' }).waitFor();
  await page.getByRole('button', { name: 'Passed 3. tidy up' }).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel this run' }).count()).toBe(0);
}, 120_000);

describe.each([
  { form: 'monitor', list: '/monitors', button: 'Create monitor', other: 'Scenarios' },
  { form: 'scenario', list: '/scenarios', button: 'Create scenario', other: 'Monitors' },
])('the form of a $form', ({ form, list, button, other }) => {
  const path = form === 'monitor' ? '/monitors/new' : '/scenarios/new?start=empty';

  test('is left without a question while it is as it was opened', async () => {
    const page = await open(path);
    const name = page.getByRole('textbox', { name: 'Name' }).first();
    await name.fill('Something');
    await name.fill('');
    await page.getByRole('link', { name: other }).first().click();
    await page.getByRole('heading', { name: other, level: 1 }).waitFor();
  }, 60_000);

  test('asks before changes are lost by a link, by going back or by closing the tab', async () => {
    const page = await open(list);
    await page.keyboard.press('n');
    if (form === 'scenario') await page.getByRole('button', { name: 'Start empty' }).click();
    const name = page.getByRole('textbox', { name: 'Name' }).first();
    await name.fill('Half-way');
    await page.getByRole('link', { name: other }).first().click();
    await answer(page, 'Keep editing');
    await page.getByRole('button', { name: 'Cancel', exact: true }).last().click();
    await answer(page, 'Keep editing');
    await page.evaluate('history.back()');
    await answer(page, 'Keep editing');
    await page.waitForURL((url) => url.href.endsWith(path));
    expect(await asksBeforeClosing(page)).toBe(true);
    expect(await name.inputValue()).toBe('Half-way');
    await page.getByRole('link', { name: other }).first().click();
    await answer(page, 'Leave');
    await page.getByRole('heading', { name: other, level: 1 }).waitFor();
  }, 60_000);

  test('does not ask when it was saved', async () => {
    const page = await open(path);
    await page.getByRole('textbox', { name: 'Name' }).first().fill(`Saved ${form}`);
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:2/');
    if (form === 'monitor') await page.keyboard.press('Control+S');
    else await page.getByRole('button', { name: button }).click();
    await page
      .getByRole('heading', { name: `Saved ${form}`, level: 1 })
      .waitFor({ timeout: SAVED_WITHIN_MS });
    await page.getByRole('link', { name: other }).first().click();
    await page.getByRole('heading', { name: other, level: 1 }).waitFor();
  }, 60_000);
});

test.each([
  { path: '/maintenance', opens: 'Schedule maintenance', field: 'Name' },
  { path: '/settings/channels', opens: 'Add channel', field: 'Name' },
])(
  'the dialog “$opens” asks before changes are lost, and Escape answers one question at a time',
  async (given) => {
    const page = await open(given.path);
    const opener = page.getByRole('button', { name: given.opens }).first();
    await opener.click();
    const field = page.getByRole('dialog').getByRole('textbox', { name: given.field }).first();
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });

    await opener.click();
    await field.fill('Half-way');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', QUESTION);
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Half-way');
    await page.getByRole('button', { name: 'Cancel', exact: true }).last().click();
    await answer(page, 'Leave');
    await field.waitFor({ state: 'detached' });
  },
  60_000,
);
