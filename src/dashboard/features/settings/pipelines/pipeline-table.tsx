/** Pipelines with whose runs they let in, what these may do, and how to end that. */
import { Code, Paper, Table, Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Pipeline } from '../../../shared/data/api-types';
import { RelativeTime } from '../../../shared/text/time';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TableHead } from '../../../shared/ui/table-head';
import { TEXT } from './strings';

const MIN_WIDTH = 640;

export function PipelineTable({ pipelines }: { readonly pipelines: readonly Pipeline[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Pipelines" minWidth={MIN_WIDTH}>
        <Table verticalSpacing="xs">
          <TableHead columns={['Name', 'Runs of', 'Scopes', 'Created', 'Action']} />
          <Table.Tbody>
            {pipelines.map((pipeline) => (
              <PipelineRow key={pipeline.id} pipeline={pipeline} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

function PipelineRow({ pipeline }: { readonly pipeline: Pipeline }) {
  const { id, name, repository, branch, issuer, scopes, createdAt } = pipeline;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {name}
        <br />
        <Code>{id}</Code>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {repository}, {branch ?? TEXT.everyBranch}
        <Text size="xs" c="dimmed">
          {issuer}
        </Text>
      </Table.Td>
      <Table.Td>{scopes.join(', ')}</Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <DeleteButton
          path={`/v1/pipelines/${id}`}
          touches={['/v1/pipelines', '/v1/api-keys']}
          label={`Delete ${name}`}
          question={{
            title: `Delete “${name}”?`,
            text: 'Its runs get no more keys, and the keys of runs in progress end. This can’t be undone.',
          }}
          done="Pipeline deleted."
        />
      </Table.Td>
    </Table.Tr>
  );
}
