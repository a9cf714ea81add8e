/** The hours of the account: their week in words, and whether they are open now. */
import { Group, MultiSelect, Paper, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { WEEKDAYS } from '../../../../contracts/escalation';
import type { AlertPolicy, Hours, Page, StatusPage } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { ZoneField } from '../../../shared/form/fields/zone-field';
import { AddRow } from '../../../shared/form/rows/add-row';
import { RemoveButton } from '../../../shared/form/rows/remove-button';
import { LearnMore } from '../../../shared/ui/learn-more';
import type { Edited, KeyedKind } from '../keyed/keyed';
import { KeyedForm } from '../keyed/keyed-form';
import { KeyedSection } from '../keyed/keyed-section';
import { DAY_WORDS } from '../policies/strings';
import { UsedByChecks } from '../used-by';
import { buildBody, createDraft, newTime, type TimeRow, timeWords } from './hours-draft';

const HOURS: KeyedKind = {
  path: '/v1/hours',
  touches: ['/v1/hours', '/v1/monitors', '/v1/scenarios', '/v1/overview', '/v1/checks'],
  text: {
    about:
      'Weekly times, such as office hours. Checks use them to run or alert only then; alert policies use them to limit steps.',
    add: 'Add hours',
    edit: 'Edit hours',
    noneTitle: 'No hours yet',
    none: 'Define when your service is open, then choose the hours in a check.',
    noneReadOnly: 'An editor of this account can add hours here.',
    saved: 'Hours saved.',
    deleted: 'Hours deleted.',
    loss: 'Their times and holidays are lost. Hours that are still in use can’t be deleted.',
  },
};

export function HoursSection() {
  return (
    <KeyedSection<Hours> kind={HOURS} Form={HoursForm}>
      {({ key, isOpen, timeZone, holidays, weekly }) => (
        <>
          <Text size="sm" c="dimmed">
            {isOpen ? 'Open now' : 'Closed now'} · {timeZone}
            {holidays.length > 0 &&
              ` · ${holidays.length === 1 ? '1 holiday' : `${holidays.length} holidays`}`}
          </Text>
          <Text size="sm">{weekly.map(timeWords).join(', ')}</Text>
          <HoursUsers hoursKey={key} />
        </>
      )}
    </KeyedSection>
  );
}

/** Lists the checks, alert policies and status pages that use the hours. */
function HoursUsers({ hoursKey }: { readonly hoursKey: string }) {
  const { data: policies } = useRead<Page<AlertPolicy>>('/v1/alert-policies?limit=100');
  const { data: pages } = useRead<Page<StatusPage>>('/v1/status-pages?limit=500');
  if (policies === undefined || pages === undefined) return null;
  const others = [
    ...policies.data.filter(({ steps }) => steps.some(({ hours }) => hours === hoursKey)),
    ...pages.data
      .filter(({ hours }) => hours === hoursKey)
      .map(({ id, title }) => ({ id, name: title })),
  ];
  return <UsedByChecks filter={{ hours: hoursKey }} others={others} />;
}

function HoursForm(edited: Edited<Hours>) {
  return (
    <KeyedForm kind={HOURS} {...edited} createDraft={createDraft} buildBody={buildBody}>
      {({ draft, set, fault }) => (
        <>
          <ZoneField
            value={draft.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            error={fault('timeZone')}
          />
          <TimeRows rows={draft.weekly} onChange={(weekly) => set({ weekly })} fault={fault} />
          <TagsInput
            label="Holidays"
            description="Days that are always closed: dates like 2026-12-25, or rules like FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25. Press Enter after each."
            value={[...draft.holidays]}
            onChange={(holidays) => set({ holidays })}
            error={fault('holidays')}
            acceptValueOnBlur
          />
        </>
      )}
    </KeyedForm>
  );
}

interface TimeRowsProps {
  readonly rows: readonly TimeRow[];
  readonly onChange: (rows: readonly TimeRow[]) => void;
  readonly fault: (path: string) => string | null;
}

function TimeRows({ rows, onChange, fault }: TimeRowsProps) {
  return (
    <Stack gap="xs" data-rows component="fieldset" p={0} m={0} style={{ border: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        Times of the week
      </Text>
      <Text size="xs" c="dimmed">
        An end before the start is on the next day.{' '}
        <LearnMore fieldsAt="hours.weekly" about="times of the week" />
      </Text>
      {rows.map((row, index) => (
        <TimeCard
          key={row.rowId}
          row={row}
          number={index + 1}
          onChange={(next) => onChange(rows.map((other) => (other === row ? next : other)))}
          onRemove={() => onChange(rows.filter((other) => other !== row))}
          fault={(field) => fault(`weekly[${index}]${field}`)}
        />
      ))}
      {rows.length === 0 && fault('weekly') !== null && (
        <Text size="xs" c="var(--mantine-color-error)">
          {fault('weekly')}
        </Text>
      )}
      <AddRow rows={rows} newRow={() => newTime()} onChange={onChange}>
        Add time
      </AddRow>
    </Stack>
  );
}

interface TimeCardProps {
  readonly row: TimeRow;
  readonly number: number;
  readonly onChange: (row: TimeRow) => void;
  readonly onRemove: () => void;
  readonly fault: (field: string) => string | null;
}

function TimeCard({ row, number, onChange, onRemove, fault }: TimeCardProps) {
  const set = (patch: Partial<TimeRow>): void => onChange({ ...row, ...patch });
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Time ${number}`} data-row-id={row.rowId}>
      <Stack gap="xs">
        <MultiSelect
          label="Days"
          data={WEEKDAYS.map((day) => ({ value: day, label: DAY_WORDS[day] }))}
          value={[...row.days]}
          onChange={(days) => set({ days })}
          error={fault('.days')}
        />
        <Group gap="xs" align="flex-end">
          <TextInput
            label="From"
            type="time"
            value={row.from}
            onChange={({ currentTarget }) => set({ from: currentTarget.value })}
            error={fault('.from')}
            flex={1}
          />
          <TextInput
            label="To"
            type="time"
            value={row.to}
            onChange={({ currentTarget }) => set({ to: currentTarget.value })}
            error={fault('.to')}
            flex={1}
          />
          <RemoveButton row={`time ${number}`} onRemove={onRemove} />
        </Group>
      </Stack>
    </Paper>
  );
}
