/** Inputs for the options of a definition: numbers in grids, and switches in rows. */
import { Switch } from '@mantine/core';
import { DurationField } from '../form/fields/duration-field';
import { NumberField } from '../form/fields/number-field';
import { fieldAt } from '../form/problems/problems';
import {
  type OptionFields,
  type OptionInputsProps,
  type OptionText,
  readOptionFacts,
} from './options';
import { OriginNote } from './origin-note';

const NO_TEXT: OptionText = { label: '' };

/** Inputs for numbers. The limits come from the schema. A value outside of them is reported as a problem. */
export function NumberOptions<Fields extends OptionFields>(props: OptionInputsProps<Fields>) {
  const { fields, texts, value, onChange, problems, prefix = '' } = props;
  return Object.entries(fields).map(([name, field]) => {
    const { type, min, max, fallback } = readOptionFacts(field);
    const current = value[name];
    if (type !== 'number') return null;
    const { isDuration = false, ...text } = texts[name] ?? NO_TEXT;
    const input = {
      placeholder: fallback === null ? 'None' : String(fallback),
      ...text,
      value: typeof current === 'number' ? current : null,
      onValue: (next: number | null) => onChange(buildPatch<Fields>(name, next)),
      ...fieldAt(problems, `${prefix}${name}`),
    };
    return (
      <div key={name}>
        {isDuration ? <DurationField {...input} /> : <NumberField {...input} min={min} max={max} />}
        {prefix === '' && <OriginNote field={name} />}
      </div>
    );
  });
}

export function SwitchOptions<Fields extends OptionFields>(props: OptionInputsProps<Fields>) {
  const { fields, texts, value, onChange, prefix = '' } = props;
  return Object.entries(fields).map(([name, field]) => {
    if (readOptionFacts(field).type !== 'boolean') return null;
    return (
      <div key={name}>
        <Switch
          label={texts[name]?.label}
          description={texts[name]?.description}
          checked={value[name] === true}
          onChange={({ currentTarget }) =>
            onChange(buildPatch<Fields>(name, currentTarget.checked))
          }
        />
        {prefix === '' && <OriginNote field={name} />}
      </div>
    );
  });
}

/** The cast is safe because the value has the type of its field. */
function buildPatch<Fields extends OptionFields>(
  name: keyof Fields,
  value: number | boolean | null,
): Parameters<OptionInputsProps<Fields>['onChange']>[0] {
  return { [name]: value } as Parameters<OptionInputsProps<Fields>['onChange']>[0];
}
