/** Finds monitors and scenarios by name, and returns the names of the chosen ones. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { get, withQuery } from '../data/api';
import type { Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';

const TYPING_MS = 250;
const FOUND_MAX = 20;
const NAME_KEPT_MS = 60_000;

type Named = Pick<Monitor, 'id' | 'name'>;

interface Option {
  readonly value: string;
  readonly label: string;
}

interface NamedChecks {
  /** The checks that the search found, and the chosen checks. */
  readonly options: readonly Option[];
  readonly search: string;
  readonly setSearch: (text: string) => void;
}

export function useNamedChecks(chosen: readonly string[]): NamedChecks {
  const [search, setSearch] = useState('');
  const named = useNames(chosen);
  // After a choice, the field contains the name of the chosen check, which is not a search text.
  const typed = named.some(({ label }) => label === search) ? '' : search.trim();
  const [q] = useDebouncedValue(typed, TYPING_MS);
  const query = { q, limit: FOUND_MAX };
  const { data: monitors } = useRead<Page<Named>>(withQuery('/v1/monitors', query));
  const { data: scenarios } = useRead<Page<Named>>(withQuery('/v1/scenarios', query));
  const found = [
    ...(monitors?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    ...(scenarios?.data ?? []).map(({ id, name }) => ({ value: id, label: `${name} (scenario)` })),
  ];
  const missing = named.filter(({ value }) => !found.some((option) => option.value === value));
  return { options: [...found, ...missing], search, setSearch };
}

/** Returns the names of the checks. Until a name is read, the id is shown instead. */
export function useNames(ids: readonly string[]): readonly Option[] {
  return useQueries({
    queries: ids.map((id) => {
      const path = id.startsWith('scn_') ? `/v1/scenarios/${id}` : `/v1/monitors/${id}`;
      return {
        queryKey: [path],
        queryFn: ({ signal }: { signal: AbortSignal }) => get<Named>(path, signal),
        staleTime: NAME_KEPT_MS,
      };
    }),
    combine: (found) =>
      ids.map((id, index) => ({ value: id, label: found[index]?.data?.name ?? id })),
  });
}
