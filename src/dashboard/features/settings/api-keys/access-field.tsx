/**
 * Selects the access of an API key or a pipeline. Users choose only one scope, because each scope includes the lower
 * scopes.
 */
import { Radio, Stack } from '@mantine/core';
import { TEXT } from './strings';

interface AccessFieldProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (scope: string) => void;
  readonly fault: string | null;
}

export function AccessField({ choices, value, onChange, fault }: AccessFieldProps) {
  return (
    <Radio.Group label={TEXT.access} value={value} onChange={onChange} error={fault}>
      <Stack gap="xs" mt="xs">
        {choices.map(({ value: scope, label }) => (
          <Radio key={scope} value={scope} label={label} description={scope} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
