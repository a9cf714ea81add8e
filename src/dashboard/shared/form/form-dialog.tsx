/** A form in a dialog: its fields, a refusal, and the buttons. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../dialog/dialog';
import { FormFoot, type FormFootProps } from '../ui/form-foot';
import { useUnsaved } from './unsaved';

interface FormDialogProps extends Omit<FormFootProps, 'onCancel'> {
  readonly title: string;
  /** The text that the user has typed. Closing the dialog asks for confirmation before the text is lost. */
  readonly draft?: unknown;
  /** Turns off the browser's own validation, because the service reports all faults at once. */
  readonly isUnchecked?: boolean;
  readonly onSubmit: () => void;
  /** Called when the dialog is closed without sending. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, draft = null, isUnchecked = false, onSubmit, onClose } = props;
  const { leave, isAsking } = useUnsaved(draft);
  const close = (): void => leave(onClose);
  return (
    <Dialog onClose={close} closeOnEscape={!isAsking} size="lg" title={title}>
      <form
        noValidate={isUnchecked}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          {props.children}
          <FormFoot {...props} onCancel={close} />
        </Stack>
      </form>
    </Dialog>
  );
}
