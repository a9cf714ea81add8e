/** Keys of the table: j and k move between rows, x selects the row, Space shows its details. */
import { useHotkeys } from '@mantine/hooks';

const LINKS = '[data-row-link]';

interface RowKeys {
  /** Id of the row whose details are shown. null if no details are shown. */
  readonly peeked: string | null;
  readonly onPeek: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

export function useRowKeys({ peeked, onPeek, onToggle }: RowKeys): void {
  const onRow = (act: (id: string) => void) => (event: KeyboardEvent) => {
    const id = rowInFocus();
    if (id === null) return;
    event.preventDefault();
    act(id);
  };
  const step = (by: number): void => {
    if (peeked === null) rowAt(by, document.activeElement?.closest('[data-row]') ?? null)?.focus();
    else onPeek(findId(rowAt(by, findLink(peeked)?.closest('[data-row]') ?? null)) ?? peeked);
  };
  const options = { preventDefault: false } as const;
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['x', onRow(onToggle), options],
    ['space', onRow(onPeek), options],
  ]);
}

/** Focuses the link of a row. */
export function focusRow(id: string): void {
  findLink(id)?.focus();
}

function findLink(id: string): HTMLElement | null {
  return document.querySelector(`[data-row="${CSS.escape(id)}"] ${LINKS}`);
}

function findId(link: HTMLElement | undefined): string | undefined {
  return link?.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

/**
 * Returns the id of the row whose link has the focus. null means that another element has the focus, for example a
 * button that Space presses.
 */
function rowInFocus(): string | null {
  const { activeElement } = document;
  if (activeElement?.matches(LINKS) !== true) return null;
  return activeElement.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null;
}

/**
 * Returns the link `by` rows below this row (above it, if negative), but never beyond the table's ends. If the row is
 * not found, returns the first link.
 */
function rowAt(by: number, row: Element | null): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>(LINKS)];
  const at = links.findIndex((link) => row?.contains(link) === true);
  return links[at === -1 ? 0 : Math.min(Math.max(0, at + by), links.length - 1)];
}
