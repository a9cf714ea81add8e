/** Fields of a monitor that most never touch. */
import { Grid, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { MONITOR_OPTION_DEFAULTS } from '../../../../schemas/request-options';
import { fieldAt } from '../../../shared/form/problems';
import { RequestOptionInputs } from '../../../shared/form/request-option-inputs';
import { VariablesField } from '../../../shared/form/variables-field';
import { WarnDaysField } from '../../../shared/form/warn-days-field';
import type { MonitorDraft } from './monitor-draft';
import type { MonitorFieldsProps } from './monitor-fields';

interface NumberField {
  readonly field: 'failuresBeforeDown' | 'successesBeforeUp';
  readonly label: string;
  readonly description: string;
  readonly min: number;
  readonly max: number;
}

const NUMBERS: readonly NumberField[] = [
  {
    field: 'failuresBeforeDown',
    label: 'Failures before down',
    description: 'Failed checks in a row',
    min: 1,
    max: 10,
  },
  {
    field: 'successesBeforeUp',
    label: 'Successes before up',
    description: 'Passed checks in a row',
    min: 1,
    max: 10,
  },
];

export function MonitorAdvanced({ draft, onChange, problems }: MonitorFieldsProps) {
  const set = (patch: Partial<MonitorDraft>): void => onChange({ ...draft, ...patch });
  const options = {
    value: draft,
    defaults: MONITOR_OPTION_DEFAULTS,
    onChange: set,
    problems,
    prefix: '',
  };
  const regions = Math.max(1, draft.regions.length);
  const quorums = ['majority', ...Array.from({ length: regions }, (_, at) => String(at + 1))];
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <RequestOptionInputs {...options} type="number" />
      </SimpleGrid>
      <Grid gap="sm">
        {NUMBERS.map(({ field, label, description, min, max }) => (
          <Grid.Col key={field} span={{ base: 12, xs: 6 }}>
            <NumberInput
              label={label}
              description={description}
              value={draft[field]}
              onChange={(next) => set({ [field]: Number(next) })}
              min={min}
              max={max}
              {...fieldAt(problems, field)}
            />
          </Grid.Col>
        ))}
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <NumberInput
            label="Degraded above (ms)"
            description="Passing but slower than this; leave empty to disable"
            value={draft.degradedAboveMs ?? ''}
            onChange={(next) => set({ degradedAboveMs: next === '' ? null : Number(next) })}
            min={1}
            max={60_000}
            {...fieldAt(problems, 'degradedAboveMs')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Select
            label="Failing regions required (quorum)"
            description="Before the monitor is down"
            data={quorums}
            value={String(draft.quorum)}
            onChange={(next) =>
              next !== null && set({ quorum: next === 'majority' ? 'majority' : Number(next) })
            }
            allowDeselect={false}
            {...fieldAt(problems, 'quorum')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <WarnDaysField
            value={draft.tls.warnDays}
            onChange={(warnDays) => set({ tls: { warnDays } })}
            problems={problems}
            path="tls.warnDays"
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <TextInput
            label="Key"
            description="Identifier in configuration files"
            value={draft.key}
            onChange={({ currentTarget }) => set({ key: currentTarget.value })}
            {...fieldAt(problems, 'key')}
          />
        </Grid.Col>
      </Grid>
      <RequestOptionInputs {...options} type="boolean" />
      <div>
        <Text fw={500} size="sm" mb={4}>
          Variables, used as {'{{name}}'} in the URL, headers and body
        </Text>
        <VariablesField
          value={draft.variables}
          onChange={(variables) => set({ variables })}
          problems={problems}
        />
      </div>
    </Stack>
  );
}
