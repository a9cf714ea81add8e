/** The times of the week in which a policy sends nothing. */
import { Group, MultiSelect, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { WEEKDAYS } from '../../../../contracts/escalation';
import { OWN_ZONE } from '../../../shared/form/time-zones';
import { ZoneField } from '../../../shared/form/zone-field';
import { LearnMore } from '../../../shared/ui/learn-more';
import type { QuietDraft } from './policy-draft';
import { DAY_WORDS } from './strings';

interface QuietFieldsProps {
  readonly value: QuietDraft | null;
  readonly onChange: (value: QuietDraft | null) => void;
  readonly fault: (path: string) => string | null;
}

const USUAL = { days: WEEKDAYS, from: '22:00', to: '07:00', except: [] };

export function QuietFields({ value, onChange, fault }: QuietFieldsProps) {
  const set = (patch: Partial<QuietDraft>): void =>
    onChange({ ...USUAL, timeZone: OWN_ZONE, ...value, ...patch });
  return (
    <Stack gap="xs">
      <Switch
        label="Quiet hours"
        description="Alerts during quiet hours are sent when they end."
        checked={value !== null}
        onChange={({ currentTarget }) => (currentTarget.checked ? set({}) : onChange(null))}
      />
      {value !== null && (
        <>
          <Group gap="xs" align="flex-start">
            <TextInput
              label="From"
              type="time"
              value={value.from}
              onChange={({ currentTarget }) => set({ from: currentTarget.value })}
              error={fault('quietHours.from')}
              flex={1}
            />
            <TextInput
              label="To"
              type="time"
              value={value.to}
              onChange={({ currentTarget }) => set({ to: currentTarget.value })}
              error={fault('quietHours.to')}
              flex={1}
            />
            <ZoneField
              value={value.timeZone}
              onChange={(timeZone) => set({ timeZone })}
              error={fault('quietHours.timeZone')}
              flex={2}
              miw={160}
            />
          </Group>
          <MultiSelect
            label="Days"
            data={WEEKDAYS.map((day) => ({ value: day, label: DAY_WORDS[day] }))}
            value={[...value.days]}
            onChange={(days) => set({ days })}
            error={fault('quietHours.days')}
          />
          <TagsInput
            label="Except for tags"
            description="Checks with one of these tags are never quiet"
            value={[...value.except]}
            onChange={(except) => set({ except })}
            error={fault('quietHours.except')}
            acceptValueOnBlur
          />
          <LearnMore fieldsAt="policy.quietHours" about="quiet hours" />
        </>
      )}
    </Stack>
  );
}
