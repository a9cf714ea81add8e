/** Shown when no row matches the filters of a list; offers to clear them. */
import { Button } from '@mantine/core';
import { useSearchState } from '../../shared/data/search';
import { withoutFilters } from '../../shared/list/list-filters';
import { LIST_WORDS } from '../../shared/list/words';
import { EmptyState } from '../../shared/ui/empty-state';

export function NoMatch({ text }: { readonly text: string }) {
  const [, setSearch] = useSearchState();
  return (
    <EmptyState
      title={LIST_WORDS.noMatch}
      text={text}
      action={<Button onClick={() => setSearch(withoutFilters())}>{LIST_WORDS.clear}</Button>}
    />
  );
}
