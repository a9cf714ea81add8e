/** Simulates a visitor without a mouse, who reaches elements by Tab and does everything by keyboard. */
import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/wait-until';

const TABS_MAX = 150;
const CHOICES_MAX = 50;
/** A script that returns roughly what a screen reader says about the element with the focus. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return '';
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText;
  return (label ?? element.innerText ?? '').trim();
})()`;

/** Returns the name of the element with the focus. It is empty if no element has the focus. */
export async function focusedName(page: Page): Promise<string> {
  return String(await page.evaluate(FOCUSED));
}

/** Waits until an element with this name has the focus. Fails if the focus is on another element or on none. */
export async function untilFocused(page: Page, name: RegExp): Promise<void> {
  let last = '';
  const isThere = async (): Promise<boolean> => {
    last = await focusedName(page);
    return name.test(last);
  };
  await waitUntil(`the focus is at ${String(name)}`, isThere).catch((cause) => {
    throw new Error(`the focus is at “${last}”, not at ${String(name)}`, { cause });
  });
}

/** Presses Tab until an element with this name has the focus. Fails if Tab does not reach such an element. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (name.test(focused)) return;
    seen.push(focused.slice(0, 30));
  }
  throw new Error(`${String(name)} was not reached: ${seen.join(' | ')}`);
}

export async function press(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Replaces the text in the field. */
export async function fillIn(page: Page, name: RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Chooses an option by typing its first letters into a searchable field. */
export async function search(page: Page, name: RegExp, typed: string): Promise<void> {
  await fillIn(page, name, typed);
  await page
    .getByRole('option', { name: new RegExp(typed, 'i') })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
}

/** Chooses an option by arrow keys, in a field in which nothing can be typed. */
export async function choose(page: Page, name: RegExp, option: string): Promise<void> {
  await press(page, name);
  const wanted = page.getByRole('option', { name: option, exact: true });
  await wanted.waitFor();
  const isReached = async (): Promise<boolean> =>
    (await wanted.and(page.locator('[data-combobox-selected]')).count()) === 1;
  for (let steps = 0; steps < CHOICES_MAX && !(await isReached()); steps += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await wanted.waitFor({ state: 'hidden' });
}
