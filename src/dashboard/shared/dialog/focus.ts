/** Returns the focus to the opener of a dialog, so that Tab continues from there. */
import { useEffect, useState } from 'react';

/**
 * Returns the element with the focus. A menu item soon disappears, so for a menu item, returns the button of the menu.
 */
export function currentOpener(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menu === null || menu === undefined ? active : document.getElementById(menu);
  return opener instanceof HTMLElement ? opener : null;
}

/** Finds the replacement of a removed element: the only element of its kind with the same name. */
export function findReplacement(gone: HTMLElement): HTMLElement | null {
  const name = readName(gone);
  if (name === '') return null;
  const [found, ...others] = [
    ...document.querySelectorAll<HTMLElement>(`#content ${gone.localName}`),
  ].filter((other) => readName(other) === name && other.checkVisibility());
  return found !== undefined && others.length === 0 ? found : null;
}

/** Returns the name for screen readers. Empty if there is none. */
function readName(element: HTMLElement): string {
  return (element.getAttribute('aria-label') ?? element.textContent).trim();
}

/**
 * Gives the focus to the opener if no other element has the focus. If the opener was removed, focuses its replacement, or
 * else the content of the page.
 */
export function giveFocusBack(opener: HTMLElement | null): void {
  const active = document.activeElement;
  const isLost = active === null || active === document.body || active.closest('[role=dialog]');
  if (!isLost) return;
  const there = opener === null || opener.isConnected ? opener : findReplacement(opener);
  const next = there ?? document.querySelector<HTMLElement>('#content');
  next?.focus({ preventScroll: true });
}

/** Gives the focus back when the dialog closes. Use it only in a dialog that is unmounted when it closes. */
export function useFocusBack(): void {
  // The opener is read at the first render, before the dialog itself gets the focus.
  const [opener] = useState(currentOpener);
  useEffect(() => () => giveFocusBack(opener), [opener]);
}
