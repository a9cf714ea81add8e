/**
 * Keys of the table: j and k lead from row to row, x selects the row, Space shows more of it; while more of
 * one is shown, j and k show the next and the previous one.
 */
import { useHotkeys } from '@mantine/hooks';

const LINKS = '[data-row-link]';

interface RowKeys {
  /** Of which more is shown; null: of none. */
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
    else onPeek(idOf(rowAt(by, linkOf(peeked)?.closest('[data-row]') ?? null)) ?? peeked);
  };
  const options = { preventDefault: false } as const;
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['x', onRow(onToggle), options],
    ['space', onRow(onPeek), options],
  ]);
}

/** Gives the focus to the link of a row. */
export function focusRow(id: string): void {
  linkOf(id)?.focus();
}

function linkOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-row="${CSS.escape(id)}"] ${LINKS}`);
}

function idOf(link: HTMLElement | undefined): string | undefined {
  return link?.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

/** Only while the link of a row has the focus, so that Space still presses buttons. */
function rowInFocus(): string | null {
  const { activeElement } = document;
  if (activeElement?.matches(LINKS) !== true) return null;
  return activeElement.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null;
}

/** The link of the row so many behind this one; the first one, when there is none. */
function rowAt(by: number, row: Element | null): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>(LINKS)];
  const at = links.findIndex((link) => row?.contains(link) === true);
  return links[at === -1 ? 0 : Math.min(Math.max(0, at + by), links.length - 1)];
}
