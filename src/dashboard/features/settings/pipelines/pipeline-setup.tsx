/** The id of a pipeline, and the lines for its CI configuration, to be copied. */
import { Button, Stack, Text } from '@mantine/core';
import type { Pipeline } from '../../../shared/data/api-types';
import { Dialog } from '../../../shared/dialog/dialog';
import { CopyField } from '../../../shared/ui/copy-field';
import { buildSnippet } from './pipeline-snippet';

interface PipelineSetupProps {
  readonly pipeline: Pipeline;
  readonly onClose: () => void;
}

export function PipelineSetup({ pipeline, onClose }: PipelineSetupProps) {
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
