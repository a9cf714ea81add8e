/** Filters the audit trail by a person or key, a resource, an action and days, each chosen by name. */
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { ApiKey, Member, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { ACTIONS, actionWords } from './audit-words';

const CHOICES_SHOWN = 100;

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
  const people = usePeople();
  const things = [...names].map(([value, label]) => ({ value, label }));
  const actions = ACTIONS.map((value) => ({ value, label: actionWords(value) }));
  const choiceOf = (name: 'actor' | 'resourceId' | 'action', choices: readonly Choice[]) => ({
    data: [...withChosen(choices, search[name])],
    value: search[name] ?? null,
    onChange: (value: string | null) => change({ [name]: value ?? undefined, cursor: undefined }),
    searchable: true,
    clearable: true,
    limit: CHOICES_SHOWN,
    nothingFoundMessage: 'Nothing found',
  });
  const dayOf = (name: 'from' | 'to') => ({
    type: 'date',
    value: search[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change({ [name]: currentTarget.value || undefined, cursor: undefined }),
  });
  return (
    <SimpleGrid cols={{ base: 2, sm: 5 }} mb="md" spacing="xs">
      <Select label="Person" placeholder="Anyone" {...choiceOf('actor', people)} />
      <Select label="Object" placeholder="Anything" {...choiceOf('resourceId', things)} />
      <Select label="Action" placeholder="Any" {...choiceOf('action', actions)} />
      <TextInput label="From" {...dayOf('from')} />
      <TextInput label="To" {...dayOf('to')} />
    </SimpleGrid>
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

/** Adds the value from the URL to the choices if it is not among them, so that it stays selected. */
function withChosen(choices: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  if (chosen === undefined || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: chosen }];
}
