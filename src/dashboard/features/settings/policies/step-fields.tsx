/** The steps of a policy: when and whom to notify, until when, and how often to repeat. */
import { Group, MultiSelect, Paper, Select, Stack, Text } from '@mantine/core';
import { ESCALATION_ENDS } from '../../../../contracts/escalation';
import { useHours } from '../../../shared/alerts/use-hours';
import { NumberField } from '../../../shared/form/fields/number-field';
import { AddRow } from '../../../shared/form/rows/add-row';
import { RemoveButton } from '../../../shared/form/rows/remove-button';
import { LearnMore } from '../../../shared/ui/learn-more';
import { newStep, type StepRow } from './policy-draft';
import { END_WORDS } from './strings';
import type { Contacts } from './use-contacts';

interface StepFieldsProps {
  readonly steps: readonly StepRow[];
  readonly contacts: Contacts;
  readonly onChange: (steps: readonly StepRow[]) => void;
  readonly fault: (path: string) => string | null;
}

export function StepFields({ steps, contacts, onChange, fault }: StepFieldsProps) {
  return (
    <Stack gap="xs" data-rows component="fieldset" p={0} m={0} style={{ border: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        Steps
      </Text>
      <Text size="xs" c="dimmed">
        Minutes count from the failure. The time while it is acknowledged does not count.{' '}
        <LearnMore fieldsAt="policy.steps" about="steps" />
      </Text>
      {steps.map((step, index) => (
        <StepCard
          key={step.rowId}
          step={step}
          number={index + 1}
          contacts={contacts}
          onChange={(next) => onChange(steps.map((other) => (other === step ? next : other)))}
          onRemove={() => onChange(steps.filter((other) => other !== step))}
          fault={(field) => fault(`steps[${index}].${field}`)}
        />
      ))}
      {fault('steps') !== null && steps.length === 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          {fault('steps')}
        </Text>
      )}
      <AddRow rows={steps} newRow={() => newStep(steps)} onChange={onChange}>
        Add step
      </AddRow>
    </Stack>
  );
}

interface StepCardProps {
  readonly step: StepRow;
  readonly number: number;
  readonly contacts: Contacts;
  readonly onChange: (step: StepRow) => void;
  readonly onRemove: () => void;
  readonly fault: (field: string) => string | null;
}

function StepCard({ step, number, contacts, onChange, onRemove, fault }: StepCardProps) {
  const set = (patch: Partial<StepRow>): void => onChange({ ...step, ...patch });
  const { channels, members } = contacts;
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Step ${number}`} data-row-id={step.rowId}>
      <Stack gap="xs">
        <Group align="flex-end" gap={6}>
          <NumberField
            label="After (minutes)"
            value={step.afterMinutes}
            onValue={(afterMinutes) => set({ afterMinutes })}
            error={fault('afterMinutes')}
            flex={1}
            miw={95}
          />
          <Select
            label="Continues until"
            data={ESCALATION_ENDS.map((value) => ({ value, label: END_WORDS[value] }))}
            value={step.until}
            onChange={(until) => until !== null && set({ until })}
            allowDeselect={false}
            flex={1}
            miw={145}
          />
          <RemoveButton row={`step ${number}`} onRemove={onRemove} />
        </Group>
        <MultiSelect
          label="Notify"
          data={[
            { group: 'Channels', items: [...channels] },
            { group: 'Members', items: [...members] },
          ]}
          value={[...step.notify]}
          onChange={(notify) => set({ notify })}
          error={fault('notify')}
          searchable
          hidePickedOptions
        />
        <StepHours value={step.hours} onChange={(hours) => set({ hours })} error={fault('hours')} />
        <Group gap="xs" align="flex-start">
          <NumberField
            label="Repeat every (minutes)"
            placeholder="Never"
            value={step.everyMinutes}
            onValue={(everyMinutes) => set({ everyMinutes })}
            error={fault('repeat.everyMinutes')}
            flex={1}
            miw={170}
          />
          <NumberField
            label="Times"
            value={step.times}
            onValue={(times) => set({ times })}
            error={fault('repeat.times')}
            flex={1}
            miw={90}
          />
        </Group>
      </Stack>
    </Paper>
  );
}

interface StepHoursProps {
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly error: string | null;
}

/** Selects the hours of a step. Renders nothing if the account has no hours. */
function StepHours({ value, onChange, error }: StepHoursProps) {
  const hours = useHours(value);
  if (hours.length === 0) return null;
  return (
    <Select
      label="Hours"
      description="Outside these hours, the step waits until they begin."
      placeholder="Always"
      data={[...hours]}
      value={value}
      onChange={onChange}
      error={error}
      clearable
    />
  );
}
