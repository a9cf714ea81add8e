/** Makes a channel the default of checks without channels of their own. The first channel always is a default. */
import { Checkbox } from '@mantine/core';
import { defaultText } from '../../../shared/alerts/channel-usage';
import type { AlertChannel, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import type { ChannelDraft } from './channel-draft';
import { useChannelUsage } from './use-channel-usage';

/** Sorts after every real id, as the newest channel. */
const UNSAVED_ID = 'chn_~';

interface DefaultFieldProps {
  /** null for a new channel. */
  readonly channel: AlertChannel | null;
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
}

export function DefaultField({ channel, draft, onChange }: DefaultFieldProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const findUsage = useChannelUsage();
  const isFirst = data?.data.length === 0;
  const former = data?.data.find(
    ({ id, type, isDefault }) => type === draft.type && isDefault && id !== channel?.id,
  );
  const wanted = { id: channel?.id ?? UNSAVED_ID, type: draft.type, isDefault: false };
  const usage = findUsage === null ? '' : defaultText(findUsage(wanted));
  const replaced = former === undefined ? '' : ` It replaces “${former.name}”.`;
  return (
    <Checkbox
      label="Use by default"
      description={isFirst ? 'The first channel is a default.' : `${usage}${replaced}`}
      checked={draft.isDefault || isFirst}
      disabled={isFirst}
      onChange={({ currentTarget }) => onChange({ isDefault: currentTarget.checked })}
    />
  );
}
