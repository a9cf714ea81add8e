/** Pipelines with their repositories and access, and buttons to set each up and to delete it. */
import { Text } from '@mantine/core';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../../../domain/accounts/pipeline-claims';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Pipeline } from '../../../shared/data/api-types';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { SmallButton } from '../../../shared/ui/small-button';
import { accessWords } from '../api-keys/strings';
import { TEXT } from './strings';

const SIGNERS: Readonly<Record<string, string>> = {
  [GITHUB_ISSUER]: 'GitHub',
  [GITLAB_ISSUER]: 'GitLab',
};

interface PipelineListProps {
  readonly pipelines: readonly Pipeline[];
  readonly onShow: (pipeline: Pipeline) => void;
}

export function PipelineList({ pipelines, onShow }: PipelineListProps) {
  return (
    <CardList label="Pipelines">
      {pipelines.map((pipeline) => (
        <CardItem
          key={pipeline.id}
          name={pipeline.name}
          about={describePipeline(pipeline)}
          actions={<Actions pipeline={pipeline} onShow={onShow} />}
        >
          <Text size="sm" c="dimmed">
            {accessWords(pipeline.scopes)} · created <RelativeTime at={pipeline.createdAt} />
          </Text>
        </CardItem>
      ))}
    </CardList>
  );
}

/** `acme/shop, main · signed by GitHub`. */
function describePipeline({ repository, branch, issuer }: Pipeline): string {
  return `${repository}, ${branch ?? TEXT.everyBranch} · signed by ${SIGNERS[issuer] ?? issuer}`;
}

interface ActionsProps {
  readonly pipeline: Pipeline;
  readonly onShow: (pipeline: Pipeline) => void;
}

function Actions({ pipeline, onShow }: ActionsProps) {
  const { id, name, repository } = pipeline;
  return (
    <>
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
    </>
  );
}
