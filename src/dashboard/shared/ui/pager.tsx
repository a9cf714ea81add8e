/**
 * Moves through the pages of a list by the cursor in the URL. Back leads to the previous page, or to the first page if
 * there is none.
 */
import { Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchState } from '../data/search';
import { SmallButton } from './small-button';

interface PagerProps {
  readonly nextCursor: string | null;
  /** The name of the cursor in the URL. Needed if a page has several lists. */
  readonly name?: string;
}

interface Turn {
  readonly from: string | undefined;
  readonly to: string;
}

/** The buttons. Renders nothing if everything is on one page. */
export function Pager({ nextCursor, name = 'cursor' }: PagerProps) {
  const [search, change] = useSearchState();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const cursor = search[name];
  if (cursor === undefined && nextCursor === null) return null;
  const show = (to: string | undefined): void => {
    change({ [name]: to });
    window.scrollTo({ top: 0 });
  };
  const last = turns.findLast(({ to }) => to === cursor);
  const goOn = (): void => {
    if (nextCursor === null) return;
    setTurns([...turns, { from: cursor, to: nextCursor }]);
    show(nextCursor);
  };
  return (
    <Group justify="center" mt="md" component="nav" aria-label="Pages of the list">
      <SmallButton
        disabled={cursor === undefined}
        onClick={() => show(last?.from)}
        leftSection={<IconChevronLeft size={14} aria-hidden />}
      >
        {cursor !== undefined && last === undefined ? 'First page' : 'Previous page'}
      </SmallButton>
      <SmallButton
        // The button is also disabled while the next page loads. Until then, `nextCursor` belongs to the previous page.
        disabled={nextCursor === null || nextCursor === cursor}
        onClick={goOn}
        rightSection={<IconChevronRight size={14} aria-hidden />}
      >
        Next page
      </SmallButton>
    </Group>
  );
}
