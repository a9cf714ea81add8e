/** Small buttons for a row, a card or a heading, and the button that adds a row. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

const SMALL = { size: 'xs', variant: 'default' } as const;

export const SmallButton = Button.withProps(SMALL);

export const AddButton = Button.withProps({
  ...SMALL,
  leftSection: <IconPlus size={14} aria-hidden />,
});
