/** Where the focus goes when a dialog closes: back to what opened it, so that Tab goes on from there. */
import { useEffect, useState } from 'react';

/** What has the focus now; of an item of a menu, which is gone soon, the button that opened the menu. */
export function currentOpener(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menu === null || menu === undefined ? active : document.getElementById(menu);
  return opener instanceof HTMLElement ? opener : null;
}

/** The opener gets the focus, or the content of the page when the opener is gone, unless something else has it. */
export function giveFocusBack(opener: HTMLElement | null): void {
  const active = document.activeElement;
  const isLost = active === null || active === document.body || active.closest('[role=dialog]');
  if (!isLost) return;
  const next =
    opener?.isConnected === true ? opener : document.querySelector<HTMLElement>('#content');
  next?.focus({ preventScroll: true });
}

/** For a dialog that is there while it is open, and not otherwise: what opened it gets the focus back. */
export function useFocusBack(): void {
  // Before the dialog itself takes the focus.
  const [opener] = useState(currentOpener);
  useEffect(() => () => giveFocusBack(opener), [opener]);
}
