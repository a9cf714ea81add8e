/** Short notices at the edge of the page. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ApiProblem } from '../data/api';
import { afterLabel, labelOf } from '../form/labels';
import { TEXT } from '../text/strings';

export function notify(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000 });
}

/** Stays until it is closed: a refusal is worth reading. With `retry`, a button that does it again. */
export function notifyProblem(problem: ApiProblem, retry?: () => void): void {
  const faults = problem.errors
    .map(({ path, message }) => labelOf(path) + afterLabel(message))
    .join('; ');
  const text = faults === '' ? problem.message : faults;
  const id = notifications.show({
    title: problem.status === 0 ? TEXT.notReached : TEXT.refused,
    message:
      retry === undefined ? (
        text
      ) : (
        <>
          {text}
          <br />
          <Button
            size="compact-sm"
            variant="default"
            mt={6}
            onClick={() => {
              notifications.hide(id);
              retry();
            }}
          >
            {TEXT.retry}
          </Button>
        </>
      ),
    color: 'red',
    autoClose: false,
  });
}
