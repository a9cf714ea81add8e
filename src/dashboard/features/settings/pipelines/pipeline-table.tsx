/** Pipelines with their repositories and access, and buttons to set each up and to delete it. */
import { Group, Text } from '@mantine/core';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../../../domain/accounts/pipeline-claims';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Pipeline } from '../../../shared/data/api-types';
import { RowTable } from '../../../shared/list/row-table';
import { RelativeTime } from '../../../shared/text/time';
import { SmallButton } from '../../../shared/ui/small-button';
import { accessWords } from '../api-keys/strings';
import { TEXT } from './strings';

const SIGNERS: Readonly<Record<string, string>> = {
  [GITHUB_ISSUER]: 'GitHub',
  [GITLAB_ISSUER]: 'GitLab',
};

interface PipelineTableProps {
  readonly pipelines: readonly Pipeline[];
  readonly onShow: (pipeline: Pipeline) => void;
}

export function PipelineTable({ pipelines, onShow }: PipelineTableProps) {
  return (
    <RowTable
      label="Pipelines"
      rows={pipelines}
      columns={{
        Name: ({ name }) => (
          <Text size="sm" fw={600}>
            {name}
          </Text>
        ),
        'Runs of': ({ repository, branch, issuer }) => (
          <span style={{ overflowWrap: 'anywhere' }}>
            {repository}, {branch ?? TEXT.everyBranch}
            <Text size="xs" c="dimmed">
              signed by {SIGNERS[issuer] ?? issuer}
            </Text>
          </span>
        ),
        Access: ({ scopes }) => <span title={scopes.join(', ')}>{accessWords(scopes)}</span>,
        Created: ({ createdAt }) => <RelativeTime at={createdAt} />,
        Action: (pipeline) => <Actions pipeline={pipeline} onShow={onShow} />,
      }}
    />
  );
}

interface ActionsProps {
  readonly pipeline: Pipeline;
  readonly onShow: (pipeline: Pipeline) => void;
}

function Actions({ pipeline, onShow }: ActionsProps) {
  const { id, name, repository } = pipeline;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <SmallButton onClick={() => onShow(pipeline)} aria-label={`${TEXT.setUp} ${name}`}>
        {TEXT.setUp}
      </SmallButton>
      <DeleteButton
        path={`/v1/pipelines/${id}`}
        touches={['/v1/pipelines', '/v1/api-keys']}
        label={`Delete ${name}`}
        question={{
          title: `Delete “${name}”?`,
          text: `Runs of ${repository} get no more keys, and the keys of runs in progress end. A new pipeline has another ID. This can’t be undone.`,
        }}
        done="Pipeline deleted."
      />
    </Group>
  );
}
