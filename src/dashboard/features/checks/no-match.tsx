/** What a narrowed list shows when nothing fits, and the way back to all of it. */
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
