/** State of the scenario builder: the definition, renames, and references that a change breaks. */
import { useMemo, useRef } from 'react';
import {
  type Definition,
  type Saved,
  useDefinition,
} from '../../../shared/definition/use-definition';
import { confirm } from '../../../shared/dialog/confirm';
import type { Problems } from '../../../shared/form/problems/problems';
import { notify } from '../../../shared/ui/notify';
import type { Draft } from '../draft/draft';
import { brokenWords, findNewlyBroken } from '../draft/references';
import { findRename, findRowName, withReferencesRenamed } from '../draft/rename';
import { SCENARIO } from '../draft/scenario-kind';
import { findWarnings } from '../draft/validation';
import { BUILDER_TEXT } from './builder-strings';
import { useSecretNames } from './use-secret-names';

export interface Builder extends Definition<Draft> {
  /** Ends the renaming. Call this when a field loses the focus. */
  readonly finish: () => void;
  /** Changes the draft. Asks for confirmation if the change breaks references. */
  readonly changeGuarded: (next: Draft, action: string) => void;
  readonly warnings: Problems;
}

export function useBuilder(initial: Draft, saved: Saved | null): Builder {
  const definition = useDefinition(SCENARIO, initial, saved);
  const { draft } = definition;
  const secrets = useSecretNames();
  const renames = useRenames();
  const change = (next: Draft): void => definition.change(renames.follow(draft, next));
  return {
    ...definition,
    change,
    finish: () => renames.finish(draft),
    changeGuarded(next, action) {
      const broken = findNewlyBroken(draft, next);
      if (broken.length === 0) change(next);
      else
        confirm({
          title: BUILDER_TEXT.breaks,
          text: `${brokenWords(broken)}, which would no longer be defined.`,
          action,
          onConfirm: () => change(next),
        });
    },
    warnings: useMemo(() => findWarnings(draft, secrets), [draft, secrets]),
  };
}

interface Followed {
  /** The name before typing began. */
  readonly first: string;
  /** The last valid name that was typed. The references already use it. */
  readonly written: string;
  readonly count: number;
}

interface Renames {
  /** Updates references if a name has changed. */
  readonly follow: (before: Draft, after: Draft) => Draft;
  /** Ends the renaming. Call this when a field loses the focus. */
  readonly finish: (draft: Draft) => void;
}

/**
 * Updates references while the user types a new name, and shows a notice after the field has lost the focus. If the
 * user types the old name again, the references are restored.
 */
function useRenames(): Renames {
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
        // An empty field means that the user has not typed the new name yet, so the rename is not finished.
        if (name === '') continue;
        rows.current.delete(rowId);
        if (count > 0 && first !== written) notify(BUILDER_TEXT.renamed(first, written, count));
      }
    },
  };
}
