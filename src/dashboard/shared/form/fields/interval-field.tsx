/** An input for an interval: the usual choices in words, and any number of seconds. */
import { Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { everyTitle } from '../../text/time';

const CHOICES = [10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 21_600, 43_200, 86_400, 604_800];
const OTHER = 'other';

interface IntervalFieldProps {
  /** The interval in seconds. */
  readonly value: number;
  readonly onChange: (seconds: number) => void;
  readonly problem: string | undefined;
}

export function IntervalField({ value, onChange, problem }: IntervalFieldProps) {
  const [isOther, setIsOther] = useState(!CHOICES.includes(value));
  const choose = (choice: string | null): void => {
    setIsOther(choice === OTHER);
    if (choice !== OTHER && choice !== null) onChange(Number(choice));
  };
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <Select
        label="Interval"
        flex={1}
        data={[
          ...CHOICES.map((seconds) => ({ value: String(seconds), label: everyTitle(seconds) })),
          { value: OTHER, label: 'Custom …' },
        ]}
        value={isOther ? OTHER : String(value)}
        onChange={choose}
        allowDeselect={false}
        error={isOther ? undefined : problem}
        data-path={isOther ? undefined : 'interval'}
      />
      {isOther && (
        <NumberInput
          label="Seconds"
          w={120}
          value={value}
          onChange={(next) => onChange(Number(next))}
          error={problem}
          data-path="interval"
        />
      )}
    </Group>
  );
}
