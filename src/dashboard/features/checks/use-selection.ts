/** The selected rows of the current page. Changing the page or a filter clears the selection. */
import { useCallback, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Selects or deselects a row. The function keeps its identity while the same page is shown. */
  readonly toggle: (id: string) => void;
  readonly set: (ids: readonly string[]) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Holds the selection. `shownBy` identifies the page and its filters. Ids that are not in `shown` are ignored. */
export function useSelection(shownBy: string, shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState({ shownBy, ids: NONE });
  const present = new Set(shown);
  const ids =
    chosen.shownBy === shownBy ? new Set([...chosen.ids].filter((id) => present.has(id))) : NONE;
  const set = (next: readonly string[]): void => setChosen({ shownBy, ids: new Set(next) });
  const toggle = useCallback(
    (id: string): void =>
      setChosen((before) => {
        const next = new Set(before.shownBy === shownBy ? before.ids : NONE);
        if (!next.delete(id)) next.add(id);
        return { shownBy, ids: next };
      }),
    [shownBy],
  );
  return { ids, set, toggle };
}
