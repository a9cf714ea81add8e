/** The template for the alerts of a channel, and a preview of the result. */
import { Alert, Code, Stack, Textarea, TextInput } from '@mantine/core';
import type { AlertPreview } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { faultAt } from '../../../shared/text/faults';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { SmallButton } from '../../../shared/ui/small-button';
import type { ChannelDraft } from './channel-draft';
import { TEXT } from './strings';

interface TemplateFieldsProps {
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
  readonly fault: string | null;
}

export function TemplateFields({ draft, onChange, fault }: TemplateFieldsProps) {
  return (
    <>
      <TextInput
        label="Custom title"
        placeholder="{{ headline }}"
        value={draft.title}
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
      />
      <Textarea
        label="Custom text"
        description="Liquid, like {{ resource.name }}: {{ cause.message }}. Leave empty for the default text."
        autosize
        minRows={2}
        maxRows={14}
        value={draft.text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
        error={fault}
      />
    </>
  );
}

interface PreviewProps {
  readonly type: string;
  readonly template: unknown;
}

/** Shows a preview. The service renders the preview, so that it equals the alert that is sent. */
export function TemplatePreview({ type, template }: PreviewProps) {
  const { mutate, data, error, isPending } = useChange<AlertPreview>([]);
  const body = { type, template };
  return (
    <Stack gap="xs">
      <SmallButton
        loading={isPending}
        onClick={() => mutate({ method: 'POST', path: '/v1/alert-channels/preview', body })}
      >
        {TEXT.preview}
      </SmallButton>
      {error !== null && faultAt(error, 'template') === null && <ProblemNote problem={error} />}
      {error !== null && faultAt(error, 'template') !== null && (
        <Alert color="red" variant="outline" role="status">
          {faultAt(error, 'template')}
        </Alert>
      )}
      {data !== undefined && error === null && (
        <Alert role="status" variant="outline" color="gray" title={data.title ?? TEXT.preview}>
          <Code block>{data.text}</Code>
          {data.fault}
        </Alert>
      )}
    </Stack>
  );
}
