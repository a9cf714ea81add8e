/** Takes one row out of a form. */
import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

interface RemoveButtonProps {
  /** The row, like `header 2`. */
  readonly row: string;
  readonly onRemove: () => void;
}

export function RemoveButton({ row, onRemove }: RemoveButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`Remove ${row}`}
      onClick={onRemove}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
