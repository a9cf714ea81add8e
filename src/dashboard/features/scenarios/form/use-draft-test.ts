/** Tests a draft. Holds the last step to run, the latest test run, and the ids of the steps in that run. */
import { useState } from 'react';
import type { ApiProblem } from '../../../shared/data/api';
import type { TestRun } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import type { Draft } from '../draft/draft';
import { toBody } from '../draft/draft-body';

interface Tested {
  readonly run: TestRun | undefined;
  /** Ids of the tested steps, in the order in which they were sent. */
  readonly stepIds: readonly string[];
}

export interface DraftTest extends Tested {
  /** Id of the last step to run; null for all steps. */
  readonly upTo: string | null;
  readonly setUpTo: (stepId: string | null) => void;
  /** Secret variables whose values the user must type again, because a test cannot read stored values. */
  readonly needed: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly setValue: (name: string, value: string) => void;
  /** Runs the steps up to `upTo`. Without `upTo`, runs the steps up to the step that was chosen with `setUpTo`. */
  readonly start: (region: string, upTo?: string) => void;
  readonly isPending: boolean;
  readonly problem: ApiProblem | null;
}

interface Listeners {
  /** Called with the step at which a test failed. */
  readonly onFailed: (stepId: string) => void;
  /** Called with the draft after the service has accepted all of its steps. */
  readonly onTested: (draft: Draft) => void;
}

export function useDraftTest(draft: Draft, { onFailed, onTested }: Listeners): DraftTest {
  const [wanted, setUpTo] = useState<string | null>(null);
  // The last run is kept until the next one arrives, so that opened steps stay open.
  const [last, setLast] = useState<Tested>({ run: undefined, stepIds: [] });
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const test = useChange<TestRun>([]);
  const stored = draft.variables.filter(({ isStored, value }) => isStored && value === '');
  const findPosition = (stepId: string | null): number =>
    draft.steps.findIndex(({ id }) => id === stepId);
  const start = (region: string, upTo = wanted): void => {
    setUpTo(upTo);
    const at = findPosition(upTo);
    const steps = at === -1 ? draft.steps : draft.steps.slice(0, at + 1);
    const stepIds = steps.map(({ id }) => id);
    const variables = draft.variables.map((row) =>
      stored.includes(row) ? { ...row, value: values[row.name] ?? '' } : row,
    );
    const sent = { ...draft, name: draft.name || 'Test', steps, variables };
    // The draft has the effective values already, so the profile is not applied again.
    const body = { ...toBody(sent), profile: null, region };
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
    upTo: findPosition(wanted) === -1 ? null : wanted,
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
