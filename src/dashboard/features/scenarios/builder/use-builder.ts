/** State of the scenario builder: the definition, renames, and references that a change breaks. */
import { useMemo } from 'react';
import {
  type Definition,
  type Saved,
  useDefinition,
} from '../../../shared/definition/use-definition';
import { confirm } from '../../../shared/dialog/confirm';
import type { Problems } from '../../../shared/form/problems';
import type { Draft } from '../draft/draft';
import { brokenBy, brokenWords } from '../draft/references';
import { SCENARIO } from '../draft/scenario-kind';
import { findWarnings } from '../draft/validation';
import { BUILDER_TEXT } from './builder-strings';
import { useRenames } from './use-renames';
import { useSecretNames } from './use-secret-names';

export interface Builder extends Definition<Draft> {
  /** Call when a field loses the focus. */
  readonly finish: () => void;
  /** Asks for confirmation when the change breaks references. */
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
      const broken = brokenBy(draft, next);
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
