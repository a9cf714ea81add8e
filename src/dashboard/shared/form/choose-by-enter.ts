/**
 * What Enter does in a field that is both typed into and chosen from: it opens the choices, or takes the first that
 * matches. Left to the browser, it would send the form half filled in.
 */
import type { KeyboardEvent } from 'react';

export function chooseByEnter(event: KeyboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || input.readOnly) return;
  if (input.getAttribute('aria-expanded') !== 'true') {
    event.preventDefault();
    input.click();
    return;
  }
  const choices = document.getElementById(input.getAttribute('aria-controls') ?? '');
  // One that the arrows have reached is taken by the field itself.
  if (choices === null || choices.querySelector('[data-combobox-selected]') !== null) return;
  event.preventDefault();
  if (input.value !== '') firstMatch(choices, input.value)?.click();
}

/** What the service is still searching for stands among what it found before. */
function firstMatch(choices: HTMLElement, typed: string): HTMLElement | undefined {
  const options = [...choices.querySelectorAll<HTMLElement>('[role=option]')];
  const wanted = typed.trim().toLowerCase();
  return options.find(({ textContent }) => textContent.toLowerCase().includes(wanted));
}
