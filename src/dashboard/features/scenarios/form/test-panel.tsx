/** Runs all or some unsaved steps once, and shows the run on a time axis. */
import { Alert, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { FAILURE_WORDS } from '../../../../domain/states/failure-words';
import type { TestRun } from '../../../shared/data/api-types';
import { TestControls } from '../../../shared/definition/test-controls';
import type { AssertionDraft } from '../../../shared/form/assertion-draft';
import { milliseconds } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { RunStatusLabel } from '../../../shared/ui/status';
import { BUILDER_TEXT } from '../builder/builder-strings';
import { ResponsePicker } from '../builder/response-picker';
import type { SelectedStep } from '../builder/use-selected-step';
import { ValueTable } from '../builder/value-table';
import type { Draft } from '../draft/draft';
import { namesBefore, variableAt } from '../draft/references';
import { WaterfallView } from '../runs/waterfall-view';
import type { DraftTest } from './use-draft-test';

interface TestPanelProps {
  readonly draft: Draft;
  readonly test: DraftTest;
  readonly onExtract: (stepId: string, variable: string, path: string) => void;
  readonly onAssert: (stepId: string, assertion: AssertionDraft) => void;
  readonly selected: SelectedStep;
}

export function TestPanel({ draft, test, onExtract, onAssert, selected }: TestPanelProps) {
  const last = draft.steps.length - 1;
  return (
    <Stack gap="sm">
      <Heading>{BUILDER_TEXT.response}</Heading>
      <TestControls
        regions={draft.regions}
        onStart={(region) => region !== null && test.start(region)}
        isPending={test.isPending}
      >
        <Select
          label="Up to"
          flex={1}
          miw={120}
          data={draft.steps.map(({ id, name }, index) => ({
            value: id,
            label: index === last ? 'All steps' : `${index + 1}. ${name}`,
          }))}
          value={test.upTo ?? draft.steps[last]?.id ?? null}
          onChange={(id) => test.setUpTo(id === draft.steps[last]?.id ? null : id)}
          allowDeselect={false}
        />
      </TestControls>
      {test.needed.map((name) => (
        <TextInput
          key={name}
          label={`Value of ${name} for the test`}
          description="Stored values cannot be read"
          type="password"
          autoComplete="off"
          maw={420}
          value={test.values[name] ?? ''}
          onChange={({ currentTarget }) => test.setValue(name, currentTarget.value)}
        />
      ))}
      <Text size="sm" c="dimmed">
        Nothing is saved and no alerts are sent. Each step is sent once.
      </Text>
      {test.problem !== null && <ProblemNote problem={test.problem} />}
      <div aria-live="polite">
        {test.run !== undefined && (
          <TestedRun
            run={test.run}
            draft={draft}
            stepIds={test.stepIds}
            onExtract={onExtract}
            onAssert={onAssert}
          />
        )}
      </div>
      <ValueTable draft={draft} run={test.run} onSelect={selected.select} />
    </Stack>
  );
}

interface TestedRunProps extends Omit<TestPanelProps, 'test' | 'selected'> {
  readonly run: TestRun;
  /** Ids of the tested steps, in the order in which they were sent. */
  readonly stepIds: readonly string[];
}

function TestedRun({ run, draft, stepIds, onExtract, onAssert }: TestedRunProps) {
  const taken = namesBefore(draft, draft.steps.length).map(({ name }) => name);
  const { failure } = run;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <RunStatusLabel status={run.status} />
        <Text size="sm">
          {run.region} · {milliseconds(run.durationMs)}
        </Text>
      </Group>
      {failure !== null && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertCircle aria-hidden />}
          title={`${failure.stepName ?? 'The run'}: ${FAILURE_WORDS[failure.code]}`}
        >
          {failure.message}
        </Alert>
      )}
      <WaterfallView
        run={run}
        nowMs={Date.now()}
        opensAt={stepIds.length - 1}
        renderResponse={(step) => {
          const id = stepIds[step.index];
          if (id === undefined || !draft.steps.some((known) => known.id === id)) return null;
          return (
            <ResponsePicker
              step={step}
              taken={taken}
              variableAt={(path) => variableAt(draft, id, path)}
              onExtract={(variable, path) => onExtract(id, variable, path)}
              onAssert={(assertion) => onAssert(id, assertion)}
            />
          );
        }}
      />
    </Stack>
  );
}
