/** A whole number, or nothing for the default. A number out of bounds is kept: the problems name it. */
import { NumberInput, type NumberInputProps, Text } from '@mantine/core';
import { lengthOf } from '../text/time';

const SECONDS = '(seconds)';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
}

export function NumberField({ value, onValue, label, ...input }: NumberFieldProps) {
  // Nobody reads 86400 as a day.
  const seconds = Number(value ?? input.placeholder);
  const isLong = typeof label === 'string' && label.endsWith(SECONDS) && seconds >= 60;
  return (
    <NumberInput
      allowDecimal={false}
      clampBehavior="none"
      {...input}
      label={
        isLong ? (
          <>
            {label}{' '}
            <Text span inherit c="dimmed" fw={400}>
              = {lengthOf(seconds)}
            </Text>
          </>
        ) : (
          label
        )
      }
      value={value ?? ''}
      onChange={(next) => onValue(next === '' ? null : Number(next))}
    />
  );
}
