/** Exports everything as a file, and imports a file after showing a plan. */
import { Button, Paper, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ApiProblem, get } from '../../../shared/data/api';
import type { ExportedSet } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { Heading } from '../../../shared/ui/heading';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { ImportForm } from './import-form';

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
