/** Leads through the pages of the table; the number of the page is in the address. */
import { Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useSearchState } from '../../shared/data/search';
import { SmallButton } from '../../shared/ui/small-button';

interface PageButtonsProps {
  readonly page: number;
  readonly pages: number;
}

/** Nothing when everything is on one page. */
export function PageButtons({ page, pages }: PageButtonsProps) {
  const [, setSearch] = useSearchState();
  if (pages === 1) return null;
  const show = (next: number): void => {
    setSearch({ page: next === 1 ? undefined : String(next) });
    window.scrollTo({ top: 0 });
  };
  return (
    <Group justify="center" component="nav" aria-label="Pages of the table">
      <SmallButton
        disabled={page === 1}
        onClick={() => show(page - 1)}
        leftSection={<IconChevronLeft size={14} aria-hidden />}
      >
        Previous page
      </SmallButton>
      <Text size="sm">
        {page} of {pages}
      </Text>
      <SmallButton
        disabled={page === pages}
        onClick={() => show(page + 1)}
        rightSection={<IconChevronRight size={14} aria-hidden />}
      >
        Next page
      </SmallButton>
    </Group>
  );
}
