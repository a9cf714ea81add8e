/** Creates or edits hours. */
import { Group, MultiSelect, Paper, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { WEEKDAYS } from '../../../../contracts/escalation';
import type { Hours } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { AddRow } from '../../../shared/form/add-row';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { RemoveButton } from '../../../shared/form/remove-button';
import { ZoneField } from '../../../shared/form/zone-field';
import { faultAt } from '../../../shared/text/faults';
import { LearnMore } from '../../../shared/ui/learn-more';
import { notify } from '../../../shared/ui/notify';
import { DAY_WORDS } from '../policies/strings';
import {
  buildBody,
  createDraft,
  type HoursDraft,
  newTime,
  type TimeRow,
  withName,
} from './hours-draft';
import { TEXT } from './strings';

/** Paths whose data changes with hours. */
export const TOUCHED = ['/v1/hours', '/v1/monitors', '/v1/scenarios', '/v1/overview', '/v1/checks'];

interface HoursFormProps {
  /** null for new hours. */
  readonly hours: Hours | null;
  readonly onClose: () => void;
}

export function HoursForm({ hours, onClose }: HoursFormProps) {
  const [draft, setDraft] = useState(() => createDraft(hours));
  const { mutate, isPending, error } = useChange<Hours>(TOUCHED);
  const set = (patch: Partial<HoursDraft>): void => setDraft({ ...draft, ...patch });
  const fault = (path: string): string | null => faultAt(error, path);
  const save = (): void => {
    const onSuccess = (): void => {
      notify('Hours saved.');
      onClose();
    };
    mutate(buildRequest(hours, draft), { onSuccess });
  };
  return (
    <FormDialog
      size="lg"
      title={hours === null ? TEXT.add : 'Edit hours'}
      isUnchecked
      draft={draft}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField
        value={draft.name}
        onChange={(name) => set(hours === null ? withName(draft, name) : { name })}
        error={fault('name')}
      />
      <TextInput
        label="Key"
        description="Identifier in configuration files. It never changes."
        required
        disabled={hours !== null}
        value={draft.key}
        onChange={({ currentTarget }) => set({ key: currentTarget.value })}
        error={fault('key')}
      />
      <ZoneField
        value={draft.timeZone}
        onChange={(timeZone) => set({ timeZone })}
        error={fault('timeZone')}
      />
      <TimeRows rows={draft.weekly} onChange={(weekly) => set({ weekly })} fault={fault} />
      <TagsInput
        label="Holidays"
        description="On these days no hours begin: dates like 2026-12-25, or rules like FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25. Press Enter after each"
        value={[...draft.holidays]}
        onChange={(holidays) => set({ holidays })}
        error={fault('holidays')}
        acceptValueOnBlur
      />
    </FormDialog>
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

function buildRequest(hours: Hours | null, draft: HoursDraft) {
  const body = buildBody(draft);
  if (hours === null) return { method: 'POST', path: '/v1/hours', body } as const;
  const { id, version } = hours;
  return { method: 'PUT', path: `/v1/hours/${id}`, body, ifVersion: version } as const;
}
