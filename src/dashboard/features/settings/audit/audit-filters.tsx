/** Filters the audit trail by a person or key, a resource, an action and days, each chosen by name. */
import { Box, Button, Group, Select, SimpleGrid } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ApiKey, Member, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { DateRangeField } from '../../../shared/list/date-range-field';
import { FilterSheet } from '../../../shared/list/filter-sheet';
import { LIST_WORDS } from '../../../shared/list/words';
import { ACTIONS, actionWords } from './audit-words';

const CHOICES_SHOWN = 100;

const CHOSEN = ['action', 'actor', 'resourceId'] as const;
export const AUDIT_FILTERS = [...CHOSEN, 'from', 'to'] as const;
export const NO_AUDIT_FILTERS = {
  action: undefined,
  actor: undefined,
  resourceId: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
};

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface AuditFiltersProps {
  /** Names of resources, by id. */
  readonly names: ReadonlyMap<string, string>;
}

export function AuditFilters({ names }: AuditFiltersProps) {
  const [search, change] = useSearchState();
  const chosen = CHOSEN.filter((name) => search[name] !== undefined).length;
  const count = chosen + (search['from'] === undefined && search['to'] === undefined ? 0 : 1);
  const clear = count > 0 && (
    <Button
      variant="subtle"
      leftSection={<IconX size={16} aria-hidden />}
      onClick={() => change(NO_AUDIT_FILTERS)}
    >
      {LIST_WORDS.clear}
    </Button>
  );
  return (
    <Group gap="xs" mb="md" align="flex-end">
      <SimpleGrid cols={4} spacing="xs" visibleFrom="sm" flex="1 0 100%">
        <Fields names={names} />
      </SimpleGrid>
      {clear && <Box visibleFrom="sm">{clear}</Box>}
      <FilterSheet count={count}>
        <Fields names={names} />
        {clear}
      </FilterSheet>
    </Group>
  );
}

function Fields({ names }: AuditFiltersProps) {
  const [search, change] = useSearchState();
  const people = usePeople();
  const things = [...names].map(([value, label]) => ({ value, label }));
  const actions = ACTIONS.map((value) => ({ value, label: actionWords(value) }));
  const choiceOf = (name: (typeof CHOSEN)[number], choices: readonly Choice[]) => ({
    data: [...withChosen(choices, search[name])],
    value: search[name] ?? null,
    onChange: (value: string | null) => change({ [name]: value ?? undefined, cursor: undefined }),
    searchable: true,
    clearable: true,
    limit: CHOICES_SHOWN,
    nothingFoundMessage: 'Nothing found',
  });
  return (
    <>
      <Select label="Who" placeholder="Anyone" {...choiceOf('actor', people)} />
      <Select label="Object" placeholder="Anything" {...choiceOf('resourceId', things)} />
      <Select label="Action" placeholder="Any" {...choiceOf('action', actions)} />
      <DateRangeField
        label="Period"
        value={{ from: search['from'], to: search['to'] }}
        onChange={({ from, to }) => change({ from, to, cursor: undefined })}
      />
    </>
  );
}

/** All possible actors: members and API keys. */
function usePeople(): readonly Choice[] {
  const { data: members } = useRead<Page<Member>>('/v1/members?limit=500');
  const { data: keys } = useRead<Page<ApiKey>>('/v1/api-keys?limit=500');
  return [
    ...(members?.data ?? []).map(({ id, email }) => ({ value: id, label: email })),
    ...(keys?.data ?? []).map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
  ];
}

/** Adds the value of the URL to the choices if it is missing, so that the value stays selected. */
function withChosen(choices: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  if (chosen === undefined || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: chosen }];
}
