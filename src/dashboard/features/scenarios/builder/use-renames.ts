/**
 * Updates references while a name is typed, and shows a notice after the field loses the focus. Typing the old name
 * restores the references.
 */
import { useRef } from 'react';
import { notify } from '../../../shared/ui/notify';
import type { Draft } from '../draft/draft';
import { findRename, findRowName, withReferencesRenamed } from '../draft/rename';
import { BUILDER_TEXT } from './builder-strings';

interface Followed {
  /** The name before typing began. */
  readonly first: string;
  /** The last valid name that was typed. References use it. */
  readonly written: string;
  readonly count: number;
}

export interface Renames {
  /** Updates references if a name has changed. */
  readonly follow: (before: Draft, after: Draft) => Draft;
  /** Call when a field loses the focus. */
  readonly finish: (draft: Draft) => void;
}

export function useRenames(): Renames {
  const rows = useRef(new Map<string, Followed>());
  return {
    follow(before, after) {
      const rename = findRename(before, after);
      if (rename === null) return after;
      const { rowId, from, to } = rename;
      const known = rows.current.get(rowId) ?? { first: from, written: from, count: 0 };
      const renamed = withReferencesRenamed(after, { rowId, from: known.written, to });
      const count = renamed?.count ?? known.count;
      rows.current.set(rowId, renamed === null ? known : { ...known, written: to, count });
      return renamed?.draft ?? after;
    },
    finish(draft) {
      for (const [rowId, { first, written, count }] of rows.current) {
        const name = findRowName(draft, rowId);
        // An empty field is still waiting for its new name, which references will follow.
        if (name === '') continue;
        rows.current.delete(rowId);
        if (count > 0 && first !== written) notify(BUILDER_TEXT.renamed(first, written, count));
      }
    },
  };
}
