/** The repositories whose CI runs get access without a stored API key. A new pipeline shows how to set it up. */
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../../../domain/accounts/pipeline-claims';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Pipeline } from '../../../shared/data/api-types';
import { Dialog } from '../../../shared/dialog/dialog';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem } from '../../../shared/ui/card-list';
import { CopyField } from '../../../shared/ui/copy-field';
import { SmallButton } from '../../../shared/ui/small-button';
import { accessWords } from '../api-keys/strings';
import { ObjectSection } from '../object-section';
import { PipelineForm } from './pipeline-form';
import { buildSnippet } from './pipeline-snippet';
import { TEXT } from './strings';

const SIGNERS: Readonly<Record<string, string>> = {
  [GITHUB_ISSUER]: 'GitHub',
  [GITLAB_ISSUER]: 'GitLab',
};

export function PipelinesSection() {
  const [shown, setShown] = useState<Pipeline | null>(null);
  return (
    <>
      <ObjectSection<Pipeline>
        path="/v1/pipelines"
        text={TEXT}
        mayAdd="admin"
        label="Pipelines"
        card={(pipeline) => (
          <PipelineCard key={pipeline.id} pipeline={pipeline} onShow={() => setShown(pipeline)} />
        )}
        form={(_pipeline, close) => (
          <PipelineForm
            onClose={(added) => {
              close();
              setShown(added);
            }}
          />
        )}
      />
      {shown !== null && <PipelineSetup pipeline={shown} onClose={() => setShown(null)} />}
    </>
  );
}

interface PipelineProps {
  readonly pipeline: Pipeline;
  readonly onShow: () => void;
}

function PipelineCard({ pipeline, onShow }: PipelineProps) {
  return (
    <CardItem
      name={pipeline.name}
      about={describePipeline(pipeline)}
      actions={<Actions pipeline={pipeline} onShow={onShow} />}
    >
      <Text size="sm" c="dimmed">
        {accessWords(pipeline.scopes)} · created <RelativeTime at={pipeline.createdAt} />
      </Text>
    </CardItem>
  );
}

/** `acme/shop, main · signed by GitHub`. */
function describePipeline({ repository, branch, issuer }: Pipeline): string {
  return `${repository}, ${branch ?? TEXT.everyBranch} · signed by ${SIGNERS[issuer] ?? issuer}`;
}

function Actions({ pipeline, onShow }: PipelineProps) {
  const { id, name, repository } = pipeline;
  return (
    <>
      <SmallButton onClick={onShow} aria-label={`${TEXT.setUp} ${name}`}>
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

interface PipelineSetupProps {
  readonly pipeline: Pipeline;
  readonly onClose: () => void;
}

/** The id of a pipeline, and the lines for its CI configuration, to be copied. */
function PipelineSetup({ pipeline, onClose }: PipelineSetupProps) {
  const { id, name, repository } = pipeline;
  const { file, text } = buildSnippet(pipeline, window.location.origin);
  return (
    <Dialog title={`Set up “${name}”`} size="lg" onClose={onClose}>
      <Stack>
        <Text size="sm">
          Add these lines to the CI configuration of {repository}. No secret is needed: each run
          exchanges its ID token for a key that is valid for 15 minutes.
        </Text>
        <CopyField label="Pipeline ID" value={id} />
        <CopyField label={file} value={text} />
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
}
