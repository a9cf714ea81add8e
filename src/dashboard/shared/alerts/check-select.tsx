/** One monitor or scenario, found by its name among all of the account, or none. */
import { Select, type SelectProps } from '@mantine/core';
import { useNamedChecks } from './use-named-checks';

interface CheckSelectProps
  extends Pick<SelectProps, 'label' | 'placeholder' | 'w' | 'clearable' | 'clearButtonProps'> {
  /** An id. */
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
      // The service has searched already.
      filter={({ options: found }) => found}
      nothingFoundMessage="Nothing found"
    />
  );
}
