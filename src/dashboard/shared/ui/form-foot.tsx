/** The end of a form in a dialog: the service's refusal, the cancel button, and the button that sends the form. */
import { Button, Group } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { ApiProblem } from '../data/api';
import { TEXT } from '../text/strings';
import { ProblemNote } from './problem-note';

/** The style that keeps the end of a long form visible. */
const IN_SIGHT: CSSProperties = {
  position: 'sticky',
  bottom: 0,
  zIndex: 2,
  margin: '0 calc(-1 * var(--mantine-spacing-md)) calc(-1 * var(--mantine-spacing-md))',
  padding: '12px var(--mantine-spacing-md)',
  background: 'var(--kw-surface)',
};

export interface FormFootProps {
  readonly problem?: ApiProblem | null;
  /** The word on the button that sends. */
  readonly action?: string;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly onCancel: () => void;
}

export function FormFoot(props: FormFootProps) {
  const {
    problem = null,
    action = TEXT.save,
    isPending = false,
    isDisabled = false,
    onCancel,
  } = props;
  return (
    <>
      {problem !== null && <ProblemNote problem={problem} />}
      <Group justify="flex-end" style={IN_SIGHT}>
        <Button variant="default" onClick={onCancel}>
          {TEXT.cancel}
        </Button>
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {action}
        </Button>
      </Group>
    </>
  );
}
