/** The hours that a check goes by, and what happens outside of them; nothing where the account has none. */
import { Radio, Select, Stack } from '@mantine/core';
import type { OutsideMode } from '../../../contracts/maintenance';
import type { Hours, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { fieldAt, type Problems } from '../form/problems';

interface ByHours {
  /** Their key; empty: none. */
  readonly hours: string;
  readonly outside: OutsideMode;
}

interface HoursFieldProps {
  readonly value: ByHours;
  readonly onChange: (patch: Partial<ByHours>) => void;
  readonly problems: Problems;
}

export function HoursField({ value, onChange, problems }: HoursFieldProps) {
  const { data } = useRead<Page<Hours>>('/v1/hours?limit=100');
  const { hours, outside } = value;
  const known = (data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }));
  if (known.length === 0 && hours === '') return null;
  const isKnown = hours === '' || known.some((option) => option.value === hours);
  return (
    <Stack gap="xs">
      <Select
        label="Hours"
        description="Outside of them nobody is notified. When they begin, people are notified of what is still down."
        placeholder="Always"
        data={isKnown ? known : [...known, { value: hours, label: hours }]}
        value={hours === '' ? null : hours}
        onChange={(key) => onChange({ hours: key ?? '' })}
        clearable
        {...fieldAt(problems, 'hours')}
      />
      {hours !== '' && (
        <Radio.Group
          label="Outside of them"
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
