/** Search and filters of the table; every one of them is in the page's address. */
import { Autocomplete, Button, Group, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ListedCheck } from '../../shared/data/api-types';
import { useSearchState } from '../../shared/data/search';
import { useRegionIds } from '../../shared/form/regions-field';
import { hasFilters, withoutFilters } from '../../shared/list/list-filters';
import { LIST_WORDS } from '../../shared/list/words';
import { SearchFilter, useTyped } from './typed-filter';

const TAGS_SHOWN = 12;
const LENGTH_MAX = 100;

/** `checks` are all of them: what can be chosen from. */
export function FilterBar({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const [search, setSearch] = useSearchState();
  const regions = useRegionIds();
  const fieldOf = (name: string) => ({
    value: search[name] ?? '',
    onChange: (value: string) =>
      setSearch({ [name]: value === '' ? undefined : value, page: undefined }),
  });
  return (
    <Group gap="sm" align="flex-end">
      <SearchFilter label={LIST_WORDS.search} {...fieldOf('q')} />
      <Choice
        label={LIST_WORDS.group}
        all={LIST_WORDS.allGroups}
        data={sortedSet(checks.map(({ groupKey }) => groupKey))}
        {...fieldOf('group')}
      />
      <Choice
        label={LIST_WORDS.region}
        all={LIST_WORDS.allRegions}
        data={regions}
        {...fieldOf('region')}
      />
      <TagFilter tags={sortedSet(checks.flatMap(({ tags }) => tags))} {...fieldOf('tag')} />
      {hasFilters(search) && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => setSearch(withoutFilters())}
        >
          {LIST_WORDS.clear}
        </Button>
      )}
    </Group>
  );
}

function sortedSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted((a, b) => a.localeCompare(b));
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TagFilter({ tags, ...filter }: FieldProps & { readonly tags: readonly string[] }) {
  const { typed, type, choose } = useTyped(filter);
  return (
    <Autocomplete
      label={LIST_WORDS.tag}
      value={typed}
      onChange={type}
      onOptionSubmit={choose}
      data={[...tags]}
      limit={TAGS_SHOWN}
      w={{ base: '100%', xs: 150 }}
      maxLength={LENGTH_MAX}
    />
  );
}

interface ChoiceProps extends FieldProps {
  readonly label: string;
  /** The word for no choice. */
  readonly all: string;
  readonly data: readonly string[];
}

function Choice({ label, all, data, value, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: '', label: all }, ...data]}
      flex={{ base: 1, xs: '0 1 auto' }}
      maw={{ xs: 200 }}
    />
  );
}
