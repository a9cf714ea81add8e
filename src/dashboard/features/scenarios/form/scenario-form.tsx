/** The scenario builder: edits a scenario as a form or as YAML, tests it, and saves it. */
import { Card, Stack } from '@mantine/core';
import { DefinitionFoot, DefinitionView } from '../../../shared/definition/definition-form';
import type { Saved } from '../../../shared/definition/use-definition';
import { useRegionIds } from '../../../shared/form/regions-field';
import { notify } from '../../../shared/ui/notify';
import { StepsPart } from '../builder/steps-part';
import { type Builder, useBuilder } from '../builder/use-builder';
import { type SelectedStep, useSelectedStep } from '../builder/use-selected-step';
import type { Draft } from '../draft/draft';
import { withAssertion, withExtraction } from '../draft/draft-changes';
import { GeneralFields, MoreFields, VariablesPart } from './scenario-fields';
import { TestPanel } from './test-panel';
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
      <GeneralFields draft={draft} set={patch} problems={problems} />
      <VariablesPart
        draft={draft}
        onChange={(variables) => {
          const next = { ...draft, variables };
          if (variables.length < draft.variables.length) changeGuarded(next, 'Remove anyway');
          else change(next);
        }}
        problems={problems}
      />
      <StepsPart
        draft={draft}
        problems={problems}
        onChange={change}
        onGuarded={changeGuarded}
        onTestUpTo={(stepId) => {
          const region = draft.regions[0] ?? regions[0];
          if (region !== undefined && !test.isPending) test.start(region, stepId);
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
