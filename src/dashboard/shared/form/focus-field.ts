/** Leads to the input at a path of the form, opening the section that holds it. */

/** In the URL of a form: the path of the field that has the focus first. */
export const FIELD_SEARCH = 'field';

const FOCUSABLE = 'input, textarea, select, button, [contenteditable=true]';
/** Sections need a moment to show what they hold. */
const FRAMES_MAX = 30;

/** The closest there is: the field itself, what it is part of, or the section that names it. */
export function focusField(path: string, frames = FRAMES_MAX): void {
  const field = findField(path);
  if (field === null) return;
  const isClosed = field.getAttribute('aria-expanded') === 'false';
  if (isClosed) field.click();
  const isHere = !isClosed && field.dataset['path'] === path;
  if (isHere || frames === 0) show(field);
  else requestAnimationFrame(() => focusField(path, frames - 1));
}

/** The first input of a row that has just been added, so that it can be filled in at once. */
export function focusRow(rowId: string): void {
  focusWithin(`[data-row-id="${CSS.escape(rowId)}"]`);
}

/** The same for a row that can be dragged, by its id as such. */
export function focusSortable(id: string): void {
  focusWithin(`[data-sortable="${CSS.escape(id)}"]`);
}

/**
 * Where the focus goes when the row with this button is taken out: to the button of the row that has its number then,
 * else to the button that adds one, which is the last of the list.
 */
export function focusSuccessor(button: HTMLElement, label: string): void {
  const list = button.closest('[data-rows]');
  requestAnimationFrame(() => {
    const same = list?.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(label)}"]`);
    const last = [...(list?.querySelectorAll('button') ?? [])].at(-1);
    (same ?? last)?.focus();
  });
}

function focusWithin(selector: string): void {
  requestAnimationFrame(() => {
    const row = document.querySelector(selector);
    row?.querySelector<HTMLElement>('input, textarea')?.focus();
  });
}

function findField(path: string): HTMLElement | null {
  for (const at of fromInside(path)) {
    const found = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(at)}"]`);
    if (found !== null) return found;
  }
  const [first = ''] = path.split(/[.[]/);
  return document.querySelector<HTMLElement>(`[data-holds~="${CSS.escape(first)}"]`);
}

/** `a[1].b` → `a[1].b`, `a[1]`, `a`. */
function fromInside(path: string): readonly string[] {
  const parts = path.split(/(?=[.[])/);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join(''));
}

function show(field: HTMLElement): void {
  const input = field.matches(FOCUSABLE) ? field : field.querySelector<HTMLElement>(FOCUSABLE);
  (input ?? field).scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}
