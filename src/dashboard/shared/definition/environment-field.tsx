/** The environment of a check. Renders nothing if the account has no environments. */
import { Select } from '@mantine/core';
import { fieldAt, type Problems } from '../form/problems';
import { useEnvironmentOptions, useInheritedNames } from './use-environments';

interface EnvironmentFieldProps {
  /** The key of the environment; empty for none. */
  readonly value: string;
  readonly onChange: (environment: string) => void;
  readonly problems: Problems;
}

export function EnvironmentField({ value, onChange, problems }: EnvironmentFieldProps) {
  const chosen = value === '' ? null : value;
  const options = useEnvironmentOptions(chosen);
  const names = useInheritedNames(chosen);
  if (options.length === 0) return null;
  return (
    <Select
      label="Environment"
      description={
        names.length === 0
          ? 'Completes the variables of the check.'
          : `Variables from outside: ${names.join(', ')}`
      }
      placeholder="None"
      data={[...options]}
      value={chosen}
      onChange={(key) => onChange(key ?? '')}
      clearable
      {...fieldAt(problems, 'environment')}
    />
  );
}
