/**
 * References follow a name while it is being changed, and what they followed is told once the field is
 * left. Typing the old name again brings everything back.
 */
import { useRef } from 'react';
import { notify } from '../../../shared/ui/notify';
import type { Draft } from '../draft/draft';
import { findRename, nameOfRow, withReferencesRenamed } from '../draft/rename';
import { BUILDER_TEXT } from './builder-strings';

interface Followed {
  /** When the field was entered. */
  readonly first: string;
  /** What references say now: the last whole name that was typed. */
  readonly written: string;
  readonly count: number;
}

export interface Renames {
  /** The changed draft, with the references to a name that was changed. */
  readonly follow: (before: Draft, after: Draft) => Draft;
  /** When a field was left. */
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
        const name = nameOfRow(draft, rowId);
        // A field that was left empty is still to get its name, which references wait for.
        if (name === '') continue;
        rows.current.delete(rowId);
        if (count > 0 && first !== written) notify(BUILDER_TEXT.renamed(first, written, count));
      }
    },
  };
}
