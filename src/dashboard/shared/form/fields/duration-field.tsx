/** The input of a duration: a whole number and its unit. The value is in seconds. Empty means the default. */
import { NativeSelect, NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { formatDuration } from '../../text/time';

const UNITS = [
  { value: '86400', label: 'days' },
  { value: '3600', label: 'hours' },
  { value: '60', label: 'minutes' },
  { value: '1', label: 'seconds' },
] as const;

interface DurationFieldProps
  extends Pick<NumberInputProps, 'description' | 'placeholder' | 'required'> {
  readonly label: string;
  /** The number of seconds. */
  readonly value: number | null;
  readonly onValue: (seconds: number | null) => void;
  readonly error?: string | undefined;
  readonly 'data-path'?: string;
}

export function DurationField(props: DurationFieldProps) {
  const { label, value, onValue, placeholder, error, ...input } = props;
  const usual = Number(placeholder);
  const [unit, setUnit] = useState(() => chooseUnit(value ?? usual));
  return (
    <NumberInput
      {...input}
      label={label}
      placeholder={Number.isNaN(usual) ? placeholder : formatDuration(usual)}
      // The limits in messages are in seconds.
      error={error?.replace(/\d$/, '$& seconds')}
      allowDecimal={false}
      clampBehavior="none"
      value={value === null ? '' : value / unit}
      onChange={(next) => onValue(next === '' ? null : Number(next) * unit)}
      rightSectionWidth={100}
      rightSection={
        <NativeSelect
          variant="unstyled"
          // Without a width, the section of the arrow would be as wide as the section of the outer input.
          rightSectionWidth={24}
          aria-label={`Unit of ${label.toLowerCase()}`}
          data={[...UNITS]}
          value={String(unit)}
          onChange={({ currentTarget }) => {
            const next = Number(currentTarget.value);
            setUnit(next);
            if (value !== null) onValue((value / unit) * next);
          }}
        />
      }
    />
  );
}

/** Returns the length of the largest unit in which the duration is a whole number. */
function chooseUnit(seconds: number): number {
  if (Number.isNaN(seconds) || seconds === 0) return 1;
  return Number(UNITS.find(({ value }) => seconds % Number(value) === 0)?.value ?? 1);
}
