/** The rules of a channel: which alerts the channel gets, and its fallback channel. */
import { MultiSelect, NumberInput, Select } from '@mantine/core';
import type { AlertChannel, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import type { ChannelDraft } from './channel-draft';

const KINDS = ['failure', 'recovery', 'degraded', 'reminder', 'flapping', 'certificate'];

interface RuleFieldsProps {
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
  /** null for a new channel. */
  readonly channel: AlertChannel | null;
  readonly fault: (field: string) => string | null;
}

export function RuleFields({ draft, onChange, channel, fault }: RuleFieldsProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const others = (data?.data ?? []).filter(({ id }) => id !== channel?.id);
  return (
    <>
      <MultiSelect
        label="Send only"
        placeholder={draft.onlyKinds.length === 0 ? 'All alerts' : ''}
        data={KINDS}
        value={[...draft.onlyKinds]}
        onChange={(onlyKinds) => onChange({ onlyKinds })}
        error={fault('onlyKinds')}
      />
      <Select
        label="Fallback"
        description="Gets the alerts that this channel fails to deliver."
        clearable
        data={others.map(({ id, key, name }) => ({ value: key ?? id, label: name }))}
        value={draft.fallback === '' ? null : draft.fallback}
        onChange={(fallback) => onChange({ fallback: fallback ?? '' })}
        error={fault('fallback')}
      />
      {draft.fallback !== '' && (
        <NumberInput
          label="After (minutes)"
          min={10}
          max={1_440}
          value={draft.fallbackAfterMinutes}
          onChange={(next) => onChange({ fallbackAfterMinutes: Number(next) })}
          error={fault('fallbackAfterMinutes')}
        />
      )}
    </>
  );
}
