/** How many days before the expiry of a certificate people are warned, for a monitor or a step. */
import { TagsInput } from '@mantine/core';
import { fieldWithin, type Problems } from '../problems/problems';

interface WarnDaysFieldProps {
  readonly value: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
  readonly problems: Problems;
  readonly path: string;
}

/**
 * The input for the days. Only whole numbers become entries. Numbers outside of the limits are reported as problems.
 */
export function WarnDaysField({ value, onChange, problems, path }: WarnDaysFieldProps) {
  return (
    <TagsInput
      label="Certificate warnings (days before)"
      description="One warning each. Leave empty to disable."
      value={value.map(String)}
      onChange={(days) => onChange(days.filter((day) => /^\d+$/.test(day)).map(Number))}
      splitChars={[',', ' ']}
      {...fieldWithin(problems, path)}
    />
  );
}
