/** Keys of the table: j and k lead from row to row, x selects the row, Space shows more of it. */
import { useHotkeys } from '@mantine/hooks';

const LINKS = '[data-row-link]';

interface RowKeys {
  readonly onPeek: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

export function useRowKeys({ onPeek, onToggle }: RowKeys): void {
  const onRow = (act: (id: string) => void) => (event: KeyboardEvent) => {
    const id = rowInFocus();
    if (id === null) return;
    event.preventDefault();
    act(id);
  };
  const options = { preventDefault: false } as const;
  useHotkeys([
    ['j', () => focusBy(1)],
    ['k', () => focusBy(-1)],
    ['x', onRow(onToggle), options],
    ['space', onRow(onPeek), options],
  ]);
}

/** Only while the link of a row has the focus, so that Space still presses buttons. */
function rowInFocus(): string | null {
  const { activeElement } = document;
  if (activeElement?.matches(LINKS) !== true) return null;
  return activeElement.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null;
}

/** The first one, when none has the focus. */
function focusBy(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(LINKS)];
  const row = document.activeElement?.closest('[data-row]') ?? null;
  const at = links.findIndex((link) => row?.contains(link) === true);
  links[at === -1 ? 0 : Math.min(Math.max(0, at + step), links.length - 1)]?.focus();
}
