/** The builder of a scenario: form or YAML of the same object, Test now, and saving. */
import { Button, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Scenario } from '../../../shared/data/api-types';
import type { Problems } from '../../../shared/form/problems';
import { useGoBack, useUnsaved } from '../../../shared/form/unsaved';
import { useFormKey } from '../../../shared/form/use-form-key';
import { TEXT } from '../../../shared/text/strings';
import { Loading } from '../../../shared/ui/loading';
import { tell } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { BUILDER_TEXT } from '../builder/builder-strings';
import { StepsPart } from '../builder/steps-part';
import { type Builder, useBuilder } from '../builder/use-builder';
import type { Draft } from '../draft/draft';
import { withAssertion, withExtraction } from '../draft/draft-changes';
import { FaultList } from './fault-list';
import { GeneralFields, MoreFields, VariablesPart } from './scenario-fields';
import { TestPanel } from './test-panel';
import { type DraftTest, useDraftTest } from './use-draft-test';

const ScenarioYaml = lazy(() =>
  import('./scenario-yaml').then((loaded) => ({ default: loaded.ScenarioYaml })),
);

interface ScenarioFormProps {
  readonly initial: Draft;
  /** null: it is a new one. */
  readonly saved: Scenario | null;
}

type View = 'form' | 'yaml';

export function ScenarioForm({ initial, saved }: ScenarioFormProps) {
  const builder = useBuilder(initial, saved);
  const { draft, change } = builder;
  const [view, setView] = useState<View>('form');
  const [yamlProblems, setYamlProblems] = useState<Problems>([]);
  const testPart = useRef<HTMLDivElement>(null);
  const test = useDraftTest(draft);
  const goBack = useGoBack(saved === null ? '/scenarios' : `/scenarios/${saved.id}`);
  useUnsaved(contentOf(draft), yamlProblems.length > 0);
  const isBlocked = view === 'yaml' && yamlProblems.length > 0;
  useFormKey('mod+S', () => !isBlocked && !builder.isSaving && builder.save());
  const goToTest = (stepId: string): void => {
    test.setUpTo(stepId);
    testPart.current?.scrollIntoView({ block: 'start' });
    testPart.current?.querySelector('button')?.focus({ preventScroll: true });
  };
  return (
    <Stack>
      <SegmentedControl
        aria-label="Definition view"
        value={view}
        onChange={(next) => !isBlocked && setView(next)}
        data={[
          { value: 'form', label: 'Form' },
          { value: 'yaml', label: 'YAML' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {view === 'form' ? (
        <Stack onBlur={builder.settle}>
          <Fields builder={builder} onTestUpTo={goToTest} />
        </Stack>
      ) : (
        <Suspense fallback={<Loading />}>
          <ScenarioYaml draft={draft} onChange={change} onProblems={setYamlProblems} />
        </Suspense>
      )}
      <Card withBorder ref={testPart}>
        <Title order={2} size="h4" mb="sm">
          {BUILDER_TEXT.test}
        </Title>
        <Test builder={builder} test={test} />
      </Card>
      <FaultList problems={builder.shown} warnings={builder.warnings} draft={draft} />
      {builder.refusal !== null && <ProblemNote problem={builder.refusal} />}
      <Group>
        <Button onClick={builder.save} loading={builder.isSaving} disabled={isBlocked}>
          {saved === null ? BUILDER_TEXT.create : TEXT.save}
        </Button>
        <Button variant="subtle" color="gray" onClick={goBack}>
          {TEXT.cancel}
        </Button>
        {saved !== null && (
          <Text size="sm" c="dimmed">
            Version {saved.version}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

/** Without the keys of steps: the same scenario as YAML has others. */
function contentOf(draft: Draft): unknown {
  return { ...draft, steps: draft.steps.map((step) => ({ ...step, id: '' })) };
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
      <GeneralFields draft={draft} onChange={patch} problems={problems} />
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
      <MoreFields draft={draft} onChange={patch} problems={problems} />
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
