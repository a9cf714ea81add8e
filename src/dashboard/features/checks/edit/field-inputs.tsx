/** An input for each field that was chosen for editing. */
import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useHours } from '../../../shared/alerts/use-hours';
import { usePolicies } from '../../../shared/alerts/use-policies';
import type { AlertChannel, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { IntervalField } from '../../../shared/form/interval-field';
import { NumberField } from '../../../shared/form/number-field';
import { RegionsField } from '../../../shared/form/regions-field';
import { EDITABLE, type EditableField, type FieldsDraft } from './fields-draft';

interface FieldInputProps {
  readonly field: EditableField;
  readonly draft: FieldsDraft;
  readonly onChange: (patch: Partial<FieldsDraft>) => void;
}

export function FieldInput({ field, draft, onChange }: FieldInputProps) {
  switch (field) {
    case 'interval':
      return (
        <IntervalField
          value={draft.interval}
          onChange={(interval) => onChange({ interval })}
          problem={undefined}
        />
      );
    case 'regions':
      return (
        <RegionsField
          value={draft.regions}
          onChange={(regions) => onChange({ regions })}
          problem={undefined}
          placeholder="Default"
        />
      );
    case 'retries':
    case 'timeoutMs':
      return (
        <NumberField
          label={EDITABLE[field]}
          placeholder="Default"
          value={draft[field]}
          onValue={(value) => onChange({ [field]: value })}
        />
      );
    case 'channels':
      return <ChannelsInput draft={draft} onChange={onChange} />;
    case 'policy':
      return <PolicyInput draft={draft} onChange={onChange} />;
    case 'hours':
      return <HoursInput draft={draft} onChange={onChange} />;
    case 'group':
      return (
        <TextInput
          label={EDITABLE.group}
          description="Use / to nest: shop/eu. Leave empty to group by domain."
          value={draft.group}
          onChange={({ currentTarget }) => onChange({ group: currentTarget.value })}
          maxLength={100}
        />
      );
    case 'tags':
      return (
        <TagsInput
          label={EDITABLE.tags}
          description="These replace the tags of each check."
          value={[...draft.tags]}
          onChange={(tags) => onChange({ tags })}
          maxTags={20}
        />
      );
  }
}

type InputProps = Omit<FieldInputProps, 'field'>;

function ChannelsInput({ draft, onChange }: InputProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const channels = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <MultiSelect
      label={EDITABLE.channels}
      placeholder={draft.channels.length === 0 ? 'None' : ''}
      data={[{ value: 'default', label: 'Every default channel' }, ...channels]}
      value={[...draft.channels]}
      onChange={(chosen) => onChange({ channels: chosen })}
    />
  );
}

function PolicyInput({ draft, onChange }: InputProps) {
  return (
    <Select
      label={EDITABLE.policy}
      placeholder="None"
      data={[...usePolicies()]}
      value={draft.policy}
      onChange={(policy) => onChange({ policy })}
      clearable
    />
  );
}

function HoursInput({ draft, onChange }: InputProps) {
  return (
    <Select
      label={EDITABLE.hours}
      placeholder="Always"
      data={[...useHours(draft.hours)]}
      value={draft.hours}
      onChange={(hours) => onChange({ hours })}
      clearable
    />
  );
}
