/** Pipelines in a table: whose runs get access, their scopes, and a button that ends the access. */
import { Code, Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Pipeline } from '../../../shared/data/api-types';
import { RowTable } from '../../../shared/list/row-table';
import { RelativeTime } from '../../../shared/text/time';
import { TEXT } from './strings';

export function PipelineTable({ pipelines }: { readonly pipelines: readonly Pipeline[] }) {
  return (
    <RowTable
      label="Pipelines"
      rows={pipelines}
      columns={{
        Name: ({ id, name }) => (
          <>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Code>{id}</Code>
          </>
        ),
        'Runs of': ({ repository, branch, issuer }) => (
          <span style={{ overflowWrap: 'anywhere' }}>
            {repository}, {branch ?? TEXT.everyBranch}
            <Text size="xs" c="dimmed">
              {issuer}
            </Text>
          </span>
        ),
        Scopes: ({ scopes }) => scopes.join(', '),
        Created: ({ createdAt }) => <RelativeTime at={createdAt} />,
        Action: ({ id, name }) => (
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
        ),
      }}
    />
  );
}
