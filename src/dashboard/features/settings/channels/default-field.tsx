/** Whether checks that name no channel use it. The very first channel is a default anyway. */
import { Checkbox } from '@mantine/core';
import { defaultText } from '../../../shared/alerts/channel-usage';
import type { AlertChannel, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import type { ChannelDraft } from './channel-draft';
import { useChannelUsage } from './use-channel-usage';

/** Younger than every id that is given. */
const UNSAVED_ID = 'chn_~';

interface DefaultFieldProps {
  /** null: a new one. */
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
