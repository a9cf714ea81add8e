/** Plans or changes a maintenance window. */
import { Checkbox, Group, NumberInput, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MAINTENANCE_TOUCHES } from '../../shared/actions/use-end-maintenance';
import type { MaintenanceWindow } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { NameField } from '../../shared/form/fields/name-field';
import { ZoneField } from '../../shared/form/fields/zone-field';
import { FormDialog } from '../../shared/form/form-dialog';
import { faultAt } from '../../shared/text/faults';
import { MODE_WORDS } from '../../shared/text/strings';
import { notify } from '../../shared/ui/notify';
import { DAYS, isDay, isRepeat, type RecurrenceChoice } from './recurrence-choice';
import { DAY_WORDS, REPEAT_WORDS, TEXT } from './strings';
import { TargetField, useTargetRefusal } from './target-field';
import { buildBody, createDraft, lengthWords, type WindowDraft } from './window-draft';

export const MINUTES_MAX = 10_080;
const PATH = '/v1/maintenance-windows';

interface WindowFormProps {
  /** null for a new window. */
  readonly window: MaintenanceWindow | null;
  readonly onClose: () => void;
}

export function WindowForm({ window, onClose }: WindowFormProps) {
  const [draft, setDraft] = useState(() => createDraft(window, Date.now()));
  const [isStartBad, setIsStartBad] = useState(false);
  const { isMissing, refuseNothing } = useTargetRefusal(draft.target);
  const { mutate, isPending, error } = useChange<MaintenanceWindow>(MAINTENANCE_TOUCHES);
  const change = (patch: Partial<WindowDraft>): void => setDraft({ ...draft, ...patch });
  const save = (): void => {
    const body = buildBody(draft);
    setIsStartBad(body === null);
    const isChosen = refuseNothing(draft.target);
    if (body === null || !isChosen) return;
    const onSuccess = (): void => {
      notify('Maintenance window saved.');
      onClose();
    };
    if (window === null) {
      mutate({ method: 'POST', path: PATH, body }, { onSuccess });
      return;
    }
    const { id, version } = window;
    mutate({ method: 'PATCH', path: `${PATH}/${id}`, body, ifVersion: version }, { onSuccess });
  };
  return (
    <FormDialog
      title={window === null ? TEXT.add : 'Edit window'}
      draft={draft}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField
        value={draft.name}
        onChange={(name) => change({ name })}
        error={faultAt(error, 'name')}
      />
      <ModeField value={draft.mode} onChange={(mode) => change({ mode })} />
      <TimeFields
        draft={draft}
        onChange={change}
        startFault={isStartBad ? 'Choose a date and time.' : faultAt(error, 'startsAt')}
        minutesFault={faultAt(error, 'durationMinutes')}
        zoneFault={faultAt(error, 'timeZone')}
      />
      <RecurrenceField value={draft} onChange={change} fault={faultAt(error, 'rrule')} />
      <TargetField
        value={draft.target}
        onChange={(target) => change({ target })}
        problem={error}
        isMissing={isMissing}
      />
    </FormDialog>
  );
}

interface ModeFieldProps {
  readonly value: MaintenanceWindow['mode'];
  readonly onChange: (mode: MaintenanceWindow['mode']) => void;
}

export function ModeField({ value, onChange }: ModeFieldProps) {
  return (
    <Radio.Group
      label="During maintenance"
      value={value}
      onChange={(mode) => onChange(mode === 'pause' ? 'pause' : 'mute')}
    >
      <Group mt={6}>
        <Radio value="mute" label={MODE_WORDS.mute} />
        <Radio value="pause" label={MODE_WORDS.pause} />
      </Group>
    </Radio.Group>
  );
}

interface TimeFieldsProps {
  readonly draft: WindowDraft;
  readonly onChange: (patch: Partial<WindowDraft>) => void;
  readonly startFault: string | null;
  readonly minutesFault: string | null;
  readonly zoneFault: string | null;
}

function TimeFields(props: TimeFieldsProps) {
  const { draft, onChange, startFault, minutesFault, zoneFault } = props;
  return (
    <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
      <TextInput
        type="datetime-local"
        label="Starts"
        required
        value={draft.start}
        onChange={({ currentTarget }) => onChange({ start: currentTarget.value })}
        error={startFault}
        miw={190}
      />
      <ZoneField
        value={draft.zone}
        onChange={(zone) => onChange({ zone })}
        error={zoneFault}
        miw={180}
      />
      <NumberInput
        label={TEXT.minutes}
        description={lengthWords(draft)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        min={1}
        max={MINUTES_MAX}
        allowDecimal={false}
        value={draft.minutes}
        onChange={(minutes) => onChange({ minutes: Number(minutes) })}
        error={minutesFault}
        miw={110}
      />
    </Group>
  );
}

interface RecurrenceFieldProps {
  readonly value: RecurrenceChoice;
  readonly onChange: (patch: Partial<RecurrenceChoice>) => void;
  readonly fault: string | null;
}

function RecurrenceField({ value, onChange, fault }: RecurrenceFieldProps) {
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
