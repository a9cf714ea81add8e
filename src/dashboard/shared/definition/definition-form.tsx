/** The form of a definition: its fields or YAML, its problems, and the save button. */
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import type { Problems } from '../form/problems';
import { TEXT } from '../text/strings';
import { Loading } from '../ui/loading';
import { ProblemNote } from '../ui/problem-note';
import classes from './definition-form.module.css';
import { DefinitionYaml } from './definition-yaml';
import { FaultList } from './fault-list';
import { LayeringContext } from './origin-note';
import { ProfileField } from './profile-field';
import type { Definition } from './use-definition';

interface DefinitionFormProps<Draft> {
  readonly definition: Definition<Draft>;
  readonly children: ReactNode;
}

export function DefinitionForm<Draft>({ definition, children }: DefinitionFormProps<Draft>) {
  return (
    <form
      noValidate
      aria-label={definition.kind.title}
      onSubmit={(event) => {
        event.preventDefault();
        definition.save();
      }}
    >
      <Stack>
        <DefinitionView definition={definition}>{children}</DefinitionView>
        <DefinitionFoot definition={definition} button="submit" />
      </Stack>
    </form>
  );
}

/** The fields, or the YAML. */
export function DefinitionView<Draft>({ definition, children }: DefinitionFormProps<Draft>) {
  const { kind, draft, change, view, setView, setYamlProblems } = definition;
  const { layering, problems } = definition;
  return (
    <LayeringContext value={layering}>
      <ProfileField layering={layering} problems={problems} />
      <SegmentedControl
        aria-label="Definition view"
        value={view}
        onChange={setView}
        data={[
          { value: 'form', label: 'Form' },
          { value: 'yaml', label: 'YAML' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {view === 'form' ? (
        children
      ) : (
        <Suspense fallback={<Loading />}>
          <DefinitionYaml
            kind={kind}
            draft={draft}
            onChange={change}
            onProblems={setYamlProblems}
          />
        </Suspense>
      )}
    </LayeringContext>
  );
}

interface DefinitionFootProps<Draft> {
  readonly definition: Definition<Draft>;
  readonly warnings?: Problems;
  /** The names of a scenario's steps, in their order. */
  readonly stepNames?: readonly string[];
  /** `submit` if the button is in a form that saves. */
  readonly button?: 'submit' | 'button';
}

export function DefinitionFoot<Draft>(props: DefinitionFootProps<Draft>) {
  const { definition, warnings = [], stepNames = [], button = 'button' } = props;
  const { kind, saved, shown, refusal } = definition;
  return (
    <>
      <FaultList problems={shown} warnings={warnings} stepNames={stepNames} />
      <Stack className={classes['foot'] ?? ''} gap="sm">
        {refusal !== null && <ProblemNote problem={refusal} />}
        <Group>
          <Button
            type={button}
            onClick={button === 'button' ? definition.save : undefined}
            loading={definition.isSaving}
            disabled={definition.isBlocked}
          >
            {saved === null ? kind.createWord : TEXT.save}
          </Button>
          <Button variant="subtle" color="gray" onClick={definition.cancel}>
            {TEXT.cancel}
          </Button>
          {saved !== null && (
            <Text size="sm" c="dimmed">
              Version {saved.version}
            </Text>
          )}
        </Group>
      </Stack>
    </>
  );
}
