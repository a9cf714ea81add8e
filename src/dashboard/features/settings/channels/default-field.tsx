/** Whether checks use the channel unless they name others; the first of a type is its default anyway. */
import { Checkbox } from '@mantine/core';
import type { AlertChannel, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import type { ChannelDraft } from './channel-draft';

interface DefaultFieldProps {
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
}

export function DefaultField({ draft, onChange }: DefaultFieldProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const isFirst =
    data?.data.some(({ type, isDefault }) => type === draft.type && isDefault) === false;
  return (
    <Checkbox
      label="Use by default for this type"
      description={isFirst ? 'The first channel of a type is its default.' : undefined}
      checked={draft.isDefault || isFirst}
      disabled={isFirst}
      onChange={({ currentTarget }) => onChange({ isDefault: currentTarget.checked })}
    />
  );
}
