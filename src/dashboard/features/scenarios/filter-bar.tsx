/** Search and filters of the list; every one of them is in the page's address. */
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useRegionIds } from '../../shared/form/regions-field';
import { useSearchState } from '../../shared/search';
import { STATUS_WORDS } from '../../shared/strings';
import { hasAny, LIST_FILTERS, without } from './filters';
import { LIST_TEXT } from './strings';

const TYPING_MS = 250;
const PAUSED = 'paused';
const CHOICES = ['down', 'degraded', 'up', 'pending', 'unknown', PAUSED] as const;

export function FilterBar() {
  const [search, setSearch] = useSearchState();
  const regions = useRegionIds();
  const narrow = (name: string, value: string): void =>
    setSearch({ [name]: value === '' ? undefined : value, cursor: undefined });
  const chooseStatus = (value: string): void =>
    setSearch({
      state: value === '' ? undefined : value === PAUSED ? PAUSED : 'active',
      health: value === '' || value === PAUSED ? undefined : value,
      cursor: undefined,
    });
  return (
    <Group gap="sm" mb="md" align="flex-end">
      <TypedFilter
        label={LIST_TEXT.search}
        value={search['q'] ?? ''}
        onChange={(value) => narrow('q', value)}
        isSearch
      />
      <NativeSelect
        label="Status"
        value={search['state'] === PAUSED ? PAUSED : (search['health'] ?? '')}
        onChange={({ currentTarget }) => chooseStatus(currentTarget.value)}
        data={[
          { value: '', label: 'Any status' },
          ...CHOICES.map((value) => ({ value, label: STATUS_WORDS[value] })),
        ]}
      />
      <NativeSelect
        label="Region"
        value={search['region'] ?? ''}
        onChange={({ currentTarget }) => narrow('region', currentTarget.value)}
        data={[{ value: '', label: 'All regions' }, ...regions]}
      />
      <TypedFilter
        label="Tag"
        value={search['tag'] ?? ''}
        onChange={(value) => narrow('tag', value)}
      />
      {hasAny(search, LIST_FILTERS) && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => setSearch(without(LIST_FILTERS))}
        >
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
      data-search={isSearch || undefined}
    />
  );
}
