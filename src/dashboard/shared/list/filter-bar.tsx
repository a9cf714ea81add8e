/** Search and filters of a list of monitors or scenarios; every one of them is in the page's address. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Status } from '../data/api-types';
import { useSearchState } from '../data/search';
import { useRegionIds } from '../form/regions-field';
import { STATUS_WORDS } from '../text/strings';
import { hasFilters, type ListKind, withoutFilters } from './list-filters';
import { SearchFilter, TagFilter } from './typed-filter';
import { LIST_WORDS } from './words';

/** In the order of the counts. */
const STATUSES: readonly Status[] = [
  'down',
  'degraded',
  'up',
  'maintenance',
  'paused',
  'pending',
  'unknown',
];

interface FilterBarProps {
  readonly kind: ListKind;
  /** What can be chosen from; a list without groups is narrowed by status instead. */
  readonly groups: readonly string[] | null;
}

export function FilterBar({ kind, groups }: FilterBarProps) {
  const [search, setSearch] = useSearchState();
  const regions = useRegionIds();
  const fieldOf = (name: string) => ({
    value: search[name] ?? '',
    onChange: (value: string) =>
      setSearch({ [name]: value === '' ? undefined : value, cursor: undefined }),
  });
  return (
    <Group gap="sm" mb="md" align="flex-end">
      <SearchFilter label={LIST_WORDS.search} {...fieldOf('q')} />
      {groups === null ? (
        <Choice
          label={LIST_WORDS.status}
          all={LIST_WORDS.anyStatus}
          data={STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] }))}
          {...fieldOf('status')}
        />
      ) : (
        <Choice
          label={LIST_WORDS.group}
          all={LIST_WORDS.allGroups}
          data={groups}
          {...fieldOf('group')}
        />
      )}
      <Choice
        label={LIST_WORDS.region}
        all={LIST_WORDS.allRegions}
        data={regions}
        {...fieldOf('region')}
      />
      <TagFilter kind={kind} label={LIST_WORDS.tag} {...fieldOf('tag')} />
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

interface ChoiceProps {
  readonly label: string;
  /** The word for no choice. */
  readonly all: string;
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
  readonly value: string;
  readonly onChange: (value: string) => void;
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
