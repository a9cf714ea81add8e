/** Search and filters of the list; every one of them is in the page's address. */
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Page, Region } from '../../shared/api-types';
import { useRead } from '../../shared/queries';
import { useSearchState } from '../../shared/search';
import { FILTER_NAMES, hasFilters } from './filters';
import { LIST_TEXT } from './words';

const TYPING_MS = 250;

interface FilterBarProps {
  readonly groups: readonly string[];
}

export function FilterBar({ groups }: FilterBarProps) {
  const [search, setSearch] = useSearchState();
  const { data: regions } = useRead<Page<Region>>('/v1/regions');
  const narrow = (name: string, value: string): void =>
    setSearch({ [name]: value === '' ? undefined : value, cursor: undefined });
  const clear = (): void =>
    setSearch(Object.fromEntries([...FILTER_NAMES, 'cursor'].map((name) => [name, undefined])));
  return (
    <Group gap="sm" mb="md" align="flex-end">
      <TypedFilter
        label={LIST_TEXT.search}
        value={search['q'] ?? ''}
        onChange={(value) => narrow('q', value)}
        isSearch
      />
      <NativeSelect
        label="Group"
        value={search['group'] ?? ''}
        onChange={({ currentTarget }) => narrow('group', currentTarget.value)}
        data={[{ value: '', label: 'All groups' }, ...groups]}
        maw={200}
      />
      <NativeSelect
        label="Region"
        value={search['region'] ?? ''}
        onChange={({ currentTarget }) => narrow('region', currentTarget.value)}
        data={[{ value: '', label: 'All regions' }, ...(regions?.data ?? []).map(({ id }) => id)]}
      />
      <TypedFilter
        label="Tag"
        value={search['tag'] ?? ''}
        onChange={(value) => narrow('tag', value)}
      />
      {hasFilters(search) && (
        <Button variant="subtle" leftSection={<IconX size={16} aria-hidden />} onClick={clear}>
          {LIST_TEXT.clear}
        </Button>
      )}
    </Group>
  );
}

interface TypedFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isSearch?: boolean;
}

/** Follows the address, and changes it when typing rests. */
function TypedFilter({ label, value, onChange, isSearch = false }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  const changeLater = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      label={label}
      type="search"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeLater(currentTarget.value.trim());
      }}
      {...(isSearch
        ? { 'data-search': true, leftSection: <IconSearch size={16} aria-hidden />, w: 260 }
        : { w: 120 })}
      maxLength={100}
    />
  );
}
