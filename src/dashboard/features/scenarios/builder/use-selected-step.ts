/** The selected step of the builder. One step is always selected. */
import { useState } from 'react';
import { useSearchState } from '../../../shared/data/search';
import type { Draft, DraftStep } from '../draft/draft';

export interface SelectedStep {
  readonly step: DraftStep | undefined;
  readonly select: (id: string) => void;
}

/**
 * Holds the selected step. The step that the page's URL names is selected at first. If the selected step is removed,
 * the first step is selected.
 */
export function useSelectedStep({ steps }: Draft): SelectedStep {
  const [{ step: named }] = useSearchState();
  const [id, select] = useState(() => steps.find(({ name }) => name === named)?.id);
  return { step: steps.find((step) => step.id === id) ?? steps[0], select };
}
