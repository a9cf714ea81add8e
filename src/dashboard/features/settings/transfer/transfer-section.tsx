/** Exports the objects of the account as a file, and imports a file after showing a plan of the changes. */
import {
  Alert,
  Button,
  Checkbox,
  FileButton,
  Group,
  Paper,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiProblem, get } from '../../../shared/data/api';
import type { AppliedSet, ExportedSet } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { useReading } from '../../../shared/form/use-reading';
import { faultAt } from '../../../shared/text/faults';
import { Heading } from '../../../shared/ui/heading';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { AppliedTable } from './applied-table';
import { readSet } from './read-set';

export function TransferSection() {
  const mayWrite = useCan('write');
  return (
    <Stack gap="xl">
      <ExportPart />
      {mayWrite && (
        <section>
          <Heading mb="xs">Import</Heading>
          <Paper withBorder p="md">
            <Text c="dimmed" mb="md">
              Creates and changes what the file defines (JSON or YAML). You see the plan first.
              Nothing changes until you apply it.
            </Text>
            <ImportForm />
          </Paper>
        </section>
      )}
    </Stack>
  );
}

function ExportPart() {
  const { mutate, isPending, error } = useMutation<ExportedSet, ApiProblem>({
    mutationFn: () => get<ExportedSet>('/v1/export'),
    onSuccess: (set) => saveAs('keepwatch.json', `${JSON.stringify(set, null, 2)}\n`),
  });
  return (
    <section>
      <Heading mb="xs">Export</Heading>
      <Paper withBorder p="md">
        <Text c="dimmed" mb="md">
          All monitors, scenarios, alert channels, policies and routes, hours, environments,
          variables, maintenance windows and status pages in one file. Values of secrets are not
          included.
        </Text>
        <Button
          variant="default"
          loading={isPending}
          onClick={() => mutate()}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download the export
        </Button>
        {error !== null && <ProblemNote problem={error} />}
      </Paper>
    </section>
  );
}

function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

type ApplyBody = Readonly<Record<string, unknown>>;
type Fault = (path: string) => string | null;

interface Choice {
  readonly file: File | null;
  /** The name of the applied set (`set` in the API). */
  readonly name: string;
  readonly prune: boolean;
}

const FIRST_CHOICE: Choice = { file: null, name: 'default', prune: false };
const EVERYTHING = ['/v1/'];

/**
 * Imports a file in steps: choose the file, review the plan, apply the plan. Only the objects of the reviewed plan are
 * applied.
 */
function ImportForm() {
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const [unread, setUnread] = useState<string | null>(null);
  const [body, setBody] = useState<ApplyBody | null>(null);
  const plan = useChange<AppliedSet>([]);
  const apply = useChange<AppliedSet>(EVERYTHING);
  const showPlan = (text: string): void => {
    const found = readSet(text);
    if (!found.ok) {
      setUnread(`This file cannot be imported: ${found.reason}`);
      return;
    }
    const wanted = { ...found.set, set: choice.name, prune: choice.prune };
    setBody(wanted);
    plan.mutate({ method: 'POST', path: '/v1/apply', body: { ...wanted, dryRun: true } });
  };
  const read = useReading(showPlan);
  /** Stores the choice, and discards the plan for the previous choice. */
  const choose = (chosen: Choice): void => {
    setChoice(chosen);
    setBody(null);
    setUnread(null);
    plan.reset();
    apply.reset();
    read(null);
  };
  const readChosen = (event: FormEvent): void => {
    event.preventDefault();
    choose(choice);
    if (choice.file === null) setUnread('Choose a file first.');
    else read(choice.file.text());
  };
  const problem = apply.error ?? plan.error;
  return (
    <>
      <form onSubmit={readChosen}>
        <ChoiceFields
          choice={choice}
          onChange={choose}
          isPending={plan.isPending}
          findFault={(path) => faultAt(problem, path)}
        />
      </form>
      {unread !== null && (
        <Alert role="alert" color="red" variant="outline" mt="md">
          {unread}
        </Alert>
      )}
      {problem !== null && <ProblemNote problem={problem} />}
      {apply.data !== undefined && <AppliedTable title="Result" applied={apply.data} />}
      {plan.data !== undefined && apply.data === undefined && (
        <AppliedTable title="Plan" applied={plan.data}>
          {hasWork(plan.data) && (
            <Button
              loading={apply.isPending}
              color={plan.data.summary.delete > 0 ? 'red' : 'watch'}
              onClick={() => apply.mutate({ method: 'POST', path: '/v1/apply', body })}
            >
              {plan.data.summary.delete > 0
                ? `Apply and remove ${plan.data.summary.delete}`
                : 'Apply'}
            </Button>
          )}
        </AppliedTable>
      )}
    </>
  );
}

interface ChoiceFieldsProps {
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
  readonly isPending: boolean;
  readonly findFault: Fault;
}

function ChoiceFields({ choice, onChange, isPending, findFault }: ChoiceFieldsProps) {
  const change = (patch: Partial<Choice>): void => onChange({ ...choice, ...patch });
  return (
    <Stack>
      <Group gap="sm">
        <FileButton
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={(file) => change({ file })}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              {choice.file === null ? 'Choose a file' : 'Choose another file'}
            </Button>
          )}
        </FileButton>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {choice.file?.name ?? 'No file chosen'}
        </Text>
      </Group>
      <TextInput
        maw="var(--kw-form)"
        label="Import name"
        description="Use the same name each time you import this file."
        required
        value={choice.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={findFault('set')}
      />
      <Checkbox
        label="Remove what an earlier import under this name created and the file no longer has"
        checked={choice.prune}
        onChange={({ currentTarget }) => change({ prune: currentTarget.checked })}
        error={findFault('prune')}
      />
      <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
        Show the plan
      </Button>
    </Stack>
  );
}

function hasWork({ summary }: AppliedSet): boolean {
  return summary.create + summary.update + summary.delete > 0;
}
