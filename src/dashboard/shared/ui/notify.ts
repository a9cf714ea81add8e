/** Short notices at the edge of the page. */
import { notifications } from '@mantine/notifications';
import type { ApiProblem } from '../data/api';
import { TEXT } from '../text/strings';

export function tell(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000 });
}

/** Stays until it is closed: a refusal is worth reading. */
export function tellProblem(problem: ApiProblem): void {
  const faults = problem.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  notifications.show({
    title: TEXT.refused,
    message: faults === '' ? problem.message : faults,
    color: 'red',
    autoClose: false,
  });
}
