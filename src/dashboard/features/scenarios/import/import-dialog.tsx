/** Imports steps from another tool's file. The user chooses which steps to add. */
import { Alert, Button, Checkbox, FileInput, Group, List, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { STEPS_MAX } from '../../../../contracts/definition';
import { type FoundRequests, toStepFields } from '../../../../formats/found-requests';
import { type FoundInFile, readRequests } from '../../../../formats/read-requests';
import { Dialog } from '../../../shared/dialog/dialog';
import { useReading } from '../../../shared/form/use-reading';
import { TEXT } from '../../../shared/text/strings';
import classes from '../builder/builder.module.css';
import { BUILDER_TEXT } from '../builder/builder-strings';
import { type DraftStep, toDraftStep } from '../draft/draft';

interface ImportDialogProps {
  /** How many steps can still be added to the scenario. */
  readonly room: number;
  readonly onImport: (
    steps: readonly DraftStep[],
    variables: Readonly<Record<string, string>>,
  ) => void;
  readonly onClose: () => void;
}

export function ImportDialog({ room, onImport, onClose }: ImportDialogProps) {
  const [imported, setImported] = useState<FoundInFile | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const show = (next: FoundInFile | null): void => {
    setImported(next);
    setChosen(new Set(next?.ok === true ? listWanted(next.found, room) : []));
  };
  const read = useReading(show);
  const choose = (file: File | null): void => {
    show(null);
    read(file === null ? null : file.text().then(readRequests));
  };
  const found = imported?.ok === true ? imported.found : null;
  const add = (): void => {
    if (found === null) return;
    const steps = found.requests
      .filter((_, index) => chosen.has(index))
      .map((request) => toDraftStep(toStepFields(request)));
    onImport(steps, found.variables);
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={BUILDER_TEXT.importFile} size="lg">
      <Stack>
        <FileInput
          label="File"
          description="HAR recording, Postman collection or OpenAPI document; it is read in this browser."
          placeholder="Choose a file"
          accept=".har,.json,.yaml,.yml"
          leftSection={<IconFileImport size={16} aria-hidden />}
          onChange={choose}
          error={imported?.ok === false ? imported.problem : undefined}
          data-autofocus
        />
        {found !== null && <Choice found={found} chosen={chosen} onChoose={setChosen} />}
        {chosen.size > room && (
          <Text size="sm" c="var(--mantine-color-error)">
            A scenario has at most {STEPS_MAX} steps: choose {room} or fewer.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {TEXT.cancel}
          </Button>
          <Button onClick={add} disabled={chosen.size === 0 || chosen.size > room}>
            {chosen.size === 1 ? 'Add 1 step' : `Add ${chosen.size} steps`}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Indexes of the requests that the user probably wants, up to the limit of a scenario. */
function listWanted({ requests }: FoundRequests, room: number): readonly number[] {
  return requests
    .map(({ isWanted }, index) => (isWanted ? index : -1))
    .filter((index) => index !== -1)
    .slice(0, room);
}

interface ChoiceProps {
  readonly found: FoundRequests;
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (chosen: ReadonlySet<number>) => void;
}

function Choice({ found, chosen, onChoose }: ChoiceProps) {
  const toggle = (index: number): void => {
    const next = new Set(chosen);
    if (!next.delete(index)) next.add(index);
    onChoose(next);
  };
  const all = found.requests.map((_, index) => index);
  return (
    <>
      <Checkbox
        label={`${found.source}: ${chosen.size} of ${found.requests.length} requests`}
        checked={chosen.size === all.length}
        indeterminate={chosen.size > 0 && chosen.size < all.length}
        onChange={() => onChoose(new Set(chosen.size === all.length ? [] : all))}
      />
      <Stack gap={6} className={classes['choices'] ?? ''}>
        {found.requests.map(({ name, method, url }, index) => (
          <Checkbox
            // A recording may contain identical requests.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
            key={index}
            checked={chosen.has(index)}
            onChange={() => toggle(index)}
            label={name}
            description={
              <span className={classes['command']}>
                {method} {url}
              </span>
            }
            styles={{ description: { overflowWrap: 'anywhere' } }}
          />
        ))}
      </Stack>
      {found.notes.length > 0 && (
        <Alert variant="default" title="Warnings">
          <List size="sm">
            {found.notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}
