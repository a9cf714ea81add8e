/** Chooses a range of days, by name or by its first and last day. */
import { Button, Group, InputBase, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import { type DateRange, describeRange, listPresets } from './date-range';

interface DateRangeFieldProps {
  readonly label: string;
  readonly value: DateRange;
  readonly onChange: (range: DateRange) => void;
}

export function DateRangeField({ label, value, onChange }: DateRangeFieldProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const id = useId();
  const now = Date.now();
  const words = describeRange(value, now);
  const set = (patch: DateRange): void => onChange({ ...value, ...patch });
  const choose = (range: DateRange): void => {
    onChange({ from: range.from, to: range.to });
    close();
  };
  const bindDay = (name: 'from' | 'to') => ({
    type: 'date',
    value: value[name] ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      set({ [name]: currentTarget.value || undefined }),
    flex: 1,
    miw: 0,
  });
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          id={id}
          label={label}
          aria-label={`${label}: ${words}`}
          leftSection={<IconCalendar size={16} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          rightSectionPointerEvents="none"
          onClick={toggle}
        >
          {words}
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap="xs" w="min(320px, 80vw)">
          <Group gap={6}>
            {listPresets(now).map((preset) => (
              <Button
                key={preset.label}
                size="compact-sm"
                variant={preset.label === words ? 'light' : 'default'}
                aria-pressed={preset.label === words}
                onClick={() => choose(preset)}
              >
                {preset.label}
              </Button>
            ))}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <TextInput label="From" max={value.to} {...bindDay('from')} />
            <TextInput label="To" min={value.from} {...bindDay('to')} />
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
