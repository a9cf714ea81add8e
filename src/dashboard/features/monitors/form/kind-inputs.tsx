/** The inputs of a kind's own fields, as its form lists them. */
import { Select, SimpleGrid, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import type { NetworkKind } from '../../../../contracts/kinds';
import { KIND_FORMS } from '../../../../kinds/form';
import { escapeText, type KindInput, unescapeText } from '../../../../kinds/inputs';
import { requiredFieldNames } from '../../../../kinds/shapes';
import { listOf, textOf } from '../../../../schemas/loose';
import { countOf } from '../../../shared/definition/definition-draft';
import type { Values } from '../../../shared/definition/options';
import { NumberField } from '../../../shared/form/number-field';
import { fieldAt, fieldWithin, type Problems } from '../../../shared/form/problems';

interface KindInputsProps {
  readonly type: NetworkKind;
  readonly value: Values;
  readonly onChange: (fields: Values) => void;
  readonly problems: Problems;
}

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
        {inputs.filter(({ input }) => input !== 'switch').map(one)}
      </SimpleGrid>
      {inputs.filter(({ input }) => input === 'switch').map(one)}
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
