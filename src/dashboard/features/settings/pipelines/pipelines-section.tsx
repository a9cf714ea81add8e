/** The repositories whose CI runs get access without a stored API key. A new pipeline shows how to set it up. */

import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Pipeline } from '../../../shared/data/api-types';
import { Dialog } from '../../../shared/dialog/dialog';
import { CopyField } from '../../../shared/ui/copy-field';
import { SettingsList } from '../settings-list';
import { PipelineForm } from './pipeline-form';
import { PipelineList } from './pipeline-list';
import { buildSnippet } from './pipeline-snippet';
import { TEXT } from './strings';

export function PipelinesSection() {
  const [isAdding, setIsAdding] = useState(false);
  const [shown, setShown] = useState<Pipeline | null>(null);
  const close = (added: Pipeline | null): void => {
    setIsAdding(false);
    setShown(added);
  };
  return (
    <>
      <SettingsList<Pipeline>
        path="/v1/pipelines"
        text={TEXT}
        mayAdd="admin"
        onAdd={() => setIsAdding(true)}
      >
        {(pipelines) => <PipelineList pipelines={pipelines} onShow={setShown} />}
      </SettingsList>
      {isAdding && <PipelineForm onClose={close} />}
      {shown !== null && <PipelineSetup pipeline={shown} onClose={() => setShown(null)} />}
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
