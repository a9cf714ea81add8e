/** The selected rows of the current page. Changing the page or a filter clears the selection. */
import { useCallback, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Selects or deselects a row. The function keeps its identity while the same page is shown. */
  readonly toggle: (id: string) => void;
  readonly set: (ids: readonly string[]) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Holds the selection. `pageKey` identifies the page and its filters. Ids that are not in `shown` are ignored. */
export function useSelection(pageKey: string, shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState({ pageKey, ids: NONE });
  const present = new Set(shown);
  const ids =
    chosen.pageKey === pageKey ? new Set([...chosen.ids].filter((id) => present.has(id))) : NONE;
  const set = (next: readonly string[]): void => setChosen({ pageKey, ids: new Set(next) });
  const toggle = useCallback(
    (id: string): void =>
      setChosen((before) => {
        const next = new Set(before.pageKey === pageKey ? before.ids : NONE);
        if (!next.delete(id)) next.add(id);
        return { pageKey, ids: next };
      }),
    [pageKey],
  );
  return { ids, set, toggle };
}
