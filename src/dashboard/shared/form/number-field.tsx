/** A whole number, or nothing for the default. A number out of bounds is kept: the problems name it. */
import { NumberInput, type NumberInputProps } from '@mantine/core';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
}

export function NumberField({ value, onValue, ...input }: NumberFieldProps) {
  return (
    <NumberInput
      allowDecimal={false}
      clampBehavior="none"
      {...input}
      value={value ?? ''}
      onChange={(next) => onValue(next === '' ? null : Number(next))}
    />
  );
}
