/**
 * Tests the scenario builder and unsaved forms. Renaming a variable renames its references, files and commands become
 * steps, and the page asks before unsaved changes are lost. drag.long.test.ts tests dragging by mouse.
 */

import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { RunRecord } from '../../../src/contracts/records';
import { runRecord } from '../../models/example-records';
import { isLongForm } from '../../support/test-size';
import { follow, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { holdFiles } from '../support/hold-files';

const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);
const open = (path: string) => follow(dashboard, visitor, path);

const QUESTION = { name: 'Leave without saving?' };

async function answer(page: Page, choice: 'Keep editing' | 'Leave'): Promise<void> {
  const dialog = page.getByRole('dialog', QUESTION);
  await dialog.getByRole('button', { name: choice, exact: true }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

/** Leaves a form with unsaved changes and confirms this. */
async function leaveFor(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title }).first().click();
  await answer(page, 'Leave');
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

if (isLongForm)
  test('renaming a variable or an extraction renames its references', async () => {
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
    await page
      .getByRole('button', { name: /^3\. read order .*\/orders\/\{\{orderId\}\}/ })
      .waitFor();
    await leaveFor(page, 'Scenarios');
  });

/** Returns true if the browser asks before it closes the tab. Then stays on the page. */
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

if (isLongForm)
  test('a pasted curl command becomes a step, and lists what was left out', async () => {
    const page = await open('/scenarios/new?start=empty');
    await page.getByRole('button', { name: 'Paste a curl command' }).click();
    const dialog = page.getByRole('dialog', { name: 'Paste a curl command' });
    const command = dialog.getByRole('textbox', { name: 'Command' });
    const add = dialog.getByRole('button', { name: 'Add step' });
    await command.fill('curl -F file=@a.txt https://x.test');
    await dialog.getByText('The file a.txt was left out').waitFor();
    await command.fill('curl -F file https://x.test');
    await dialog.getByText('A part of a form (--form) is name=text or name=@file.').waitFor();
    await eventually(() => add.isDisabled()).toBe(true);
    await command.fill(PASTED);
    await dialog.getByText('{{HOST}}/orders?x=1').waitFor();
    await dialog.getByText('Left out after the command: | jq .id').waitFor();
    await dialog.getByText('define {{HOST}} here').waitFor();
    await add.click();
    await page.getByText('uses {{HOST}}, which is not defined').first().waitFor();

    // Completes a reference inside a body, between braces that are already closed.
    await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByLabel('Name of variable 1').fill('HOST');
    const body = page.getByRole('textbox', { name: 'Body of Step 2' });
    await body.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{"item": "{{}}"}');
    for (const _ of '}}"}') await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('HO');
    await page.getByRole('option', { name: 'HOST' }).click();
    await eventually(() => body.textContent()).toBe('{"item": "{{HOST}}"}');

    await page.getByRole('button', { name: 'Actions: Step 2' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
    const shown = page.getByRole('dialog', { name: 'Step 2 as a curl command' });
    await shown.getByText(`--data-raw '{"item": "{{HOST}}"}'`).waitFor();
    await shown.getByRole('button', { name: 'Close' }).click();
    await leaveFor(page, 'Scenarios');
  });

test('a new scenario starts from a pasted curl command', async () => {
  const page = await open('/scenarios/new');
  await page.getByRole('button', { name: 'Paste a curl command' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('curl http://127.0.0.1:2/from-curl');
  await dialog.getByRole('button', { name: 'Add step' }).click();
  await page.getByRole('region', { name: 'Step 1: Step 1' }).waitFor();
  await eventually(() => page.getByRole('textbox', { name: 'URL' }).inputValue()).toBe(
    'http://127.0.0.1:2/from-curl',
  );
});

test('a new scenario starts from an example with the URL of the service', async () => {
  const page = await open('/scenarios/new');
  await page.getByRole('radio', { name: 'GraphQL query' }).check();
  await page.getByRole('textbox', { name: 'URL of your service' }).fill('http://127.0.0.1:2');
  await page.getByRole('button', { name: 'Use the example' }).click();
  await page.getByRole('region', { name: 'Step 1: list products' }).waitFor();
  await eventually(() => page.getByLabel('Value of variable 1').inputValue()).toBe(
    'http://127.0.0.1:2',
  );
});

if (isLongForm)
  test('the builder imports the file that was chosen last, even if a file chosen earlier is read later', async () => {
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
    await eventually(() => dialog.getByText('http://127.0.0.1:2/first').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Add 1 step' }).click();
    await leaveFor(page, 'Scenarios');
  });

if (isLongForm)
  test('the builder has separate fields for forms, multipart bodies and GraphQL', async () => {
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
    await eventually(() => part.inputValue()).toBe('upload');

    await kinds.getByText('Form', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of form field 1' }).fill('user');
    await page.getByRole('textbox', { name: 'Value of form field 1' }).fill('{{who}}');
    await page.getByText('uses {{who}}, which is not defined').first().waitFor();
    await page.getByRole('textbox', { name: 'Value of form field 1' }).fill('demo');
    const save = page.getByRole('button', { name: /^(Create scenario|Save)$/ });
    await save.click();
    await page.getByRole('heading', { name: 'Bodies', level: 1, exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await firstStep(id)).toMatchObject({ form: { user: 'demo' } });

    await open(`/scenarios/${id}/edit`);
    await page.getByRole('textbox', { name: 'Name of form field 1' }).waitFor();
    await kinds.getByText('Multipart', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of part 1', exact: true }).fill('note');
    await page.getByRole('textbox', { name: 'Value of part 1' }).fill('tea');
    await page.getByRole('textbox', { name: 'File name of part 1' }).fill('tea.txt');
    await save.click();
    await page.getByRole('heading', { name: 'Bodies', level: 1, exact: true }).waitFor();
    expect(await firstStep(id)).toMatchObject({
      form: null,
      multipart: [{ name: 'note', value: 'tea', fileName: 'tea.txt' }],
    });
  });

async function firstStep(id: string): Promise<unknown> {
  const { steps } = await dashboard.api.call(
    { method: 'GET', path: `/v1/scenarios/${id}` },
    { status: 200, shape: z.object({ steps: z.array(z.unknown()) }) },
  );
  return steps[0];
}

/** Returns a run in the middle of a 50-minute wait, and the same run after its cancellation. */
function waitingRun(scenarioId: string): readonly [RunRecord, RunRecord] {
  const { accountId, service } = dashboard;
  const atMs = service.clock.nowMs;
  const runId = service.services.newId('run');
  const steps = ['begin', 'go on', 'tidy up'].map((name, index) => ({
    index,
    name,
    method: 'GET' as const,
    status: 'pending' as const,
    startedAtMs: null,
    finishedAtMs: null,
    waitingUntilMs: null,
    tries: 0,
    outcome: null,
    skippedReason: null,
  }));
  const [first, second, third] = steps;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three');
  const passed = { status: 'passed', startedAtMs: atMs, finishedAtMs: atMs, tries: 1 } as const;
  const base = { accountId, scenarioId, runId, slotMs: atMs, startedAtMs: atMs };
  const waiting = runRecord({
    ...base,
    status: 'waiting',
    sequence: 1,
    steps: [
      { ...first, ...passed },
      { ...second, status: 'waiting', waitingUntilMs: atMs + 3_000_000 },
      third,
    ],
  });
  const skipped = { status: 'skipped', skippedReason: 'the run was cancelled' } as const;
  const cancelled = runRecord({
    ...base,
    status: 'cancelled',
    sequence: 2,
    finishedAtMs: atMs,
    steps: [
      { ...first, ...passed },
      { ...second, ...skipped },
      { ...third, ...passed },
    ],
  });
  return [waiting, cancelled];
}

// This test covers only the page. test/e2e/scenario-runs.it.test.ts tests that the run ends and cleans up.
test('the page of a waiting run shows the wait, can cancel the run, and then shows the clean-up', async () => {
  const steps = ['begin', 'go on', 'tidy up'].map((name) => ({ name, url: 'http://127.0.0.1:2/' }));
  const { id } = await dashboard.api.call(
    { method: 'POST', path: '/v1/scenarios', body: { name: 'Long wait', steps } },
    { status: 201, shape: z.looseObject({ id: z.string() }) },
  );
  const { recorder, gateway } = dashboard.service;
  const [waiting, cancelled] = waitingRun(id);
  await recorder.saveRun(waiting);
  gateway.underWay.add(waiting.runId);
  const page = await open(`/scenarios/${id}?tab=runs`);
  await page.getByRole('link', { name: /^Run .*: Waiting/ }).click();
  await page.getByText(/^Waiting (49|50) min/).waitFor();
  await page.getByText('Counts toward uptime').waitFor();
  await page.getByRole('button', { name: 'Cancel this run' }).click();
  await eventually(async () => gateway.callsOf(id).includes('cancelRun')).toBe(true);
  await recorder.saveRun(cancelled);
  await page.getByRole('status').getByText('Cancelled').waitFor();
  await page.getByRole('button', { name: 'Skipped 2. go on' }).waitFor();
  await page.getByRole('button', { name: 'Passed 3. tidy up' }).waitFor();
  await eventually(() => page.getByRole('button', { name: 'Cancel this run' }).count()).toBe(0);
});

if (isLongForm)
  test('the page of a scenario has tabs with its runs and its whole definition', async () => {
    const step = {
      name: 'Sign in',
      method: 'POST',
      url: 'http://127.0.0.1:2/login',
      body: { user: '{{user}}' },
      assertions: [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }],
      extract: { token: '$.token' },
    };
    const body = { name: 'In tabs', variables: { user: 'me' }, steps: [step], enabled: false };
    const { id } = await dashboard.api.call(
      { method: 'POST', path: '/v1/scenarios', body },
      { status: 201, shape: z.looseObject({ id: z.string() }) },
    );
    const page = await open(`/scenarios/${id}`);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.waitForURL(/tab=runs$/);
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('tab', { name: 'Definition' }).click();
    for (const line of ['steps:', 'user: "{{user}}"', 'path: $.ok', 'token: $.token'])
      await page.locator('pre', { hasText: line }).last().waitFor();
  });

const FORMS = [
  { form: 'monitor', list: '/monitors', button: 'Create monitor' },
  { form: 'scenario', list: '/scenarios', button: 'Create scenario' },
];

/** CI tests only one of the forms, because both use the same guard. */
describe.each(isLongForm ? FORMS : FORMS.slice(1))(
  'the form of a $form',
  ({ form, list, button }) => {
    const path = form === 'monitor' ? '/monitors/new' : '/scenarios/new?start=empty';

    test('each form closes without a question if nothing has changed', async () => {
      const page = await open(path);
      const name = page.getByRole('textbox', { name: 'Name' }).first();
      await name.fill('Something');
      await name.fill('');
      await page.getByRole('link', { name: 'Checks' }).first().click();
      await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
    });

    test('each form asks before a link, going back or closing the tab loses changes', async () => {
      const page = await open(list);
      await page.keyboard.press('n');
      if (form === 'scenario') await page.getByRole('button', { name: 'Start empty' }).click();
      const name = page.getByRole('textbox', { name: 'Name' }).first();
      await name.fill('Half-way');
      await page.getByRole('link', { name: 'Checks' }).first().click();
      await answer(page, 'Keep editing');
      await page.getByRole('button', { name: 'Cancel', exact: true }).last().click();
      await answer(page, 'Keep editing');
      await page.evaluate('history.back()');
      await answer(page, 'Keep editing');
      await page.waitForURL((url) => url.href.endsWith(path));
      expect(await asksBeforeClosing(page)).toBe(true);
      await eventually(() => name.inputValue()).toBe('Half-way');
      await page.getByRole('link', { name: 'Checks' }).first().click();
      await answer(page, 'Leave');
      await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
    });

    if (isLongForm)
      test('a saved form can be left without a question', async () => {
        const page = await open(path);
        await page.getByRole('textbox', { name: 'Name' }).first().fill(`Saved ${form}`);
        await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:2/');
        if (form === 'monitor') await page.keyboard.press('Control+S');
        else await page.getByRole('button', { name: button }).click();
        await page.getByRole('heading', { name: `Saved ${form}`, level: 1 }).waitFor();
        await page.getByRole('link', { name: 'Checks' }).first().click();
        await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
      });
  },
);

const DIALOGS = [
  { path: '/maintenance', opens: 'Schedule maintenance', field: 'Name' },
  { path: '/alerting/channels', opens: 'Add channel', field: 'Name' },
];

test.each(isLongForm ? DIALOGS : DIALOGS.slice(0, 1))(
  'the dialog “$opens” asks before changes are lost, and Escape closes one dialog at a time',
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
    await eventually(() => field.inputValue()).toBe('Half-way');
    await page.getByRole('button', { name: 'Cancel', exact: true }).last().click();
    await answer(page, 'Leave');
    await field.waitFor({ state: 'detached' });
  },
);
