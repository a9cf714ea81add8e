/** The form of a definition: its fields or YAML, its problems, and the save button. */
import { Alert, Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, Suspense, use, useState } from 'react';
import { CodeEditor } from '../editor/code-editor';
import { FaultLinks, formatTitle } from '../form/problems/fault-summary';
import { afterLabel, formatLabel } from '../form/problems/labels';
import type { Problems } from '../form/problems/problems';
import { fieldAt } from '../form/problems/problems';
import { loadWhenReached } from '../loading/load-when-reached';
import { TEXT } from '../text/strings';
import { Loading } from '../ui/loading';
import { ProblemNote } from '../ui/problem-note';
import classes from './definition-form.module.css';
import type { DefinitionKind } from './definition-kind';
import { LayeringContext } from './origin-note';
import { TEST_SLOT_ID } from './test-controls';
import type { Definition } from './use-definition';
import type { Layering } from './use-layers';

type YamlText = typeof import('./yaml-text');

let loading: Promise<YamlText> | null = null;

/** The YAML library is a separate chunk; components suspend while it loads. */
function loadYamlText(): Promise<YamlText> {
  loading ??= loadWhenReached(() => import('./yaml-text'))();
  return loading;
}

interface DefinitionYamlProps<Draft> {
  readonly kind: DefinitionKind<Draft>;
  readonly draft: Draft;
  readonly onChange: (next: Draft) => void;
  readonly onProblems: (problems: Problems) => void;
}

/** The definition as YAML. The typed text becomes the draft as soon as it is valid. */
function DefinitionYaml<Draft>(props: DefinitionYamlProps<Draft>) {
  const { kind, draft, onChange, onProblems } = props;
  const { readYaml, toYaml } = use(loadYamlText());
  const [shown] = useState(draft);
  const [text, setText] = useState(() => toYaml(kind, draft));
  const [problems, setProblems] = useState<Problems>([]);
  const take = (typed: string): void => {
    setText(typed);
    const read = readYaml(kind, typed, shown);
    const found = read.ok ? [] : read.problems;
    setProblems(found);
    onProblems(found);
    if (read.ok) onChange(read.draft);
  };
  return (
    <Stack gap="xs">
      <CodeEditor
        label={`${kind.title} as YAML`}
        language="yaml"
        value={text}
        onChange={take}
        minLines={24}
        isInvalid={problems.length > 0}
      />
      {problems.map(({ path, message }) => (
        <Text key={`${path}${message}`} size="sm" c="var(--mantine-color-error)">
          <b>{formatLabel(path)}</b>
          {afterLabel(message)}
        </Text>
      ))}
    </Stack>
  );
}

interface DefinitionFormProps<Draft> {
  readonly definition: Definition<Draft>;
  readonly children: ReactNode;
}

/** The form element with its footer. The children contain a `DefinitionView`. */
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
        {children}
        <DefinitionFoot definition={definition} button="submit" />
      </Stack>
    </form>
  );
}

/** Shows either the fields or the YAML. */
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
  /** `submit` if the button belongs to a form that saves. */
  readonly button?: 'submit' | 'button';
}

export function DefinitionFoot<Draft>(props: DefinitionFootProps<Draft>) {
  const { definition, warnings = [], stepNames = [], button = 'button' } = props;
  const { kind, saved, shown, refusal } = definition;
  return (
    <>
      <FaultList problems={shown} warnings={warnings} stepNames={stepNames} />
      <Stack className={classes['foot'] ?? ''} gap="sm" data-form-foot>
        {refusal !== null && <ProblemNote problem={refusal} />}
        <Group className={classes['actions'] ?? ''}>
          <Button
            type={button}
            onClick={button === 'button' ? definition.save : undefined}
            loading={definition.isSaving}
            disabled={definition.isBlocked}
          >
            {saved === null ? kind.createWord : TEXT.save}
          </Button>
          <span id={TEST_SLOT_ID} className={classes['slot']} />
          <Button variant="subtle" color="gray" onClick={definition.cancel}>
            {TEXT.cancel}
          </Button>
          {saved !== null && (
            <Text size="sm" c="dimmed" visibleFrom="sm">
              Version {saved.version}
            </Text>
          )}
        </Group>
      </Stack>
    </>
  );
}

interface FaultListProps {
  readonly problems: Problems;
  readonly warnings?: Problems;
  /** The names of a scenario's steps, in their order. */
  readonly stepNames?: readonly string[];
}

/** Lists the problems of the draft and the warnings. Each entry leads to its field. */
function FaultList({ problems, warnings = [], stepNames = [] }: FaultListProps) {
  return (
    <div role="status">
      {problems.length > 0 && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={formatTitle(problems, 'continue')}
        >
          <FaultLinks problems={problems} stepNames={stepNames} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert mt="sm" variant="default" icon={<IconInfoCircle aria-hidden />} title="Warnings">
          <FaultLinks problems={warnings} stepNames={stepNames} />
        </Alert>
      )}
    </div>
  );
}

interface ProfileFieldProps {
  readonly layering: Layering;
  readonly problems: Problems;
}

/** The profile of a definition. Renders nothing if the account has no profiles. */
function ProfileField({ layering, problems }: ProfileFieldProps) {
  const { profiles, chosen, choose } = layering;
  if (profiles.length === 0 && chosen === null) return null;
  const known = profiles.map(({ key, name }) => ({ value: key, label: name }));
  const isKnown = chosen === null || known.some(({ value }) => value === chosen);
  return (
    <Select
      label="Profile"
      description="Gives the values of fields that are not set here."
      placeholder="None"
      data={isKnown ? known : [...known, { value: chosen, label: chosen }]}
      value={chosen}
      onChange={choose}
      clearable
      clearButtonProps={{ 'aria-label': 'Use no profile' }}
      maw={400}
      {...fieldAt(problems, 'profile')}
    />
  );
}
