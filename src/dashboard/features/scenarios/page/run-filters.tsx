/** Filters the runs of a scenario. All filters are in the page's URL. */
import { Group, NativeSelect } from '@mantine/core';
import { useSearchState } from '../../../shared/data/search';
import { RUN_STATUS_WORDS } from '../../../shared/text/strings';
import { TRIGGER_WORDS } from '../strings';

export function RunFilters({ regions }: { readonly regions: readonly string[] }) {
  const [search, setSearch] = useSearchState();
  const select = (name: string, label: string, choices: Readonly<Record<string, string>>) => (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={search[name] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        setSearch({ [name]: value === '' ? undefined : value, cursor: undefined })
      }
      data={[
        { value: '', label },
        ...Object.entries(choices).map(([value, word]) => ({ value, label: word })),
      ]}
    />
  );
  return (
    <Group gap="xs" mb="md">
      {select('status', 'Any status', RUN_STATUS_WORDS)}
      {select('trigger', 'Any trigger', TRIGGER_WORDS)}
      {regions.length > 1 &&
        select('region', 'All regions', Object.fromEntries(regions.map((id) => [id, id])))}
    </Group>
  );
}
