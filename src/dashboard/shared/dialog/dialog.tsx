/** A dialog that is mounted only while it is open. When it closes, the focus returns to the element that opened it. */
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusBack } from './focus';

interface DialogProps {
  readonly title: string;
  readonly size?: 'md' | 'lg';
  readonly closeOnEscape?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps) {
  useFocusBack();
  return <Modal opened {...props} />;
}
