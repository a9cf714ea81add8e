/** Asks before an action that cannot be undone. */
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { TEXT } from '../text/strings';
import { currentOpener, giveFocusBack } from './focus';

interface Question {
  readonly title: string;
  readonly text: string;
  /** The word on the button, like "Delete". */
  readonly action: string;
  readonly onConfirm: () => void;
  /** The word on the other button; "Cancel" unless it is given. */
  readonly otherwise?: string;
  /** Also called after `onConfirm`. */
  readonly onClose?: () => void;
}

/** Later than the library's own attempt to return the focus, which fails if a menu has closed. */
const FOCUS_BACK_AFTER_MS = 20;

export function confirm(question: Question): void {
  const { title, text, action, onConfirm, otherwise = TEXT.cancel, onClose } = question;
  const opener = currentOpener();
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: otherwise },
    closeButtonProps: { 'aria-label': otherwise },
    confirmProps: { color: 'red' },
    onConfirm,
    onClose: () => {
      setTimeout(() => giveFocusBack(opener), FOCUS_BACK_AFTER_MS);
      onClose?.();
    },
  });
}
