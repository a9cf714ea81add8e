import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { TEXT } from '../text/strings';
import { currentOpener, giveFocusBack } from './focus';

interface Question {
  readonly title: string;
  readonly text: string;
  /** The word on the button, like "Delete". */
  readonly action: string;
  /** True if the action loses nothing. The button is not red then. */
  readonly isHarmless?: boolean;
  readonly onConfirm: () => void;
  /** The word on the button that closes the dialog without the action. By default, "Cancel". */
  readonly otherwise?: string;
  /** Also called after `onConfirm`. */
  readonly onClose?: () => void;
}

/**
 * Time from the closing of a dialog until the focus returns to the opener. The library returns the focus earlier. That
 * fails if a menu opened the dialog and the menu has closed.
 */
const FOCUS_BACK_AFTER_MS = 20;

export function confirm(question: Question): void {
  const { title, text, action, isHarmless = false, onConfirm, onClose } = question;
  const { otherwise = TEXT.cancel } = question;
  const opener = currentOpener();
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel: otherwise },
    closeButtonProps: { 'aria-label': otherwise },
    confirmProps: isHarmless ? {} : { color: 'red' },
    onConfirm,
    onClose: () => {
      setTimeout(() => giveFocusBack(opener), FOCUS_BACK_AFTER_MS);
      onClose?.();
    },
  });
}
