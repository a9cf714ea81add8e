/** A button that opens the filters of a list in a sheet on phones. Wider pages show the filters themselves. */
import { Button, Drawer, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LIST_WORDS } from './words';

interface FilterSheetProps {
  /** The number of filters that are set. */
  readonly count: number;
  readonly children: ReactNode;
}

export function FilterSheet({ count, children }: FilterSheetProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        onClick={open}
      >
        {count === 0 ? LIST_WORDS.filters : `${LIST_WORDS.filters} (${count})`}
      </Button>
      <Drawer opened={isOpen} onClose={close} position="bottom" title={LIST_WORDS.filters}>
        <Stack>{children}</Stack>
      </Drawer>
    </>
  );
}
