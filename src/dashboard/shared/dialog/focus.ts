/** Where the focus goes when a dialog closes: back to what opened it, so that Tab goes on from there. */
import { useEffect, useState } from 'react';

/** What has the focus now; of an item of a menu, which is gone soon, the button that opened the menu. */
export function currentOpener(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menu === null || menu === undefined ? active : document.getElementById(menu);
  return opener instanceof HTMLElement ? opener : null;
}

/**
 * What took the place of an element that is gone: the only one of its kind in the content of the page that is called as
 * it was. The button of an empty list is another one once the list has an item.
 */
export function namesakeOf(gone: HTMLElement): HTMLElement | null {
  const name = nameOf(gone);
  if (name === '') return null;
  const [found, ...others] = [
    ...document.querySelectorAll<HTMLElement>(`#content ${gone.localName}`),
  ].filter((other) => nameOf(other) === name && other.checkVisibility());
  return found !== undefined && others.length === 0 ? found : null;
}

/** Empty: a reader has nothing to call it by. */
function nameOf(element: HTMLElement): string {
  return (element.getAttribute('aria-label') ?? element.textContent).trim();
}

/**
 * The opener gets the focus, unless something else has it; when the opener is gone its namesake, or else the content of
 * the page.
 */
export function giveFocusBack(opener: HTMLElement | null): void {
  const active = document.activeElement;
  const isLost = active === null || active === document.body || active.closest('[role=dialog]');
  if (!isLost) return;
  const there = opener === null || opener.isConnected ? opener : namesakeOf(opener);
  const next = there ?? document.querySelector<HTMLElement>('#content');
  next?.focus({ preventScroll: true });
}

/** For a dialog that is there while it is open, and not otherwise: what opened it gets the focus back. */
export function useFocusBack(): void {
  // Before the dialog itself takes the focus.
  const [opener] = useState(currentOpener);
  useEffect(() => () => giveFocusBack(opener), [opener]);
}
