/**
 * The input of a whole number. Empty means the default. A number outside of the limits stays in the input and is
 * reported as a problem.
 */
import { NumberInput, type NumberInputProps, Text } from '@mantine/core';
import { formatDuration } from '../../text/time';

const SECONDS = '(seconds)';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
}

export function NumberField({ value, onValue, label, ...input }: NumberFieldProps) {
  // Long times are also shown in words, because people do not recognise 86400 seconds as a day.
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
              = {formatDuration(seconds)}
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
