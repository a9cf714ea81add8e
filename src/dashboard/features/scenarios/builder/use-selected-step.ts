/** Which step of the builder is shown: one always is. */
import { useState } from 'react';
import { useSearchState } from '../../../shared/data/search';
import type { Draft, DraftStep } from '../draft/draft';

export interface SelectedStep {
  readonly step: DraftStep | undefined;
  readonly select: (id: string) => void;
}

/** At first the one that the page's address names; when the selected one is gone, the first. */
export function useSelectedStep({ steps }: Draft): SelectedStep {
  const [{ step: named }] = useSearchState();
  const [id, select] = useState(() => steps.find(({ name }) => name === named)?.id);
  return { step: steps.find((step) => step.id === id) ?? steps[0], select };
}
