/**
 * Handles Enter in a field with choices: opens the choices, or selects the first match. By default, the browser would
 * submit the form.
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
  // If the user has reached a choice with the arrow keys, the field itself handles Enter and selects the choice.
  if (choices === null || choices.querySelector('[data-combobox-selected]') !== null) return;
  event.preventDefault();
  if (input.value !== '') firstMatch(choices, input.value)?.click();
}

/**
 * Finds the first choice that matches the typed text. The text is compared here, because the list may contain earlier
 * results while the service is searching.
 */
function firstMatch(choices: HTMLElement, typed: string): HTMLElement | undefined {
  const options = [...choices.querySelectorAll<HTMLElement>('[role=option]')];
  const wanted = typed.trim().toLowerCase();
  return options.find(({ textContent }) => textContent.toLowerCase().includes(wanted));
}
