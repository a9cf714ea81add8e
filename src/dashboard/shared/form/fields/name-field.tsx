/** The name of an object: the first field of its dialog. */
import { TextInput, type TextInputProps } from '@mantine/core';

interface NameFieldProps
  extends Pick<
    TextInputProps,
    'autoComplete' | 'description' | 'error' | 'maxLength' | 'placeholder' | 'required'
  > {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

export function NameField({ onChange, maxLength = 200, ...rest }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      required
      data-autofocus
      maxLength={maxLength}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...rest}
    />
  );
}
