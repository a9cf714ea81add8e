/** Sends the unsaved request once from a region and shows what came of it. */
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useState } from 'react';
import type { TestResult } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import type { AssertionDraft } from '../../../shared/form/assertion-draft';
import { FaultSummary } from '../../../shared/form/fault-summary';
import type { Problems } from '../../../shared/form/problems';
import { useRegionIds } from '../../../shared/form/regions-field';
import { useFormKey } from '../../../shared/form/use-form-key';
import { ResultView } from '../../../shared/results/result-view';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { AssertThis } from './assert-this';
import { type MonitorDraft, toMonitorBody } from './monitor-draft';

interface TestPanelProps {
  readonly draft: MonitorDraft;
  readonly problems: Problems;
  readonly onAssert: (assertion: AssertionDraft) => void;
}

export function TestPanel({ draft, problems, onAssert }: TestPanelProps) {
  const regions = useRegionIds();
  const [chosen, setChosen] = useState<string | null>(null);
  const region = chosen ?? draft.regions[0] ?? regions[0] ?? null;
  const [isTried, setIsTried] = useState(false);
  const test = useChange<TestResult>([]);
  // A name is not needed to see whether the request works.
  const inTheWay = problems.filter(({ path }) => path !== 'name');
  const start = (): void => {
    setIsTried(true);
    if (inTheWay.length > 0 || region === null) return;
    const { regions: _regions, ...body } = toMonitorBody({
      ...draft,
      name: draft.name.trim() === '' ? 'Test' : draft.name,
      quorum: 1,
    });
    test.mutate({ method: 'POST', path: '/v1/monitors/test', body: { ...body, region } });
  };
  useFormKey('mod+Enter', () => !test.isPending && start());
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <Select
          label="Region"
          data={[...regions]}
          value={region}
          onChange={setChosen}
          allowDeselect={false}
          flex={1}
        />
        <Button
          onClick={start}
          loading={test.isPending}
          title="Ctrl Enter"
          leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}
        >
          Test now
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Nothing is saved and no alerts are sent.
      </Text>
      {isTried && inTheWay.length > 0 && <FaultSummary problems={inTheWay} purpose="test" />}
      {isTried && region === null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          No regions yet. Start a probe first.
        </Text>
      )}
      {test.error !== null && <ProblemNote problem={test.error} />}
      {test.data !== undefined && (
        <div aria-live="polite">
          <ResultView result={test.data} />
          <AssertThis result={test.data} onAssert={onAssert} />
        </div>
      )}
    </Stack>
  );
}
