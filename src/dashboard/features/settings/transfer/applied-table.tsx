/** The changes that applying a set would make or has made, object by object. */
import { Alert, Code, List, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppliedSet } from '../../../shared/data/api-types';
import { CopyField } from '../../../shared/ui/copy-field';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TableHead } from '../../../shared/ui/table-head';
import { ACTION_WORDS, KIND_WORDS, OUTCOME_WORDS } from './strings';

type Applied = AppliedSet['objects'][number];

interface AppliedTableProps {
  readonly title: string;
  readonly applied: AppliedSet;
  readonly children?: ReactNode;
}

export function AppliedTable({ title, applied, children }: AppliedTableProps) {
  const shown = applied.objects.filter(
    ({ action, outcome }) => action !== 'unchanged' || outcome === 'failed',
  );
  return (
    <Stack component="section" mt="lg" align="flex-start">
      <div role="status">
        <Title order={3} size="h5">
          {title}
        </Title>
        <Text size="sm">{summaryWords(applied)}</Text>
      </div>
      {applied.missingSecrets.length > 0 && (
        <Alert color="yellow" variant="outline">
          These secrets do not exist yet: {applied.missingSecrets.join(', ')}
        </Alert>
      )}
      {applied.objects.map(({ signingSecret, key, name }) =>
        signingSecret === undefined ? null : (
          <CopyField
            key={key ?? name}
            label={`Signing secret of ${name ?? key ?? ''}`}
            value={signingSecret}
          />
        ),
      )}
      {shown.length === 0 ? (
        <Text>No changes: everything matches the file.</Text>
      ) : (
        <Objects objects={shown} />
      )}
      {children}
    </Stack>
  );
}

function summaryWords({ dryRun, summary }: AppliedSet): string {
  const { create, update, delete: gone, unchanged, failed, skipped } = summary;
  return [
    dryRun ? `${create} to create` : `${create} created`,
    dryRun ? `${update} to change` : `${update} changed`,
    dryRun ? `${gone} to remove` : `${gone} removed`,
    `${unchanged} unchanged`,
    ...(failed > 0 ? [`${failed} with a problem`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
}

function Objects({ objects }: { readonly objects: readonly Applied[] }) {
  return (
    <ScrollBox label="Items in this set" minWidth={560}>
      <Table fz="sm">
        <TableHead columns={['Action', 'Type', 'Name', 'Changes']} />
        <Table.Tbody>
          {objects.map((object) => (
            <Table.Tr key={`${object.kind} ${object.index ?? object.id} ${object.action}`}>
              <Table.Td>
                <b>{ACTION_WORDS[object.action]}</b>, {OUTCOME_WORDS[object.outcome]}
              </Table.Td>
              <Table.Td>{KIND_WORDS[object.kind]}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {object.name ?? '–'} {object.key !== null && <Code>{object.key}</Code>}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Changes object={object} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Changes({ object: { action, changes, problem } }: { readonly object: Applied }) {
  if (problem !== null) {
    return (
      <>
        {problem.detail}
        <List size="sm">
          {problem.errors.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <b>{path}</b> {message}
            </List.Item>
          ))}
        </List>
      </>
    );
  }
  if (action !== 'update') return null;
  return (
    <List size="sm">
      {changes.map(({ path, before, after }) => (
        <List.Item key={path}>
          <b>{path}</b>: <del>{JSON.stringify(before)}</del> → <ins>{JSON.stringify(after)}</ins>
        </List.Item>
      ))}
    </List>
  );
}
