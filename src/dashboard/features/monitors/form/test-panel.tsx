/** Sends the unsaved request once from a region and shows the result. */
import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { parseJson } from '../../../../contracts/json';
import type { TestResult } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import type { DefinitionKind } from '../../../shared/definition/definition-kind';
import { TestControls } from '../../../shared/definition/test-controls';
import {
  type AssertionDraft,
  fromAssertion,
} from '../../../shared/form/assertions/assertion-draft';
import { FaultSummary } from '../../../shared/form/problems/fault-summary';
import type { Problems } from '../../../shared/form/problems/problems';
import { JsonTree } from '../../../shared/results/json-tree';
import { ResultView } from '../../../shared/results/result-view';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { AddButton } from '../../../shared/ui/small-button';

interface Tested {
  readonly name: string;
  readonly regions: readonly string[];
  readonly quorum: number | 'majority';
}

interface TestPanelProps<Draft extends Tested> {
  readonly kind: Pick<DefinitionKind<Draft>, 'toBody'>;
  readonly draft: Draft;
  readonly problems: Problems;
  /** Adds an assertion to the draft. Absent when checks of the kind have no assertions. */
  readonly onAssert?: (assertion: AssertionDraft) => void;
  /** Called with the draft after the service has tested it. */
  readonly onTested: (draft: Draft) => void;
}

export function TestPanel<Draft extends Tested>(props: TestPanelProps<Draft>) {
  const { kind, draft, problems, onAssert, onTested } = props;
  const [isTried, setIsTried] = useState(false);
  const test = useChange<TestResult>([]);
  // Problems that prevent a test. A test does not need a name.
  const blocking = problems.filter(({ path }) => path !== 'name');
  const start = (region: string | null): void => {
    setIsTried(true);
    if (blocking.length > 0 || region === null) return;
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
  const isRefused = isTried && blocking.length > 0;
  return (
    <Stack gap="sm">
      <TestControls regions={draft.regions} onStart={start} isPending={test.isPending} />
      <Text size="sm" c="dimmed">
        Nothing is saved and no alerts are sent.
      </Text>
      {isRefused && <FaultSummary problems={blocking} purpose="test" />}
      {test.error !== null && <ProblemNote problem={test.error} />}
      {/* Hides the result of an earlier draft when the current draft is refused. */}
      {test.data !== undefined && !isRefused && (
        <div aria-live="polite" ref={showVerdict} style={{ scrollMarginTop: 72 }}>
          <ResultView result={test.data} />
          {onAssert !== undefined && <AssertThis result={test.data} onAssert={onAssert} />}
        </div>
      )}
    </Stack>
  );
}

/** Scrolls a new result into view if it begins in the lower half of the window, as on a phone. */
function showVerdict(node: HTMLElement | null): void {
  if (node === null || node.getBoundingClientRect().top < window.innerHeight / 2) return;
  node.scrollIntoView({ block: 'start' });
}

interface AssertThisProps {
  readonly result: TestResult;
  readonly onAssert: (assertion: AssertionDraft) => void;
}

/**
 * The limit of a new response-time assertion is the measured time multiplied by this number. Normal variation therefore
 * does not exceed the limit.
 */
const TIME_ROOM = 2;

/** Turns parts of a response into assertions: status, time, or a value of a JSON body. */
function AssertThis({ result: { response, responseTimeMs }, onAssert }: AssertThisProps) {
  if (response === null || response.status === null) return null;
  const add = (assertion: AssertionDraft): void => {
    onAssert(assertion);
    notify('Assertion added.');
  };
  const limit = Math.max(100, Math.ceil(((responseTimeMs ?? 0) * TIME_ROOM) / 100) * 100);
  const body = response.truncated ? undefined : parse(response.bodyPreview);
  return (
    <Stack gap="xs" mt="md">
      <Text fw={600} size="sm">
        Add assertions from this response
      </Text>
      <Group gap="xs">
        <AddButton
          onClick={() =>
            add(fromAssertion({ type: 'status', operator: 'equals', value: response.status }))
          }
        >
          Status {response.status}
        </AddButton>
        <AddButton
          onClick={() =>
            add(fromAssertion({ type: 'responseTime', operator: 'lessThan', value: limit }))
          }
        >
          Faster than {limit} ms
        </AddButton>
      </Group>
      {body !== undefined && (
        <>
          <Text size="sm" c="dimmed">
            Click a value in the response to assert it:
          </Text>
          <JsonTree
            value={body}
            label="Response as JSON"
            onPick={({ path, value }) =>
              add(fromAssertion({ type: 'jsonPath', path, operator: 'equals', value }))
            }
          />
        </>
      )}
    </Stack>
  );
}

/** Parses a JSON object or list. undefined for any other text. */
function parse(text: string | null): object | undefined {
  const parsed = parseJson(text ?? '');
  return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
}
