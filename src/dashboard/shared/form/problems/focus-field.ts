/** Moves the focus to the input at a path of the form, and opens its section. */

/** The search parameter in a form's URL with the path of the field that gets the focus first. */
export const FIELD_SEARCH = 'field';

const FOCUSABLE = 'input, textarea, select, button, [contenteditable=true]';
/** Maximum number of frames for which `focusField` waits for the content of a section that it has opened. */
const FRAMES_MAX = 30;

/** Focuses the field, or its closest parent that exists. */
export function focusField(path: string, frames = FRAMES_MAX): void {
  const field = findField(path);
  if (field === null) return;
  const isClosed = field.getAttribute('aria-expanded') === 'false';
  if (isClosed) field.click();
  const isHere = !isClosed && field.dataset['path'] === path;
  if (isHere || frames === 0) show(field);
  else requestAnimationFrame(() => focusField(path, frames - 1));
}

/** Focuses the first input of a new row. */
export function focusRow(rowId: string): void {
  focusWithin(`[data-row-id="${CSS.escape(rowId)}"]`);
}

const INPUT = 'input, textarea';

/**
 * Focuses the first element that matches `inside` in a sortable row, found by its id in the sortable list. By default,
 * focuses the first input.
 */
export function focusSortable(id: string, inside = INPUT): void {
  focusWithin(`[data-sortable="${CSS.escape(id)}"]`, inside);
}

/**
 * When the row with this button is removed, focuses the same button of the next row. Without a next row, focuses the
 * button that adds a row.
 */
export function focusSuccessor(button: HTMLElement, label: string): void {
  const list = button.closest('[data-rows]');
  requestAnimationFrame(() => {
    const same = list?.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(label)}"]`);
    const last = [...(list?.querySelectorAll('button') ?? [])].at(-1);
    (same ?? last)?.focus();
  });
}

function focusWithin(selector: string, inside = INPUT): void {
  requestAnimationFrame(() => {
    const row = document.querySelector(selector);
    row?.querySelector<HTMLElement>(inside)?.focus();
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

/** Lists the path and its parents, innermost first: `a[1].b` → `a[1].b`, `a[1]`, `a`. */
function fromInside(path: string): readonly string[] {
  const parts = path.split(/(?=[.[])/);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join(''));
}

/** Opens every folded part around the field, because a field in a folded part cannot get the focus. */
function show(field: HTMLElement): void {
  for (const part of document.querySelectorAll('details'))
    if (part.contains(field)) part.setAttribute('open', '');
  const input = field.matches(FOCUSABLE) ? field : field.querySelector<HTMLElement>(FOCUSABLE);
  (input ?? field).scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}
