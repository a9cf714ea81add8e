/**
 * The field for the hours of a check, and for the mode outside of these hours. Renders nothing if the account has no
 * hours.
 */
import { Radio, Select, Stack } from '@mantine/core';
import type { OutsideMode } from '../../../contracts/maintenance';
import { fieldAt, type Problems } from '../form/problems/problems';
import { useHours } from './use-hours';

interface ByHours {
  /** The key of the hours. Empty for none. */
  readonly hours: string;
  readonly outside: OutsideMode;
}

interface HoursFieldProps {
  readonly value: ByHours;
  readonly onChange: (patch: Partial<ByHours>) => void;
  readonly problems: Problems;
  /** True means that the field has no choice of what happens outside of the hours. */
  readonly isWithoutMode?: boolean;
}

export function HoursField({ value, onChange, problems, isWithoutMode = false }: HoursFieldProps) {
  const { hours, outside } = value;
  const chosen = hours === '' ? null : hours;
  const options = useHours(chosen);
  if (options.length === 0) return null;
  return (
    <Stack gap="xs">
      <Select
        label="Hours"
        description="Outside these hours, nobody is notified. When they begin, people are notified of checks that are still down."
        placeholder="Always"
        data={[...options]}
        value={chosen}
        onChange={(key) => onChange({ hours: key ?? '' })}
        clearable
        {...fieldAt(problems, 'hours')}
      />
      {hours !== '' && !isWithoutMode && (
        <Radio.Group
          label="Outside these hours"
          value={outside}
          onChange={(mode) => onChange({ outside: mode === 'rest' ? 'rest' : 'quiet' })}
        >
          <Stack mt={6} gap={6}>
            <Radio value="quiet" label="Checks continue, no alerts" />
            <Radio value="rest" label="Checks are paused" />
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  );
}
