/** Asks before something that can not be taken back. */
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { TEXT } from './strings';

interface Question {
  readonly title: string;
  readonly text: string;
  /** The word on the button, like "Delete". */
  readonly action: string;
  readonly onConfirm: () => void;
}

export function confirm({ title, text, action, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: TEXT.cancel },
    closeButtonProps: { 'aria-label': TEXT.cancel },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
