/** The inputs for the fields of a kind, as listed in KIND_FORMS. */
import { Input, Select, SimpleGrid, Stack, Switch, TagsInput } from '@mantine/core';
import { useState } from 'react';
import type { NetworkKind } from '../../../contracts/kinds';
import { KIND_FORMS } from '../../../kinds/form';
import { escapeText, type KindInput, unescapeText } from '../../../kinds/inputs';
import { listRequiredFieldNames } from '../../../kinds/shapes';
import { readList, readRecord, readText } from '../../../schemas/loose';
import type { OfferedName } from '../editor/complete-reference';
import { NumberField } from '../form/fields/number-field';
import { TemplateInput } from '../form/fields/template-input';
import { HeadersField } from '../form/headers/headers-field';
import { fieldAt, fieldWithin, type Problems } from '../form/problems/problems';
import { readRows, toRecord } from '../form/rows/rows';
import { readCount } from './definition-draft';
import type { Values } from './options';

interface KindInputsProps {
  readonly type: NetworkKind;
  readonly value: Values;
  readonly onChange: (fields: Values) => void;
  readonly problems: Problems;
  /** The prefix of the fields in the body: empty, or like `steps[0].`. */
  readonly prefix?: string;
  /** The names that each field offers after `{{`. Absent if there is none. */
  readonly namesFor?: (field: string) => readonly OfferedName[];
}

/** Inputs that take up a whole row. They are below the other inputs. */
const WIDE: readonly KindInput['input'][] = ['switch', 'headers'];

export function KindInputs({
  type,
  value,
  onChange,
  problems,
  prefix = '',
  namesFor,
}: KindInputsProps) {
  const required = new Set(listRequiredFieldNames(type));
  const one = (input: KindInput) => (
    <OneInput
      key={input.name}
      of={input}
      isRequired={required.has(input.name)}
      value={value[input.name]}
      onChange={(next) => onChange({ ...value, [input.name]: next })}
      problems={problems}
      path={`${prefix}${input.name}`}
      names={namesFor?.(input.name) ?? []}
    />
  );
  const inputs = KIND_FORMS[type];
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {inputs.filter(({ input }) => !WIDE.includes(input)).map(one)}
      </SimpleGrid>
      {inputs.filter(({ input }) => WIDE.includes(input)).map(one)}
    </Stack>
  );
}

interface OneInputProps {
  readonly of: KindInput;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly problems: Problems;
  readonly path: string;
  readonly names: readonly OfferedName[];
}

function OneInput({ of, isRequired, value, onChange, problems, path, names }: OneInputProps) {
  const { label, description, placeholder, input, choices = [] } = of;
  const texts = { label, ...(description !== undefined && { description }) };
  const shown = { ...texts, ...(placeholder !== undefined && { placeholder }) };
  switch (input) {
    case 'number':
      return (
        <NumberField
          {...shown}
          required={isRequired}
          value={readCount(value)}
          onValue={onChange}
          {...fieldAt(problems, path)}
        />
      );
    case 'switch':
      return (
        <Switch
          {...texts}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          {...fieldAt(problems, path)}
        />
      );
    case 'choice':
      return (
        <Select
          {...texts}
          placeholder={placeholder ?? 'None'}
          required={isRequired}
          clearable={!isRequired}
          data={[...choices]}
          value={readText(value) === '' ? null : readText(value)}
          onChange={onChange}
          {...fieldAt(problems, path)}
        />
      );
    case 'list':
      return (
        <TagsInput
          {...shown}
          value={readList(value).filter((item) => typeof item === 'string')}
          onChange={onChange}
          acceptValueOnBlur
          {...fieldWithin(problems, path)}
        />
      );
    case 'numbers':
      return (
        <TagsInput
          {...shown}
          value={readList(value).map(String)}
          onChange={(typed) => onChange(typed.filter((one) => /^\d+$/.test(one)).map(Number))}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...fieldWithin(problems, path)}
        />
      );
    case 'headers':
      return <HeadersInput {...{ of, value, onChange, problems, path }} />;
    case 'text':
    case 'escaped': {
      const isEscaped = input === 'escaped';
      return (
        <TemplateInput
          {...shown}
          required={isRequired}
          value={isEscaped ? escapeText(readText(value)) : readText(value)}
          onValue={(typed) => onChange(isEscaped ? unescapeText(typed) : typed)}
          names={names}
          {...fieldAt(problems, path)}
        />
      );
    }
  }
}

type HeadersInputProps = Omit<OneInputProps, 'isRequired' | 'names'>;

/** The input for headers. Rows without a name cannot be part of the body, so the input keeps them in its own state. */
function HeadersInput({ of, value, onChange, problems, path }: HeadersInputProps) {
  const headers = readRecord(value);
  const [typed, setTyped] = useState(() => readRows(headers));
  const isTyped = JSON.stringify(toRecord(typed)) === JSON.stringify(headers);
  const rows = isTyped ? typed : readRows(headers);
  return (
    <Input.Wrapper label={of.label} description={of.description}>
      <HeadersField
        value={rows}
        onChange={(next) => {
          setTyped(next);
          onChange(toRecord(next));
        }}
        problems={problems}
        path={path}
      />
    </Input.Wrapper>
  );
}
