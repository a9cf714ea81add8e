/**
 * Tests every dialog by keyboard: it opens by Enter, takes the focus, keeps it on Tab, is accessible, fits the screen,
 * and returns the focus to its opener when Escape closes it. CI opens one of five dialogs, in alternating themes. The
 * long form opens each dialog in both themes.
 */
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { isLongForm } from '../../support/test-size';
import { waitUntil } from '../../support/wait-until';
import { axeViolations, isTooWide, NARROW } from '../support/browser';
import { follow, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { suiteExampleAccount } from '../support/example-account';

const LOOKS = [
  ['dark', { width: 1360, height: 900 }, 0],
  ['light', NARROW, 1],
] as const;
/** Number of presses of Tab. Most dialogs have fewer elements, so the focus wraps around. */
const TABS = 25;
const ANY = z.looseObject({});
const LONG_WORD = 'A'.repeat(60);

const { dashboard, idOf } = suiteExampleAccount();

beforeAll(async () => {
  const { api } = dashboard;
  const steps = [{ afterMinutes: 0, notify: ['mail'] }];
  const policy = { key: 'on-call', name: 'On call', steps };
  await api.call(
    { method: 'POST', path: '/v1/alert-policies', body: policy },
    { status: 201, shape: ANY },
  );
  for (const name of ['TOKEN', LONG_WORD])
    await api.call(
      { method: 'PUT', path: `/v1/secrets/${name}`, body: { value: 'abcdef' } },
      { status: 201, shape: ANY },
    );
  await api.call(
    { method: 'POST', path: '/v1/probe-keys', body: { region: 'eu-west', name: 'rack 4' } },
    { status: 201, shape: ANY },
  );
});

/**
 * For each dialog: the URL, the controls that are pressed on that page in order, and the name of the dialog that then
 * opens.
 */
const DIALOGS: readonly (readonly [string, readonly string[], string])[] = [
  ['/alerting/channels', ['Add channel'], 'Add channel'],
  ['/alerting/channels', ['Edit Mail'], 'Edit channel'],
  ['/alerting/channels', ['Delete Mail'], 'Delete “Mail”?'],
  ['/alerting/policies', ['Add policy'], 'Add policy'],
  ['/alerting/policies', ['Edit On call'], 'Edit policy'],
  ['/alerting/policies', ['Delete On call'], 'Delete “On call”?'],
  ['/alerting/policies', ['Edit routes'], 'Edit routes'],
  ['/alerting/hours', ['Add hours'], 'Add hours'],
  ['/alerting/hours', ['Edit Opening hours'], 'Edit hours'],
  ['/alerting/hours', ['Delete Opening hours'], 'Delete “Opening hours”?'],
  ['/settings/secrets', ['Add secret'], 'Add secret'],
  ['/settings/secrets', ['New value of TOKEN'], 'New value of TOKEN'],
  ['/settings/secrets', ['Delete TOKEN'], 'Delete “TOKEN”?'],
  ['/settings/secrets', [`Delete ${LONG_WORD}`], `Delete “${LONG_WORD}”?`],
  ['/settings/api-keys', ['Create API key'], 'Create API key'],
  ['/settings/api-keys', ['Revoke CI'], 'Revoke “CI”?'],
  ['/regions', ['Add region'], 'Add region'],
  ['/regions', ['Rotate key of rack 4'], 'Rotate the key of “rack 4”?'],
  ['/regions', ['Revoke rack 4'], 'Revoke the key of “rack 4”?'],
  ['/settings/members', ['Invite member'], 'Invite member'],
  ['/maintenance', ['Schedule maintenance'], 'Schedule maintenance'],
  ['/maintenance', ['Start now'], 'Maintenance now'],
  ['/maintenance', ['Edit Deployment'], 'Edit window'],
  ['/maintenance', ['Delete Deployment'], 'Delete “Deployment”?'],
  ['/incidents/{incident}', ['Snooze…'], 'Snooze'],
  ['/scenarios/{scenario}', ['Actions', 'Run with values …'], 'Run Buy a cup'],
  ['/scenarios/{scenario}', ['Actions', 'Delete'], 'Delete “Buy a cup”?'],
  ['/monitors/{monitor}', ['Actions', 'Delete'], 'Delete “Shop”?'],
  ['/scenarios/{scenario}/edit', ['Paste a curl command'], 'Paste a curl command'],
  ['/scenarios/{scenario}/edit', ['Import a file'], 'Import a file'],
  ['/scenarios/{scenario}/edit', ['Actions: Buy', 'Copy as curl'], 'Buy as a curl command'],
  ['/monitors', ['Views', 'Save as view …'], 'Save view'],
  ['/monitors', ['Select Shop', 'Tags'], 'Tags'],
  ['/monitors', ['Select Shop', 'Group'], 'Group'],
  ['/monitors', ['Select Shop', 'Edit fields'], 'Edit 1 check'],
  ['/monitors', ['Select Shop', 'Delete'], 'Delete 1 check?'],
  ['/monitors', ['Actions: Shop', 'Delete'], 'Delete “Shop”?'],
  ['/settings/pipelines', ['Add pipeline'], 'Add pipeline'],
];

/** CI tests one of five dialogs. */
const TAKEN = DIALOGS.filter((_dialog, index) => isLongForm || index % 5 === 0);

const PRESSABLE = ['button', 'menuitem', 'checkbox'] as const;

async function find(page: Page, name: string): Promise<Locator> {
  const [first, ...others] = PRESSABLE.map((role) =>
    page.getByRole(role, { name, exact: true }).filter({ visible: true }),
  );
  const found = others.reduce((all, one) => all.or(one), first ?? page.locator('nothing')).first();
  await found.waitFor();
  return found;
}

/**
 * Presses each control by its usual key. Returns the element that gets the focus back when the dialog closes. It is the
 * last control, or the button of the menu if the last control is an item of a menu.
 */
async function press(page: Page, names: readonly string[]): Promise<Locator> {
  let opener = page.locator('body');
  for (const name of names) {
    const one = await find(page, name);
    const isBox = (await one.getAttribute('type')) === 'checkbox';
    if ((await one.getAttribute('role')) !== 'menuitem') opener = one;
    await one.focus();
    await page.keyboard.press(isBox ? 'Space' : 'Enter');
  }
  return opener;
}

/**
 * Returns true if the focus is in a dialog. Reads the focused element instead of events, because Chromium moves the
 * focus between parts of a date field that are not elements of the page.
 */
const holdsFocus = (page: Page): Promise<boolean> =>
  page.evaluate("document.activeElement?.closest('[role=dialog]') != null");

/** A script that collects in `window.leftFor` the elements outside of dialogs that get the focus. */
const WATCH_FOCUS = `(() => {
  window.leftFor = [];
  document.addEventListener('focusin', ({ target }) => {
    if (target.closest('[role=dialog]') === null) window.leftFor.push(target.outerHTML.slice(0, 160));
  });
})()`;

const hasFocusIn = async (page: Page, opener: Locator): Promise<boolean> =>
  (await opener.and(page.locator(':focus')).count()) === 1;

async function rightEdge(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.x + box.width;
}

describe.each(LOOKS)('dialogs in the %s theme at %j', (colorScheme, viewport, turn) => {
  const visitor = visitorOfSuite(dashboard, { colorScheme, viewport });
  const dialogs = TAKEN.filter((_dialog, index) => isLongForm || index % LOOKS.length === turn);

  test.each(dialogs)(
    'on %s, pressing %j by keyboard opens the dialog %s, which keeps the focus until Escape',
    async (path, names, title) => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => idOf(name));
      const page = await follow(dashboard, visitor, address);
      const opener = await press(page, names);
      const dialog = page.getByRole('dialog', { name: title, exact: true });
      await dialog.waitFor();
      await waitUntil('the focus is in the dialog', () => holdsFocus(page));
      expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
      await eventually(() => isTooWide(page)).toBe(false);
      expect(await rightEdge(dialog.locator('header button'))).toBeLessThan(viewport.width);
      await page.evaluate(WATCH_FOCUS);
      for (let tabs = 0; tabs < TABS; tabs += 1) await page.keyboard.press('Tab');
      expect(await page.evaluate('window.leftFor')).toEqual([]);
      expect(await holdsFocus(page)).toBe(true);
      // If a popup in the dialog is open, the first Escape closes only the popup.
      if ((await dialog.locator('[aria-expanded=true]').count()) > 0) {
        await page.keyboard.press('Escape');
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await waitUntil('the focus is back', () => hasFocusIn(page, opener));
    },
  );

  if (turn > 0 && !isLongForm) return;

  test('saving a form leaves the focus on the page', async () => {
    const page = await follow(dashboard, visitor, '/settings/api-keys');
    const opener = await press(page, ['Create API key']);
    await page.getByRole('textbox', { name: 'Name' }).fill(`by keyboard, ${colorScheme}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitUntil('the focus is back', () => hasFocusIn(page, opener));
  });
});
