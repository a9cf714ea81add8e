/** The test of a draft: how far it goes, what came of it, and which steps were sent. */
import { useState } from 'react';
import type { ApiProblem } from '../../../shared/data/api';
import type { TestRun } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import type { Draft } from '../draft/draft';
import { toBody } from '../draft/draft-body';

interface Tested {
  readonly run: TestRun | undefined;
  /** Of the steps as they were sent. */
  readonly stepIds: readonly string[];
}

export interface DraftTest extends Tested {
  /** The last step that is sent; null for all. */
  readonly upTo: string | null;
  readonly setUpTo: (stepId: string | null) => void;
  /** Stored secrets that are not typed again: a test knows no stored values. */
  readonly needed: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly setValue: (name: string, value: string) => void;
  /** Up to the last step that is wanted, or up to the given one. */
  readonly start: (region: string, upTo?: string) => void;
  readonly isPending: boolean;
  readonly problem: ApiProblem | null;
}

interface Listeners {
  /** Hears of the step at which a test ended. */
  readonly onFailed: (stepId: string) => void;
  /** With the draft all of whose steps the service has taken. */
  readonly onTested: (draft: Draft) => void;
}

export function useDraftTest(draft: Draft, { onFailed, onTested }: Listeners): DraftTest {
  const [wanted, setUpTo] = useState<string | null>(null);
  // The last run stays until the next one is there: what is open in it stays open.
  const [last, setLast] = useState<Tested>({ run: undefined, stepIds: [] });
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const test = useChange<TestRun>([]);
  const stored = draft.variables.filter(({ isStored, value }) => isStored && value === '');
  const positionOf = (stepId: string | null): number =>
    draft.steps.findIndex(({ id }) => id === stepId);
  const start = (region: string, upTo = wanted): void => {
    setUpTo(upTo);
    const at = positionOf(upTo);
    const steps = at === -1 ? draft.steps : draft.steps.slice(0, at + 1);
    const stepIds = steps.map(({ id }) => id);
    const variables = draft.variables.map((row) =>
      stored.includes(row) ? { ...row, value: values[row.name] ?? '' } : row,
    );
    const sent = { ...draft, name: draft.name || 'Test', steps, variables };
    const body = { ...toBody(sent), region };
    const onSuccess = (run: TestRun): void => {
      setLast({ run, stepIds });
      if (stepIds.length === draft.steps.length) onTested(draft);
      const failed = stepIds[run.failure?.stepIndex ?? -1];
      if (failed !== undefined) onFailed(failed);
    };
    const onError = (): void => setLast({ run: undefined, stepIds: [] });
    test.mutate({ method: 'POST', path: '/v1/scenarios/test', body }, { onSuccess, onError });
  };
  return {
    upTo: positionOf(wanted) === -1 ? null : wanted,
    setUpTo,
    needed: stored.map(({ name }) => name),
    values,
    setValue: (name, value) => setValues({ ...values, [name]: value }),
    start,
    isPending: test.isPending,
    problem: test.error,
    ...last,
  };
}
