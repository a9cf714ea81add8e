/** The end of a form in a dialog: what was refused, the way out, and the button that sends it. */
import { Button, Group } from '@mantine/core';
import type { ApiProblem } from '../data/api';
import { TEXT } from '../text/strings';
import { ProblemNote } from './problem-note';

interface FormFootProps {
  readonly problem: ApiProblem | null;
  /** The word on the button that sends. */
  readonly action?: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly onCancel: () => void;
}

export function FormFoot(props: FormFootProps) {
  const { problem, action = TEXT.save, isPending, isDisabled = false, onCancel } = props;
  return (
    <>
      {problem !== null && <ProblemNote problem={problem} />}
      <Group justify="flex-end">
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
