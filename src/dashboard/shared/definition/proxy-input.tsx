/** Through which of the operator's proxies a request goes, by its name. */
import { TextInput } from '@mantine/core';
import { fieldAt, type Problems } from '../form/problems';

interface ProxyInputProps {
  readonly value: string;
  readonly onChange: (proxy: string) => void;
  readonly problems: Problems;
  readonly path: string;
  /** What holds where nothing is said. */
  readonly otherwise: string;
}

export function ProxyInput({ value, onChange, problems, path, otherwise }: ProxyInputProps) {
  return (
    <TextInput
      label="Proxy"
      description="By its name in KEEPWATCH_PROXIES"
      placeholder={otherwise}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...fieldAt(problems, path)}
      spellCheck={false}
    />
  );
}
