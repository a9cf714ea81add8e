/**
 * Edits which checks a check depends on. While one of these dependencies is down, failures of the check send no alerts.
 */
import { MultiSelect } from '@mantine/core';
import { fieldWithin, type Problems } from '../form/problems/problems';
import { useNamedChecks } from './use-named-checks';

interface DependsOnFieldProps {
  /** Ids or keys of the checks on which the edited check depends. */
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly problems: Problems;
}

export function DependsOnField({ value, onChange, problems }: DependsOnFieldProps) {
  const { options, search, setSearch } = useNamedChecks(value);
  return (
    <MultiSelect
      label="Depends on"
      description="While any of these is down, this check’s alerts are held back and listed in theirs."
      data={[...options]}
      value={[...value]}
      onChange={onChange}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The service has filtered the options already, so all of them are shown.
      filter={({ options: found }) => found}
      nothingFoundMessage="Nothing found"
      hidePickedOptions
      {...fieldWithin(problems, 'dependsOn')}
    />
  );
}
