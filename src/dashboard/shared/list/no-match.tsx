/** What a narrowed list shows when nothing fits, and the way back to all of it. */
import { Button } from '@mantine/core';
import { useSearchState } from '../data/search';
import { EmptyState } from '../ui/empty-state';
import { withoutFilters } from './list-filters';
import { LIST_WORDS } from './words';

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
