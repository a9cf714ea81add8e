/** Sends the unsaved request once from a region and shows the result. */
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { TestResult } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import type { DefinitionKind } from '../../../shared/definition/definition-kind';
import { TestControls } from '../../../shared/definition/test-controls';
import type { AssertionDraft } from '../../../shared/form/assertion-draft';
import { FaultSummary } from '../../../shared/form/fault-summary';
import type { Problems } from '../../../shared/form/problems';
import { ResultView } from '../../../shared/results/result-view';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { AssertThis } from './assert-this';

interface Tested {
  readonly name: string;
  readonly regions: readonly string[];
  readonly quorum: number | 'majority';
}

interface TestPanelProps<Draft extends Tested> {
  readonly kind: Pick<DefinitionKind<Draft>, 'toBody'>;
  readonly draft: Draft;
  readonly problems: Problems;
  /** Absent when the kind has no assertions to make from a response. */
  readonly onAssert?: (assertion: AssertionDraft) => void;
  /** Called with the draft that the service has tested. */
  readonly onTested: (draft: Draft) => void;
}

export function TestPanel<Draft extends Tested>(props: TestPanelProps<Draft>) {
  const { kind, draft, problems, onAssert, onTested } = props;
  const [isTried, setIsTried] = useState(false);
  const test = useChange<TestResult>([]);
  // A test does not need a name.
  const inTheWay = problems.filter(({ path }) => path !== 'name');
  const start = (region: string | null): void => {
    setIsTried(true);
    if (inTheWay.length > 0 || region === null) return;
    const { regions: _regions, ...body } = kind.toBody({
      ...draft,
      name: draft.name.trim() === '' ? 'Test' : draft.name,
      quorum: 1,
    });
    test.mutate(
      { method: 'POST', path: '/v1/monitors/test', body: { ...body, profile: null, region } },
      { onSuccess: () => onTested(draft) },
    );
  };
  const isRefused = isTried && inTheWay.length > 0;
  return (
    <Stack gap="sm">
      <TestControls regions={draft.regions} onStart={start} isPending={test.isPending} />
      <Text size="sm" c="dimmed">
        Nothing is saved and no alerts are sent.
      </Text>
      {isRefused && <FaultSummary problems={inTheWay} purpose="test" />}
      {test.error !== null && <ProblemNote problem={test.error} />}
      {/* Hides the result of an earlier draft when the current draft is refused. */}
      {test.data !== undefined && !isRefused && (
        <div aria-live="polite">
          <ResultView result={test.data} />
          {onAssert !== undefined && <AssertThis result={test.data} onAssert={onAssert} />}
        </div>
      )}
    </Stack>
  );
}
