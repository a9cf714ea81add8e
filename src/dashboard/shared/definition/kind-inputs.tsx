/** The inputs of a kind's own fields, as its form lists them. */
import { Select, SimpleGrid, Stack, Switch, TagsInput } from '@mantine/core';
import type { NetworkKind } from '../../../contracts/kinds';
import { KIND_FORMS } from '../../../kinds/form';
import { escapeText, type KindInput, unescapeText } from '../../../kinds/inputs';
import { requiredFieldNames } from '../../../kinds/shapes';
import { listOf, textOf } from '../../../schemas/loose';
import type { OfferedName } from '../editor/complete-reference';
import { NumberField } from '../form/number-field';
import { fieldAt, fieldWithin, type Problems } from '../form/problems';
import { TemplateInput } from '../form/template-input';
import { countOf } from './definition-draft';
import type { Values } from './options';

interface KindInputsProps {
  readonly type: NetworkKind;
  readonly value: Values;
  readonly onChange: (fields: Values) => void;
  readonly problems: Problems;
  /** Where the fields stand in the body: empty, or like `steps[0].`. */
  readonly prefix?: string;
  /** What each text offers behind `{{`, by the name of its field; absent: nothing. */
  readonly namesFor?: (field: string) => readonly OfferedName[];
}

export function KindInputs({
  type,
  value,
  onChange,
  problems,
  prefix = '',
  namesFor,
}: KindInputsProps) {
  const required = new Set(requiredFieldNames(type));
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
          value={countOf(value)}
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
          value={textOf(value) === '' ? null : textOf(value)}
          onChange={onChange}
          {...fieldAt(problems, path)}
        />
      );
    case 'list':
      return (
        <TagsInput
          {...shown}
          value={listOf(value).filter((item) => typeof item === 'string')}
          onChange={onChange}
          acceptValueOnBlur
          {...fieldWithin(problems, path)}
        />
      );
    case 'text':
    case 'escaped': {
      const isEscaped = input === 'escaped';
      return (
        <TemplateInput
          {...shown}
          required={isRequired}
          value={isEscaped ? escapeText(textOf(value)) : textOf(value)}
          onValue={(typed) => onChange(isEscaped ? unescapeText(typed) : typed)}
          names={names}
          {...fieldAt(problems, path)}
        />
      );
    }
  }
}
