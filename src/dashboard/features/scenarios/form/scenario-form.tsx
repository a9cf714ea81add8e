/** The scenario builder: edits a scenario as a form or as YAML, tests it, and saves it. */
import { Alert, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { FAILURE_WORDS } from '../../../../domain/states/failure-words';
import type { TestRun } from '../../../shared/data/api-types';
import { DefinitionFoot, DefinitionView } from '../../../shared/definition/definition-form';
import { TestControls } from '../../../shared/definition/test-controls';
import type { Saved } from '../../../shared/definition/use-definition';
import type { AssertionDraft } from '../../../shared/form/assertions/assertion-draft';
import { useRegionIds } from '../../../shared/form/fields/regions-field';
import { milliseconds } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { RunStatusLabel } from '../../../shared/ui/status';
import { BUILDER_TEXT } from '../builder/builder-strings';
import { ResponsePicker } from '../builder/response-picker';
import { StepsPart } from '../builder/steps-part';
import { type Builder, useBuilder } from '../builder/use-builder';
import { type SelectedStep, useSelectedStep } from '../builder/use-selected-step';
import { ValueTable } from '../builder/value-table';
import type { Draft } from '../draft/draft';
import { withAssertion, withExtraction } from '../draft/draft-changes';
import { namesBefore, variableAt } from '../draft/references';
import { WaterfallView } from '../runs/waterfall-view';
import { GeneralFields, MoreFields } from './scenario-fields';
import { type DraftTest, useDraftTest } from './use-draft-test';

interface ScenarioFormProps {
  readonly initial: Draft;
  /** null for a new scenario. */
  readonly saved: Saved | null;
}

export function ScenarioForm({ initial, saved }: ScenarioFormProps) {
  const builder = useBuilder(initial, saved);
  const { draft, warnings } = builder;
  const selected = useSelectedStep(draft);
  const test = useDraftTest(draft, { onFailed: selected.select, onTested: builder.tested });
  return (
    <Stack>
      <DefinitionView definition={builder}>
        <Stack onBlur={builder.finish}>
          <Fields builder={builder} test={test} selected={selected} />
        </Stack>
      </DefinitionView>
      {builder.view === 'yaml' && (
        <Card withBorder>
          <Test builder={builder} test={test} selected={selected} />
        </Card>
      )}
      <DefinitionFoot
        definition={builder}
        warnings={warnings}
        stepNames={draft.steps.map(({ name }) => name)}
      />
    </Stack>
  );
}

interface FieldsProps {
  readonly builder: Builder;
  readonly test: DraftTest;
  readonly selected: SelectedStep;
}

function Fields({ builder, test, selected }: FieldsProps) {
  const regions = useRegionIds();
  const { draft, change, changeGuarded, problems } = builder;
  const patch = (fields: Partial<Draft>): void => change({ ...draft, ...fields });
  return (
    <>
      <GeneralFields
        draft={draft}
        set={patch}
        problems={problems}
        isNew={builder.saved === null}
        onVariables={(variables) => {
          const next = { ...draft, variables };
          if (variables.length < draft.variables.length) changeGuarded(next, 'Remove anyway');
          else change(next);
        }}
      />
      <StepsPart
        draft={draft}
        problems={problems}
        onChange={change}
        onGuarded={changeGuarded}
        onTestUpTo={(stepId) => {
          const region = draft.regions[0] ?? regions[0];
          if (region === undefined || test.isPending) return;
          selected.select(stepId);
          test.start(region, stepId);
        }}
        selected={selected}
        response={<Test builder={builder} test={test} selected={selected} />}
      />
      <MoreFields draft={draft} set={patch} problems={problems} />
    </>
  );
}

function Test({ builder: { draft, change }, test, selected }: FieldsProps) {
  return (
    <TestPanel
      draft={draft}
      test={test}
      selected={selected}
      onExtract={(stepId, variable, path) => {
        change(withExtraction(draft, stepId, variable, path));
        notify(`{{${variable}}} will be extracted.`);
      }}
      onAssert={(stepId, assertion) => {
        change(withAssertion(draft, stepId, assertion));
        notify('Assertion added.');
      }}
    />
  );
}

interface TestPanelProps {
  readonly draft: Draft;
  readonly test: DraftTest;
  readonly onExtract: (stepId: string, variable: string, path: string) => void;
  readonly onAssert: (stepId: string, assertion: AssertionDraft) => void;
  readonly selected: SelectedStep;
}

/** Runs all or some steps of the unsaved draft once, and shows the run on a time axis. */
function TestPanel({ draft, test, onExtract, onAssert, selected }: TestPanelProps) {
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
          description="Stored values cannot be read."
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
            selectedId={selected.step?.id ?? ''}
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
  /** Id of the selected step, whose response is open. */
  readonly selectedId: string;
}

function TestedRun(props: TestedRunProps) {
  const { run, draft, stepIds, selectedId, onExtract, onAssert } = props;
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
        // A newly selected step replaces the step that was opened in the timeline.
        key={selectedId}
        run={run}
        nowMs={Date.now()}
        opensAt={stepIds.includes(selectedId) ? stepIds.indexOf(selectedId) : null}
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
