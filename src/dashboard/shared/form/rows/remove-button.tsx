/** Removes one row of a form, and moves the focus to the next row. */
import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { focusSuccessor } from '../problems/focus-field';

interface RemoveButtonProps {
  /** The name of the row, like `header 2`. */
  readonly row: string;
  readonly onRemove: () => void;
}

export function RemoveButton({ row, onRemove }: RemoveButtonProps) {
  const label = `Remove ${row}`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={label}
      onClick={({ currentTarget }) => {
        focusSuccessor(currentTarget, label);
        onRemove();
      }}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
