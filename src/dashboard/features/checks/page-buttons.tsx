/** Buttons that turn the pages of the table. The page number is in the URL. */
import { Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useSearchState } from '../../shared/data/search';
import { SmallButton } from '../../shared/ui/small-button';
import { turnPage } from './rows';

interface PageButtonsProps {
  readonly page: number;
  readonly pages: number;
}

/** Renders nothing for a single page. */
export function PageButtons({ page, pages }: PageButtonsProps) {
  const [, setSearch] = useSearchState();
  if (pages === 1) return null;
  const turn = (by: 1 | -1): void => {
    setSearch((current) => ({ page: turnPage(current['page'], { by, pages }) }));
    window.scrollTo({ top: 0 });
  };
  return (
    <Group justify="center" component="nav" aria-label="Pages of the table">
      <SmallButton
        disabled={page === 1}
        onClick={() => turn(-1)}
        leftSection={<IconChevronLeft size={14} aria-hidden />}
      >
        Previous page
      </SmallButton>
      <Text size="sm">
        {page} of {pages}
      </Text>
      <SmallButton
        disabled={page === pages}
        onClick={() => turn(1)}
        rightSection={<IconChevronRight size={14} aria-hidden />}
      >
        Next page
      </SmallButton>
    </Group>
  );
}
