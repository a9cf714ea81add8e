/** The inputs of a kind's own fields, as its form lists them. */
import { Input, Select, SimpleGrid, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NetworkKind } from '../../../../contracts/kinds';
import { KIND_FORMS } from '../../../../kinds/form';
import { escapeText, type KindInput, unescapeText } from '../../../../kinds/inputs';
import { requiredFieldNames } from '../../../../kinds/shapes';
import { listOf, recordOf, textOf } from '../../../../schemas/loose';
import { countOf } from '../../../shared/definition/definition-draft';
import type { Values } from '../../../shared/definition/options';
import { HeadersField } from '../../../shared/form/headers-field';
import { NumberField } from '../../../shared/form/number-field';
import { fieldAt, fieldWithin, type Problems } from '../../../shared/form/problems';
import { type HeaderRow, newHeaderRow, toHeaders } from '../../../shared/form/rows';

interface KindInputsProps {
  readonly type: NetworkKind;
  readonly value: Values;
  readonly onChange: (fields: Values) => void;
  readonly problems: Problems;
}

/** A row of their own, below the others. */
const WIDE: readonly KindInput['input'][] = ['switch', 'headers'];

export function KindInputs({ type, value, onChange, problems }: KindInputsProps) {
  const required = new Set(requiredFieldNames(type));
  const one = (input: KindInput) => (
    <OneInput
      key={input.name}
      of={input}
      isRequired={required.has(input.name)}
      value={value[input.name]}
      onChange={(next) => onChange({ ...value, [input.name]: next })}
      problems={problems}
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
}

function OneInput({ of, isRequired, value, onChange, problems }: OneInputProps) {
  const { name, label, description, placeholder, input, choices = [] } = of;
  const texts = { label, ...(description !== undefined && { description }) };
  const shown = { ...texts, ...(placeholder !== undefined && { placeholder }) };
  switch (input) {
    case 'number':
      return (
        <NumberField
          {...shown}
          required={isRequired}
          value={countOf(value)}
          onValue={onChange}
          {...fieldAt(problems, name)}
        />
      );
    case 'switch':
      return (
        <Switch
          {...texts}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          {...fieldAt(problems, name)}
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
          value={textOf(value) === '' ? null : textOf(value)}
          onChange={onChange}
          {...fieldAt(problems, name)}
        />
      );
    case 'list':
      return (
        <TagsInput
          {...shown}
          value={listOf(value).filter((item) => typeof item === 'string')}
          onChange={onChange}
          acceptValueOnBlur
          {...fieldWithin(problems, name)}
        />
      );
    case 'numbers':
      return (
        <TagsInput
          {...shown}
          value={listOf(value).map(String)}
          onChange={(typed) => onChange(typed.filter((one) => /^\d+$/.test(one)).map(Number))}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...fieldWithin(problems, name)}
        />
      );
    case 'headers':
      return <HeadersInput of={of} value={value} onChange={onChange} problems={problems} />;
    case 'text':
    case 'escaped': {
      const isEscaped = input === 'escaped';
      return (
        <TextInput
          {...shown}
          required={isRequired}
          value={isEscaped ? escapeText(textOf(value)) : textOf(value)}
          onChange={({ currentTarget: { value: typed } }) =>
            onChange(isEscaped ? unescapeText(typed) : typed)
          }
          {...fieldAt(problems, name)}
        />
      );
    }
  }
}

type HeadersInputProps = Omit<OneInputProps, 'isRequired'>;

function rowsOf(headers: Values): readonly HeaderRow[] {
  return Object.entries(headers).map(([name, text]) => newHeaderRow(name, textOf(text)));
}

/** Rows that are begun and have no name yet are in no body, and stay here. */
function HeadersInput({ of, value, onChange, problems }: HeadersInputProps) {
  const headers = recordOf(value);
  const [typed, setTyped] = useState(() => rowsOf(headers));
  const isTyped = JSON.stringify(toHeaders(typed)) === JSON.stringify(headers);
  const rows = isTyped ? typed : rowsOf(headers);
  return (
    <Input.Wrapper label={of.label} description={of.description}>
      <HeadersField
        value={rows}
        onChange={(next) => {
          setTyped(next);
          onChange(toHeaders(next));
        }}
        problems={problems}
        path={of.name}
      />
    </Input.Wrapper>
  );
}
