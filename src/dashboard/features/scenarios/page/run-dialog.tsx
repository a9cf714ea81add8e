/** Asks for the values, regions and label of a run before it starts. */
import { Select, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ACTION_TEXT } from '../../../shared/actions/words';
import type { Scenario } from '../../../shared/data/api-types';
import {
  useEnvironmentOptions,
  useInheritedNames,
} from '../../../shared/definition/use-environments';
import { RegionsField } from '../../../shared/form/fields/regions-field';
import { FormDialog } from '../../../shared/form/form-dialog';

interface RunDialogProps {
  readonly scenario: Scenario;
  readonly onRun: (body: unknown) => void;
  readonly onClose: () => void;
}

export function RunDialog({ scenario, onRun, onClose }: RunDialogProps) {
  const [label, setLabel] = useState('');
  const [regions, setRegions] = useState<readonly string[]>([]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [countInUptime, setCountInUptime] = useState(false);
  const [environment, setEnvironment] = useState<string | null>(null);
  const environments = useEnvironmentOptions(null);
  const names = [...Object.keys(scenario.variables), ...useInheritedNames(scenario.environment)];
  const start = (): void => {
    const variables = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));
    onRun({
      ...(label.trim() === '' ? {} : { label }),
      ...(regions.length === 0 ? {} : { regions }),
      ...(environment === null ? {} : { environment }),
      variables,
      countInUptime,
    });
    onClose();
  };
  return (
    <FormDialog
      title={`Run ${scenario.name}`}
      action={ACTION_TEXT.run}
      onSubmit={start}
      onClose={onClose}
    >
      <TextInput
        label="Label"
        placeholder="before the release"
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
      <RegionsField
        value={regions}
        onChange={setRegions}
        problem={undefined}
        placeholder={scenario.regions[0] ?? ''}
      />
      {environments.length > 0 && (
        <Select
          label="Environment"
          placeholder={scenario.environment ?? 'None'}
          data={[...environments]}
          value={environment}
          onChange={setEnvironment}
          clearable
        />
      )}
      {names.length > 0 && (
        <Text size="sm" c="dimmed">
          For this run only. Leave empty to use the saved values.
        </Text>
      )}
      {names.map((name) => {
        const stored = scenario.variables[name];
        return (
          <TextInput
            key={name}
            label={name}
            type={typeof stored === 'string' ? 'text' : 'password'}
            autoComplete="off"
            placeholder={typeof stored === 'string' ? stored : 'stored secret'}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
          />
        );
      })}
      <Switch
        label="Include in uptime"
        checked={countInUptime}
        onChange={({ currentTarget }) => setCountInUptime(currentTarget.checked)}
      />
    </FormDialog>
  );
}
