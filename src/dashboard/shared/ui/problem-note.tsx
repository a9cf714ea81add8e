/** A refusal in words, with every fault and its path. */
import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ApiProblem } from '../data/api';
import { afterLabel, labelOf } from '../form/labels';
import { TEXT } from '../text/strings';

function titleOf({ status, errors }: ApiProblem): string {
  if (status === 0) return TEXT.notReached;
  return errors.length === 0 ? TEXT.refused : TEXT.invalid;
}

export function ProblemNote({ problem }: { readonly problem: ApiProblem }) {
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={titleOf(problem)}
    >
      {problem.errors.length === 0 ? (
        problem.message
      ) : (
        <List size="sm">
          {problem.errors.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <b>{labelOf(path)}</b>
              {afterLabel(message)}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
