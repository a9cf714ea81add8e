/** Selects one monitor or scenario by its name, or none. */
import { Select, type SelectProps } from '@mantine/core';
import { useNamedChecks } from './use-named-checks';

interface CheckSelectProps
  extends Pick<SelectProps, 'label' | 'placeholder' | 'w' | 'clearable' | 'clearButtonProps'> {
  /** The id of the selected check. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

export function CheckSelect({ value, onChange, ...field }: CheckSelectProps) {
  const { options, search, setSearch } = useNamedChecks(value === null ? [] : [value]);
  return (
    <Select
      {...field}
      data={[...options]}
      value={value}
      onChange={onChange}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The service has filtered the options already, so all of them are shown.
      filter={({ options: found }) => found}
      nothingFoundMessage="Nothing found"
    />
  );
}
