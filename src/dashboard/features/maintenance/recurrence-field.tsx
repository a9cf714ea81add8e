/** The input for a window's recurrence. */
import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { DAYS, isDay, isRepeat, type RecurrenceChoice } from './recurrence-choice';
import { DAY_WORDS, REPEAT_WORDS } from './strings';

interface RecurrenceFieldProps {
  readonly value: RecurrenceChoice;
  readonly onChange: (patch: Partial<RecurrenceChoice>) => void;
  readonly fault: string | null;
}

export function RecurrenceField({ value, onChange, fault }: RecurrenceFieldProps) {
  const choose = (text: string | null): void => {
    if (text !== null && isRepeat(text)) onChange({ repeat: text });
  };
  return (
    <Stack gap="xs">
      <Select
        label="Repeats"
        data={Object.entries(REPEAT_WORDS).map(([name, label]) => ({ value: name, label }))}
        value={value.repeat}
        onChange={choose}
        allowDeselect={false}
        error={value.repeat === 'rule' ? null : fault}
      />
      {value.repeat === 'weekly' && (
        <Checkbox.Group
          label="On"
          description="On the weekday of the start, unless days are chosen."
          value={[...value.days]}
          onChange={(days) => onChange({ days: days.filter(isDay) })}
        >
          <Group gap="sm" mt={4}>
            {DAYS.map((day) => (
              <Checkbox key={day} value={day} label={DAY_WORDS[day]} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {value.repeat === 'monthly' && (
        <Text size="xs" c="dimmed">
          On the day of the month of the start. Months without that day are skipped.
        </Text>
      )}
      {value.repeat === 'rule' && (
        <TextInput
          label="Recurrence rule (RRULE)"
          description="For example FREQ=MONTHLY;BYDAY=1SU for the first Sunday of each month."
          required
          maxLength={500}
          value={value.rule}
          onChange={({ currentTarget }) => onChange({ rule: currentTarget.value })}
          error={fault}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      )}
    </Stack>
  );
}
