/** Finds out whether the user is active in this tab. Only then do pages follow every check. */

import type { Activity } from './live-updates';

const IN_USE_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus'] as const;

/** A page that has just been opened counts as in use. */
export function watchActivity(): Activity & { readonly stop: () => void } {
  let lastInputAtMs = Date.now();
  const note = (): void => {
    lastInputAtMs = Date.now();
  };
  for (const input of INPUTS) window.addEventListener(input, note, { passive: true });
  return {
    isInUse: () => Date.now() - lastInputAtMs < IN_USE_MS,
    isHidden: () => document.visibilityState === 'hidden',
    stop: () => {
      for (const input of INPUTS) window.removeEventListener(input, note);
    },
  };
}
