/** Search and filters of the table, all kept in the page's URL. */
import { Autocomplete, Button, Group, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CHECK_KINDS } from '../../../contracts/check-list';
import type { ListedCheck } from '../../shared/data/api-types';
import { findCheckKind } from '../../shared/data/check-type';
import { useSearchState } from '../../shared/data/search';
import { useRegionIds } from '../../shared/form/fields/regions-field';
import { FilterSheet } from '../../shared/list/filter-sheet';
import { hasFilters, pickFilters, withoutFilters } from '../../shared/list/list-filters';
import { LIST_WORDS } from '../../shared/list/words';
import classes from './checks.module.css';
import { SearchFilter, useTyped } from './typed-filter';
import { KIND_WORDS } from './words';

const TAGS_SHOWN = 12;
const LENGTH_MAX = 100;

interface FilterBarProps {
  /** All checks, without filters. They provide the choices of the filters. */
  readonly checks: readonly ListedCheck[];
  /** The switch between lists. On narrow pages, it is the first control of the filter sheet. */
  readonly lists: ReactNode;
  /** Controls that change how the table is shown. On narrow pages, they are in the filter sheet. */
  readonly shown: ReactNode;
}

export function FilterBar({ checks, lists, shown }: FilterBarProps) {
  const [search] = useSearchState();
  return (
    <Group gap="sm" align="flex-end" className={classes['filters'] ?? ''}>
      <SearchFilter label={LIST_WORDS.search} {...useField('q')} />
      <Group gap="sm" align="flex-end" visibleFrom="sm">
        <Choices checks={checks} />
        {hasFilters(search) && <Clear />}
      </Group>
      <FilterSheet count={Object.keys(pickFilters(search, CHOSEN)).length}>
        {lists}
        <Choices checks={checks} />
        {shown}
        {hasFilters(search) && <Clear />}
      </FilterSheet>
    </Group>
  );
}

/** Filters that narrow pages show only in the filter sheet. */
const CHOSEN = ['type', 'group', 'region', 'tag'] as const;

function useField(name: string) {
  const [search, setSearch] = useSearchState();
  return {
    value: search[name] ?? '',
    onChange: (value: string) =>
      setSearch({ [name]: value === '' ? undefined : value, page: undefined }),
  };
}

function Choices({ checks }: Pick<FilterBarProps, 'checks'>) {
  const regions = useRegionIds();
  return (
    <>
      <TypeFilter checks={checks} />
      <Choice
        label={LIST_WORDS.group}
        all={LIST_WORDS.allGroups}
        data={sortedSet(checks.map(({ groupKey }) => groupKey))}
        {...useField('group')}
      />
      <Choice
        label={LIST_WORDS.region}
        all={LIST_WORDS.allRegions}
        data={regions}
        {...useField('region')}
      />
      <TagFilter tags={sortedSet(checks.flatMap(({ tags }) => tags))} {...useField('tag')} />
    </>
  );
}

/** Offers the kinds of checks that the list has. */
function TypeFilter({ checks }: Pick<FilterBarProps, 'checks'>) {
  const field = useField('type');
  const present = new Set<string>([...checks.map(findCheckKind), field.value]);
  return (
    <Choice
      label={LIST_WORDS.type}
      all={LIST_WORDS.allTypes}
      data={CHECK_KINDS.filter((kind) => present.has(kind)).map((kind) => ({
        value: kind,
        label: KIND_WORDS[kind],
      }))}
      {...field}
    />
  );
}

function Clear() {
  const [, setSearch] = useSearchState();
  return (
    <Button
      variant="subtle"
      leftSection={<IconX size={16} aria-hidden />}
      onClick={() => setSearch(withoutFilters())}
    >
      {LIST_WORDS.clear}
    </Button>
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
      placeholder={LIST_WORDS.allTags}
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
  /** The label of the option without a filter. */
  readonly all: string;
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
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
