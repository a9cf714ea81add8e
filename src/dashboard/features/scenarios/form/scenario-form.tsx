/** The builder of a scenario: form or YAML of the same object, Test now, and saving. */
import { Card, Stack, Title } from '@mantine/core';
import { useRef } from 'react';
import { DefinitionFoot, DefinitionView } from '../../../shared/definition/definition-form';
import type { Saved } from '../../../shared/definition/use-definition';
import { tell } from '../../../shared/ui/notify';
import { BUILDER_TEXT } from '../builder/builder-strings';
import { StepsPart } from '../builder/steps-part';
import { type Builder, useBuilder } from '../builder/use-builder';
import type { Draft } from '../draft/draft';
import { withAssertion, withExtraction } from '../draft/draft-changes';
import { GeneralFields, MoreFields, VariablesPart } from './scenario-fields';
import { TestPanel } from './test-panel';
import { type DraftTest, useDraftTest } from './use-draft-test';

interface ScenarioFormProps {
  readonly initial: Draft;
  /** null: it is a new one. */
  readonly saved: Saved | null;
}

export function ScenarioForm({ initial, saved }: ScenarioFormProps) {
  const builder = useBuilder(initial, saved);
  const { draft, warnings } = builder;
  const testPart = useRef<HTMLDivElement>(null);
  const test = useDraftTest(draft);
  const goToTest = (stepId: string): void => {
    test.setUpTo(stepId);
    testPart.current?.scrollIntoView({ block: 'start' });
    testPart.current?.querySelector('button')?.focus({ preventScroll: true });
  };
  return (
    <Stack>
      <DefinitionView definition={builder}>
        <Stack onBlur={builder.settle}>
          <Fields builder={builder} onTestUpTo={goToTest} />
        </Stack>
      </DefinitionView>
      <Card withBorder ref={testPart}>
        <Title order={2} size="h4" mb="sm">
          {BUILDER_TEXT.test}
        </Title>
        <Test builder={builder} test={test} />
      </Card>
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
  readonly onTestUpTo: (stepId: string) => void;
}

function Fields({ builder, onTestUpTo }: FieldsProps) {
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
        onTestUpTo={onTestUpTo}
      />
      <MoreFields draft={draft} set={patch} problems={problems} />
    </>
  );
}

interface TestProps {
  readonly builder: Builder;
  readonly test: DraftTest;
}

function Test({ builder: { draft, change }, test }: TestProps) {
  return (
    <TestPanel
      draft={draft}
      test={test}
      onExtract={(stepId, variable, path) => {
        change(withExtraction(draft, stepId, variable, path));
        tell(`{{${variable}}} will be extracted.`);
      }}
      onAssert={(stepId, assertion) => {
        change(withAssertion(draft, stepId, assertion));
        tell('Assertion added.');
      }}
    />
  );
}
