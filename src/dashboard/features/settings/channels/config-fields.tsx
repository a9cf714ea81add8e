/** The fields of a channel type, bound to the draft of the form. */

import {
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { AlertChannel } from '../../../shared/data/api-types';
import { faultAt } from '../../../shared/text/faults';
import {
  type ChannelDraft,
  type ChannelField,
  findTyped,
  isMasked,
  type Typed,
} from './channel-draft';

export interface ConfigFieldsProps {
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
  /** null for a new channel. */
  readonly channel: AlertChannel | null;
  readonly fields: readonly ChannelField[];
  /** The service's error for the last request. */
  readonly refusal: Parameters<typeof faultAt>[0];
}

export function ConfigFields({ draft, onChange, channel, fields, refusal }: ConfigFieldsProps) {
  return fields.map((field) => (
    <ConfigField
      key={field.name}
      field={field}
      value={findTyped(field, draft, channel)}
      onChange={(value) => onChange({ values: { ...draft.values, [field.name]: value } })}
      isKept={channel !== null}
      fault={faultAt(refusal, field.name)}
    />
  ));
}

interface ConfigFieldProps {
  readonly field: ChannelField;
  readonly value: Typed;
  readonly onChange: (value: Typed) => void;
  /** True if leaving the field empty keeps a stored secret. */
  readonly isKept: boolean;
  readonly fault: string | null;
}

/** The input of one field. The service describes the fields of each channel type. */
function ConfigField({ field, value, onChange, isKept, fault }: ConfigFieldProps) {
  const { kind, label, hint, placeholder, isRequired, choices = [] } = field;
  const stays = isKept && isMasked(field);
  const common = {
    label,
    description: stays ? 'Leave empty to keep the current one.' : hint,
    error: fault,
    required: isRequired && !stays,
  };
  const text = typeof value === 'string' ? value : '';
  switch (kind) {
    case 'switch':
      return (
        <Switch
          label={label}
          description={hint}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={[...choices]}
          value={text === '' ? (choices[0] ?? null) : text}
          onChange={(chosen) => onChange(chosen ?? '')}
          allowDeselect={false}
        />
      );
    case 'choices':
      return <Choices field={field} value={value} onChange={onChange} fault={fault} />;
    case 'list':
      return choices.length > 0 ? (
        <MultiSelect
          {...common}
          data={[...choices]}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
          clearable
        />
      ) : (
        <TagsInput
          {...common}
          required={false}
          withAsterisk={isRequired}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={text}
          onChange={(next) => onChange(String(next))}
          allowDecimal={false}
        />
      );
    case 'headers':
    case 'longText':
    case 'secretList':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={14}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'text':
    case 'url':
    case 'secret':
    case 'secretUrl':
      return (
        <TextInput
          {...common}
          type={kind === 'url' || kind === 'secretUrl' ? 'url' : 'text'}
          placeholder={placeholder ?? ''}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          autoComplete="off"
        />
      );
  }
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

function Choices({
  field: { label, names = [], choices = [] },
  value,
  onChange,
  fault,
}: Omit<ConfigFieldProps, 'isKept'>) {
  const chosen: Readonly<Record<string, unknown>> =
    typeof value === 'object' && !isList(value) ? value : {};
  const textAt = (name: string): string | null => {
    const one = chosen[name];
    return typeof one === 'string' ? one : null;
  };
  const set = (name: string, next: string | null): void => {
    const all = names.map((each) => [each, each === name ? next : textAt(each)] as const);
    onChange(Object.fromEntries(all.flatMap(([each, one]) => (one === null ? [] : [[each, one]]))));
  };
  return (
    <Stack gap={4}>
      {names.map((name) => (
        <Select
          key={name}
          label={`${label}: ${name}`}
          data={[...choices]}
          value={textAt(name)}
          onChange={(next) => set(name, next)}
          placeholder="As usual"
          clearable
        />
      ))}
      {fault !== null && (
        <Text size="xs" c="red">
          {fault}
        </Text>
      )}
    </Stack>
  );
}
